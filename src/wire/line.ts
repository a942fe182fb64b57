/**
 * What the framer makes of a byte stream: one `Line` per line feed, each either a frame (one JSON object) or a
 * malformed line that is kept byte for byte. Source: ACP v1, Transports, "stdio".
 */
import type { JsonObject } from './json.ts';

/** Why a line is not a frame. */
export type LineFault =
  | 'not-json'
  | 'not-object'
  | 'batch'
  | 'invalid-utf8'
  | 'byte-order-mark'
  | 'blank'
  | 'over-long'
  | 'unterminated';

/** A line that holds exactly one JSON object. */
export interface Frame {
  readonly kind: 'frame';
  /** The line without its LF and without a CR before it; a view of the chunk where the line lay whole in one. */
  readonly bytes: Uint8Array;
  readonly value: JsonObject;
  /** A carriage return stood before the line feed. */
  readonly carriageReturn: boolean;
  /** The bytes are ASCII without a backslash; absent where nobody looked. */
  readonly isPlain?: boolean;
  /** The value of an earlier frame of the stream that this one equals in all but `params.update.content.text`. */
  readonly model?: JsonObject | undefined;
}

/** A line that is anything else; `bytes` holds it exactly as it stood, without the LF that ended it. */
export interface MalformedLine {
  readonly kind: 'malformed';
  readonly fault: LineFault;
  readonly bytes: Uint8Array;
  readonly carriageReturn: boolean;
  /** Only on a piece of an over-long line: the next `Line` continues this one, with nothing between them. */
  readonly continues?: true;
  /** The parser's complaint, or what is special about the line; one short sentence for people. */
  readonly detail: string;
}

export type Line = Frame | MalformedLine;
