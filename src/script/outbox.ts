/** Puts what the script and the actor send onto the wire, one line after the other, never one inside the other. */
import type { Port, SendMark } from '../wire/index.ts';

export interface Outbox {
  /** Writes pieces one by one, each after the transport took the one before. Resolves when all are written. */
  write(pieces: readonly Uint8Array[], mark: SendMark): Promise<void>;
  /** Writes a line as soon as no other is half written; `written` is called when it is handed to the transport. */
  writeLine(line: Uint8Array, mark: SendMark, written: () => void): void;
  /** Leaves what is not handed to the transport yet. */
  stop(): void;
}

const lineFeed = 0x0a;

export const createOutbox = (port: Port): Outbox => {
  /** Writes that wait, in order; the first may be under way. */
  const scripted: { pieces: readonly Uint8Array[]; mark: SendMark; done: () => void }[] = [];
  const lines: { line: Uint8Array; mark: SendMark; written: () => void }[] = [];
  let isWriting = false;
  let isMidLine = false;
  let isStopped = false;

  const send = (bytes: Uint8Array, mark: SendMark): Promise<void> => {
    if (bytes.length > 0) isMidLine = bytes.at(-1) !== lineFeed;
    return port.send(bytes, mark);
  };
  const flushLines = () => {
    while (!isStopped && !isWriting && !isMidLine && lines.length > 0) {
      const { line, mark, written } = lines.shift()!;
      void send(line, mark);
      written();
    }
  };
  const writeNext = () => {
    const next = scripted[0];
    if (isWriting || !next) return flushLines();
    isWriting = true;
    let index = 0;
    const writePiece = () => {
      if (isStopped) return;
      const piece = next.pieces[index];
      index += 1;
      const taken = piece ? send(piece, next.mark) : Promise.resolve();
      // Nothing has to wait for the transport but the piece that follows.
      if (index >= next.pieces.length) {
        scripted.shift();
        isWriting = false;
        void taken.then(next.done);
        writeNext();
      } else void taken.then(writePiece);
    };
    writePiece();
  };

  return {
    write: (pieces, mark) =>
      new Promise(resolve => {
        scripted.push({ pieces, mark, done: resolve });
        writeNext();
      }),
    writeLine(line, mark, written) {
      lines.push({ line, mark, written });
      flushLines();
    },
    stop() {
      isStopped = true;
    },
  };
};
