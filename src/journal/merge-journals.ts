/** Joins journals that were written at the same time by different processes of one machine. */
import type { Entry } from './entry.ts';

export interface MergedEntry {
  /** Index of the journal that holds the entry. */
  readonly journal: number;
  readonly entry: Entry;
}

/**
 * Order: clock, then journal as listed, then sequence. Holds one entry of each journal at a time. Sequences stay those
 * of the journals, so only the pair names an entry.
 */
export function* mergeJournals(
  journals: readonly { readonly entries: Iterable<Entry> }[],
): Generator<MergedEntry, void, undefined> {
  const heads = journals.map(({ entries }) => entries[Symbol.iterator]());
  try {
    const next = heads.map(head => head.next());
    for (;;) {
      let journal = -1;
      for (const [index, { done, value }] of next.entries()) {
        if (!done && (journal === -1 || value.t < next[journal]!.value.t)) journal = index;
      }
      if (journal === -1) return;
      yield { journal, entry: next[journal]!.value };
      next[journal] = heads[journal]!.next();
    }
  } finally {
    for (const head of heads) head.return?.();
  }
}
