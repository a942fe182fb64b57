/** Builders for framer tests: bytes in, lines out, and back. */
import { createFramer, type Line, type MalformedLine } from '../../src/wire/index.ts';

/** All lines that the framer makes of these chunks, the input ended after them. */
export const linesOf = (chunks: readonly Uint8Array[], maxLineBytes?: number): Line[] => {
  const lines: Line[] = [];
  const framer = createFramer({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine: line => lines.push(line),
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return lines;
};

export const lineOf = (bytes: Uint8Array | string): Line => linesOf([Buffer.from(bytes as string)])[0]!;

export const malformedOf = (bytes: Uint8Array | string): MalformedLine => {
  const line = lineOf(bytes);
  if (line.kind !== 'malformed') throw new Error('expected a malformed line');
  return line;
};

/** Cuts bytes at the given places. */
export const cutAt = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const sorted = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
};

/** The bytes from which the lines were made: nothing may be lost. */
export const bytesOf = (lines: readonly Line[]): Buffer =>
  Buffer.concat(
    lines.flatMap(line => {
      if (line.kind === 'malformed') {
        return line.continues || line.fault === 'unterminated'
          ? [line.bytes]
          : [line.bytes, Buffer.from('\n')];
      }
      return [line.bytes, Buffer.from(line.carriageReturn ? '\r\n' : '\n')];
    }),
  );
