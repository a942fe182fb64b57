/** The entries that findings point to, as a report shows them: one pass over the journal, cut to what fits a screen. */
import type { Entry } from '../journal/index.ts';
import type { ShownEntry } from '../report/index.ts';
import type { Finding, Judgement } from './ledger.ts';

const cutAt = 2048;

/** The judgements of each connection with `sent` and `got` of each finding filled in from the journal. */
export const withEntries = (
  connections: readonly (readonly Judgement[])[],
  entries: Iterable<Entry>,
): readonly (readonly Judgement[])[] => {
  const wanted = new Set(connections.flat().flatMap(({ findings }) => findings.flatMap(seqsOf)));
  if (wanted.size === 0) return connections;
  const shown = showEntries(entries, wanted);
  const fill = (finding: Finding): Finding => {
    const sent = shown.get(finding.evidence.after ?? 0);
    const got = shown.get(finding.evidence.seq ?? 0);
    return { ...finding, ...(sent && { sent }), ...(got && { got }) };
  };
  return connections.map(judgements =>
    judgements.map(judgement => ({ ...judgement, findings: judgement.findings.map(fill) })),
  );
};

const seqsOf = ({ evidence }: Finding): number[] => [evidence.seq ?? [], evidence.after ?? []].flat();

const showEntries = (
  entries: Iterable<Entry>,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, ShownEntry> => {
  const shown = new Map<number, ShownEntry>();
  let start: number | undefined;
  for (const entry of entries) {
    start ??= entry.t;
    if (wanted.has(entry.seq)) {
      const { label, content } = describe(entry);
      shown.set(entry.seq, {
        seq: entry.seq,
        t: Math.round((entry.t - start) * 1000) / 1000,
        label,
        ...(content !== undefined && { content: cut(content) }),
      });
    }
    if (shown.size === wanted.size) break;
  }
  return shown;
};

const describe = (entry: Entry): { readonly label: string; readonly content?: string } => {
  switch (entry.channel) {
    case 'acp': {
      const content = Buffer.from(
        entry.line.bytes.buffer,
        entry.line.bytes.byteOffset,
        entry.line.bytes.length,
      );
      const label =
        entry.line.kind === 'frame'
          ? `frame of the ${entry.from}`
          : `${entry.line.fault} line of the ${entry.from}`;
      return { label, content: content.toString() };
    }
    case 'stderr':
      return { label: 'stderr', content: Buffer.from(entry.bytes).toString() };
    case 'process': {
      const { event, ...rest } = entry.what;
      return { label: Object.keys(rest).length ? `${event} ${JSON.stringify(rest)}` : event };
    }
    case 'bench':
      return { label: JSON.stringify(entry.what) };
  }
};

const cut = (text: string): string =>
  text.length <= cutAt ? text : `${text.slice(0, cutAt)}… (${text.length - cutAt} more characters)`;
