/** What one line is: a frame, or which of the faults. */
import { isAscii, isUtf8 } from 'node:buffer';
import { isObject, type JsonObject } from './json.ts';
import type { Frame, Line, LineFault, MalformedLine } from './line.ts';
import type { AlikeParser } from './parse-alike.ts';

const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/** One line, without its LF. */
export const readLine = (bytes: Buffer, parser: AlikeParser): Line => {
  if (!isAscii(bytes)) return readDecoded(bytes, decodeUtf8(bytes), false, parser);
  const text = bytes.toString('latin1');
  return readDecoded(bytes, text, !text.includes('\\'), parser);
};

/**
 * The lines of a region that ends in LF. As Latin-1, which makes one character of each byte, the region is decoded at
 * once, and a line in ASCII is a part of that text; others are decoded by themselves. Lines of more than `maxLineBytes`
 * are handed to `onOverLong` as they are, without their LF.
 */
export const readLines = (
  region: Buffer,
  maxLineBytes: number,
  parser: AlikeParser,
  onLine: (line: Line) => void,
  onOverLong: (bytes: Buffer) => void,
): void => {
  const text = region.toString('latin1');
  const isAsciiLine = createAsciiCheck(region);
  let backslash = indexOrEnd(text, '\\', 0);
  for (let start = 0; start < region.length; ) {
    const end = text.indexOf('\n', start);
    const bytes = region.subarray(start, end);
    if (backslash < start) backslash = indexOrEnd(text, '\\', start);
    if (bytes.length > maxLineBytes) onOverLong(bytes);
    else if (isAsciiLine(bytes, start, end))
      onLine(readDecoded(bytes, text.slice(start, end), backslash > end, parser));
    else onLine(readDecoded(bytes, decodeUtf8(bytes), false, parser));
    start = end + 1;
  }
};

/** Tells of lines in order whether they are ASCII, of many with one look where all of a block is. */
const createAsciiCheck = (region: Buffer): ((line: Buffer, start: number, end: number) => boolean) => {
  let asciiTo = isAscii(region) ? region.length : 0;
  let lookedTo = 0;
  return (line, start, end) => {
    if (end > asciiTo && start >= lookedTo) {
      lookedTo = start + blockBytes;
      if (isAscii(region.subarray(start, lookedTo))) asciiTo = lookedTo;
    }
    return end <= asciiTo || isAscii(line);
  };
};

const blockBytes = 4096;

/** A piece of a line beyond the limit; all but the last one say that the line goes on. */
export const overLongPiece = (bytes: Buffer, then: 'continues' | 'ends'): MalformedLine =>
  then === 'continues'
    ? { ...malformed('over-long', bytes, 'the line exceeds the limit and goes on', false), continues: true }
    : malformed('over-long', bytes, 'the end of a line that exceeds the limit');

/** What stood after the last LF when the input ended. */
export const unterminatedLine = (bytes: Buffer): MalformedLine =>
  malformed('unterminated', bytes, 'the input ended before the line feed', false);

const readDecoded = (
  bytes: Buffer,
  text: string | undefined,
  isPlain: boolean,
  parser: AlikeParser,
): Line => {
  if (text === undefined) return malformed('invalid-utf8', bytes, 'the bytes are not valid UTF-8');
  let value: unknown;
  try {
    value = parser.parse(text);
  } catch (error) {
    return unparsable(bytes, text, error as SyntaxError);
  }
  if (isObject(value)) return frame(bytes, value, isPlain, parser.model());
  return Array.isArray(value)
    ? malformed('batch', bytes, 'the line is an array; ACP has no batches')
    : malformed(
        'not-object',
        bytes,
        `the line is JSON but no object: ${value === null ? 'null' : typeof value}`,
      );
};

const frame = (
  bytes: Buffer,
  value: Frame['value'],
  isPlain: boolean,
  model: JsonObject | undefined,
): Frame =>
  endsInCarriageReturn(bytes)
    ? { kind: 'frame', bytes: bytes.subarray(0, -1), value, carriageReturn: true, isPlain, model }
    : { kind: 'frame', bytes, value, carriageReturn: false, isPlain, model };

const indexOrEnd = (text: string, part: string, from: number): number => {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
};

const unparsable = (bytes: Buffer, text: string, error: SyntaxError): MalformedLine => {
  if (/^[ \t\r]*$/.test(text)) return malformed('blank', bytes, 'the line is blank');
  if (text.charCodeAt(0) === byteOrderMark) {
    return malformed('byte-order-mark', bytes, 'the line begins with a byte-order mark');
  }
  return malformed('not-json', bytes, withoutExcerpt(error.message));
};

const malformed = (
  fault: LineFault,
  bytes: Buffer,
  detail: string,
  hasCarriageReturn = endsInCarriageReturn(bytes),
): MalformedLine => ({ kind: 'malformed', fault, bytes, carriageReturn: hasCarriageReturn, detail });

const endsInCarriageReturn = (bytes: Buffer): boolean => bytes[bytes.length - 1] === carriageReturn;

/** The text of valid UTF-8, with any byte-order mark; undefined for other bytes. */
const decodeUtf8 = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) ? bytes.toString('utf8') : undefined;

/** V8 quotes the input in its complaint. The line stands beside it anyway, and a part of a secret could not be redacted. */
const withoutExcerpt = (message: string): string =>
  message.replace(/, (?:\.\.\.)?".*$/s, '').replace(/^".*" is not valid JSON$/s, 'not valid JSON');
