/**
 * Bytes to lines, in linear time: whole lines within a chunk are decoded together and handed on as views of it, and a
 * line that spans chunks is joined once, when its end is known.
 */

import type { Line } from './line.ts';
import { createLineRest } from './line-rest.ts';
import { createAlikeParser } from './parse-alike.ts';
import { overLongPiece, readLine, readLines, unterminatedLine } from './read-lines.ts';

export interface FramerOptions {
  /** Longest line in bytes, without its LF. Default 64 MiB. A longer one arrives in pieces of at most this size. */
  readonly maxLineBytes?: number;
  /** Called for each line in order, within `push` and `end`. Must not throw. */
  readonly onLine: (line: Line) => void;
}

export interface Framer {
  /** Takes the next bytes. They must not change afterwards, since lines are views of them; Node never reuses chunks. */
  push(chunk: Uint8Array): void;
  /** The input ended: what is left without a line feed comes as `unterminated`. */
  end(): void;
}

const lineFeed = 0x0a;

export const createFramer = ({ maxLineBytes = 64 * 1024 * 1024, onLine }: FramerOptions): Framer => {
  if (!(maxLineBytes >= 1)) throw new RangeError(`maxLineBytes is ${maxLineBytes}; it must be at least 1`);
  const rest = createLineRest();
  const parser = createAlikeParser();
  /** Pieces of the line in `rest` were already handed on. */
  let isOverLong = false;

  return {
    push(chunk) {
      let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (rest.size() > 0) {
        const end = bytes.indexOf(lineFeed);
        if (end === -1) return extend(bytes);
        finish(bytes.subarray(0, end));
        bytes = bytes.subarray(end + 1);
      }
      const regionEnd = bytes.lastIndexOf(lineFeed) + 1;
      if (regionEnd > 0) readLines(bytes.subarray(0, regionEnd), maxLineBytes, parser, onLine, finish);
      if (regionEnd < bytes.length) extend(bytes.subarray(regionEnd));
    },

    end() {
      if (rest.size() > 0) onLine(unterminatedLine(rest.take()));
      isOverLong = false;
    },
  };

  /** Adds bytes to the line that has not ended, and hands on what exceeds the limit. */
  function extend(bytes: Buffer): void {
    let left = bytes;
    while (rest.size() + left.length > maxLineBytes) {
      const room = maxLineBytes - rest.size();
      rest.add(left.subarray(0, room));
      left = left.subarray(room);
      isOverLong = true;
      onLine(overLongPiece(rest.take(), 'continues'));
    }
    rest.add(left);
  }

  /** Adds the last bytes of a line and hands it on. */
  function finish(bytes: Buffer): void {
    extend(bytes);
    const line = rest.take();
    onLine(isOverLong ? overLongPiece(line, 'ends') : readLine(line, parser));
    isOverLong = false;
  }
};
