/** Faults of what the bench itself sends, which are never held against the subject: it must know of its own mistakes. */
import type { AcpEntry } from '../journal/index.ts';
import type { SeenFrame } from './seen.ts';

export interface BenchFault {
  /** Journal sequence of the entry. */
  readonly seq: number;
  /** One sentence. */
  readonly detail: string;
  /** JSON pointer from the root of the frame. */
  readonly pointer?: string;
}

/** Empty for a frame of a foreign party, and for one that its script declares faulty. */
export const benchFaults = ({ entry, faults }: SeenFrame): readonly BenchFault[] => {
  if (!isOwn(entry)) return [];
  const { line, message, seq } = entry;
  // Where the subject ends, or does not read on, a line that goes out in pieces is cut off.
  if (line.kind === 'malformed' && line.fault === 'unterminated') return [];
  if (line.kind === 'malformed') return [{ seq, detail: `The bench sent a malformed line: ${line.detail}` }];
  const envelope =
    message?.type === 'invalid' ? [{ seq, detail: `The bench sent an envelope with ${message.fault}` }] : [];
  const own = faults.filter(({ known }) => known === undefined);
  return [
    ...envelope,
    ...own.map(({ definition, pointer, expected }) => ({
      seq,
      pointer,
      detail: `The bench sent a frame that does not fit ${definition}: expected ${expected}`,
    })),
  ];
};

const isOwn = ({ by, declaredFault }: AcpEntry): boolean =>
  (by === 'script' || by === 'fixture') && declaredFault !== true;
