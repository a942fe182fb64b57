/** Which texts of an entry go on from one entry to the next, and as parts of which stream. */
import { isObject, type JsonObject } from '../wire/index.ts';
import type { Entry } from './entry.ts';
import { isFrameEntry } from './entry-line.ts';
import type { Form } from './secrets.ts';
import { type Forms, latin1 } from './secrets.ts';

/** One text of an entry. */
export interface StreamPiece {
  readonly stream: string;
  readonly text: string;
  /** What to search it for. */
  readonly forms: readonly Form[];
}

export interface TextStreams {
  /**
   * The text of an entry that goes on with a stream in `open`, or that may end within a secret; undefined otherwise.
   * Streams are the chunks of one kind in one session, stderr, and the malformed lines.
   */
  piece(entry: Entry, open: ReadonlyMap<string, unknown>): StreamPiece | undefined;
}

export const createTextStreams = (forms: Forms): TextStreams => {
  const mayEnd = endingCharacters(forms.text);

  return {
    piece(entry, open) {
      if (isFrameEntry(entry)) {
        const text = chunkText(entry.line.value);
        if (!text) return undefined;
        if (open.size === 0 && mayEnd[text.charCodeAt(text.length - 1)] !== 1) return undefined;
        const { sessionId, update } = entry.line.value.params as { sessionId?: unknown; update: JsonObject };
        const stream = `${entry.connection} ${entry.from} ${update.sessionUpdate} ${sessionId}`;
        return { stream, text, forms: forms.text };
      }
      if (entry.channel === 'stderr') {
        const stream = `${entry.connection} ${entry.from} stderr`;
        return { stream, text: latin1(entry.bytes), forms: forms.bytes };
      }
      if (entry.channel !== 'acp') return undefined;
      // A secret of several lines arrives as several malformed lines.
      const end = entry.line.kind === 'malformed' && entry.line.continues ? '' : '\n';
      const stream = `${entry.connection} ${entry.from} malformed`;
      return { stream, text: latin1(entry.line.bytes) + end, forms: forms.bytes };
    },
  };
};

/** Text of a session update that is a chunk of a message or thought. */
const chunkText = ({ params }: JsonObject): string | undefined => {
  if (!isObject(params) || !isObject(params.update)) return undefined;
  const { sessionUpdate, content } = params.update;
  if (typeof sessionUpdate !== 'string' || !sessionUpdate.endsWith('_chunk')) return undefined;
  return isObject(content) && typeof content.text === 'string' ? content.text : undefined;
};

/** By UTF-16 unit: 1 where a text that ends in it may end within a secret. */
const endingCharacters = (forms: readonly Form[]): Uint8Array => {
  const table = new Uint8Array(0x10000);
  for (const { literal } of forms) {
    for (let index = 0; index < literal.length - 1; index += 1) table[literal.charCodeAt(index)] = 1;
  }
  for (const character of '\\u0123456789abcdefABCDEF') table[character.charCodeAt(0)] = 1;
  return table;
};
