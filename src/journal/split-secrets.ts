/**
 * Catches secrets that are split over several entries of one stream of text: the chunks of a message, the pieces of
 * stderr, malformed lines. An entry whose text ends within a secret is held back, and all entries after it, until the
 * stream goes on and decides, or until it has waited long enough. What then is still open counts as a secret when at
 * least half of one stands there.
 */
import type { Entry } from './entry.ts';
import { beginningOfTail, begunSecret, findSecrets, type Hit } from './find-secrets.ts';
import type { Cuts } from './redactor.ts';
import type { Form, Forms } from './secrets.ts';
import { createTextStreams, type StreamPiece } from './text-streams.ts';

export interface SplitSecrets {
  /** Takes the next entry; it, and those held before it, are handed on as soon as they are decided. */
  add(entry: Entry): void;
  /** To be called at intervals: hands on what has been held since before the last call. */
  tick(): void;
  /** Hands on everything. */
  release(): void;
  isHolding(): boolean;
}

/** More entries than this never wait behind one. */
const mostHeld = 256;
const mostHeldBytes = 1024 * 1024;
/** Open ends that are remembered; the oldest is forgotten beyond this. */
const mostStreams = 1024;

interface Held {
  readonly entry: Entry;
  /** The tick after which it came. */
  readonly since: number;
  /** Its text ends within a secret, and nothing has decided yet. */
  isOpen: boolean;
  cuts: { readonly text: string; readonly hits: Hit[] } | undefined;
}

/** A stream of text that ends within a secret. */
interface OpenEnd {
  readonly forms: readonly Form[];
  /** From the beginning of the secret. */
  readonly text: string;
  /** The held texts that reach into it, oldest first. */
  parts: Part[];
}

interface Part {
  readonly held: Held;
  readonly text: string;
  /** Where this text begins, counted from the beginning of the secret. */
  readonly at: number;
}

export const createSplitSecrets = (
  forms: Forms,
  handOn: (entry: Entry, cuts: Cuts | undefined) => void,
): SplitSecrets => {
  const streams = createTextStreams(forms);
  const openEnds = new Map<string, OpenEnd>();
  const queue: Held[] = [];
  let queuedBytes = 0;
  let now = 0;

  return {
    add(entry) {
      const piece = streams.piece(entry, openEnds);
      if (!piece && queue.length === 0) return handOn(entry, undefined);
      const held: Held = { entry, since: now, isOpen: false, cuts: undefined };
      if (piece) goOn(piece, held);
      if (queue.length > 0) handOnDecided();
      if (queue.length === 0 && !held.isOpen) return handOn(entry, held.cuts);
      queue.push(held);
      queuedBytes += sizeOf(entry);
      if (endsStreams(entry) || queue.length > mostHeld || queuedBytes > mostHeldBytes) release(now);
    },
    tick() {
      now += 1;
      if (queue.length > 0) release(now - 2);
    },
    release: () => release(now),
    isHolding: () => queue.length > 0,
  };

  /** Settles what is held since that tick or longer. */
  function release(since: number): void {
    for (const open of openEnds.values()) {
      if (open.parts.some(({ held }) => held.since <= since)) settle(open);
    }
    handOnDecided();
  }

  /** The stream goes on with this piece, which decides about the pieces before it. */
  function goOn({ stream, text, forms }: StreamPiece, held: Held): void {
    const open = openEnds.get(stream);
    const before = open?.text ?? '';
    const joined = before + text;
    const hits = open ? findSecrets(joined, forms) : [];
    const parts = [...(open?.parts ?? []), { held, text, at: before.length }];
    for (const hit of hits) if (hit.start < before.length) cut(parts, hit);
    const start = beginningOfTail(joined, forms);
    for (const part of open?.parts ?? []) part.held.isOpen = false;
    openEnds.delete(stream);
    if (start === joined.length) return;
    const reaching = parts
      .map(part => ({ ...part, at: part.at - start }))
      .filter(part => part.at + part.text.length > 0);
    for (const part of reaching) part.held.isOpen = true;
    openEnds.set(stream, { forms, text: joined.slice(start), parts: reaching });
    if (openEnds.size > mostStreams) forgetOldest();
  }

  /** Decides without knowing how the stream goes on. It stays open: the rest of the secret may still come. */
  function settle(open: OpenEnd): void {
    const { share, marker } = begunSecret(open.text, open.forms);
    if (share >= 0.5) cut(open.parts, { start: 0, end: open.text.length, marker });
    for (const part of open.parts) part.held.isOpen = false;
    open.parts = [];
  }

  function handOnDecided(): void {
    let decided = 0;
    for (const { isOpen, entry, cuts } of queue) {
      if (isOpen) break;
      decided += 1;
      queuedBytes -= sizeOf(entry);
      handOn(entry, cuts);
    }
    queue.splice(0, decided);
  }

  function forgetOldest(): void {
    const [stream, open] = openEnds.entries().next().value!;
    settle(open);
    openEnds.delete(stream);
  }
};

/** Replaces what of each text lies within the hit; the first one gets the marker. */
const cut = (parts: readonly Part[], { start, end, marker }: Hit): void => {
  let replacement = marker;
  for (const { held, text, at } of parts) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, text.length);
    if (from >= to) continue;
    held.cuts ??= { text, hits: [] };
    held.cuts.hits.push({ start: from, end: to, marker: replacement });
    replacement = '';
  }
};

const endsStreams = (entry: Entry): boolean =>
  entry.channel === 'process' && (entry.what.event === 'eof' || entry.what.event === 'exit');

const sizeOf = (entry: Entry): number =>
  entry.channel === 'acp' ? entry.line.bytes.length : entry.channel === 'stderr' ? entry.bytes.length : 0;
