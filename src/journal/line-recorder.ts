/** Writes the lines of one byte stream into a journal, whatever chunks they come in. */
import { createFramer, type Line, type Party, readMessage, type SendMark } from '../wire/index.ts';
import type { AcpEntry, Draft } from './entry.ts';
import type { Journal } from './journal.ts';

export interface LineRecorder {
  /**
   * Takes the next bytes. A line that is sent in parts gets the mark of the part that completes it, and counts as
   * declared faulty when any part was.
   */
  push(chunk: Uint8Array, mark?: SendMark): void;
  /** The stream ended: what is left is recorded as an unterminated line. More may follow on a new stream. */
  end(): void;
}

export interface LineRecorderOptions {
  readonly journal: Journal;
  readonly connection: number;
  readonly from: Party;
  /** See `FramerOptions`. */
  readonly maxLineBytes?: number;
}

export const createLineRecorder = ({
  journal,
  connection,
  from,
  maxLineBytes,
}: LineRecorderOptions): LineRecorder => {
  /** Of the parts of the line that has not ended. */
  let latestMark: SendMark | undefined;
  let isDeclared = false;
  let t = 0;

  const framer = createFramer({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine(line) {
      const entry = journal.append({
        ...lineDraft(line, from, connection, t),
        ...(latestMark ? { by: latestMark.by } : {}),
        ...(isDeclared ? { declaredFault: true } : {}),
      });
      latestMark?.recorded?.(entry.seq);
      isDeclared = latestMark?.declaredFault ?? false;
    },
  });

  return {
    push(chunk, mark) {
      if (chunk.length === 0) return;
      t = journal.now();
      latestMark = mark;
      isDeclared ||= mark?.declaredFault ?? false;
      framer.push(chunk);
      if (chunk[chunk.length - 1] === lineFeed) isDeclared = false;
    },
    end() {
      t = journal.now();
      framer.end();
      isDeclared = false;
    },
  };
};

const lineFeed = 0x0a;

/** A line as an entry that has no place yet. */
export const lineDraft = (line: Line, from: Party, connection: number, t: number): Draft<AcpEntry> => ({
  connection,
  channel: 'acp',
  from,
  line,
  message: line.kind === 'frame' ? readMessage(line.value) : undefined,
  t,
});
