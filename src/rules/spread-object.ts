/** Recognises a JSON object that was written over several lines, such as pretty-printed. */
import type { MalformedLine } from '../wire/index.ts';

export interface SpreadObject {
  /** A line that is no frame. Returns the sequence of the first line once the lines so far make one object. */
  take(seq: number, line: MalformedLine): number | undefined;
  /** Something else came: what was begun is no object. */
  interrupt(): void;
}

/** More than this is no message that someone printed prettily by mistake. */
const maxBytes = 1 << 20;
const maxAttempts = 200;

export const createSpreadObject = (): SpreadObject => {
  const decoder = new TextDecoder();
  let first = 0;
  let lines: string[] = [];
  let bytes = 0;
  let attempts = 0;

  const interrupt = (): void => {
    lines = [];
    bytes = 0;
    attempts = 0;
  };

  return {
    interrupt,
    take(seq, line) {
      const text = decoder.decode(line.bytes);
      if (text.trimStart().startsWith('{') && lines.length === 0) first = seq;
      else if (lines.length === 0) return undefined;
      lines.push(text);
      bytes += text.length;
      if (bytes > maxBytes || attempts > maxAttempts) return void interrupt();
      if (lines.length === 1 || !text.trimEnd().endsWith('}')) return undefined;
      attempts++;
      // A raw newline inside a string makes the joined text parse only when it is escaped.
      if (!isObjectText(lines.join('\n')) && !isObjectText(lines.join('\\n'))) return undefined;
      interrupt();
      return first;
    },
  };
};

const isObjectText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};
