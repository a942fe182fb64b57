/** Which texts of an entry go on from one entry to the next, and as parts of which stream. */
import type { Json, JsonObject } from '../wire/index.ts';
import type { Entry } from './entry.ts';
import { isFrameEntry } from './entry-line.ts';
import { type LineRedactor, latin1 } from './redactor.ts';
import type { Form } from './secrets.ts';

/** One text of an entry. */
export interface StreamPiece {
  readonly stream: string;
  /** See `cutKey`. */
  readonly member: string;
  readonly text: string;
  /** What to search it for. */
  readonly forms: readonly Form[];
}

export interface TextStreams {
  /**
   * The pieces that may matter: those that go on with a stream in `open`, and those that may end within a secret. Texts
   * at the same member of frames that are alike in method, kind of update and all ids are one stream, and so are those
   * of the items of an array; stderr is one, and the malformed lines are one. Ids and protocol words are no text.
   */
  pieces(entry: Entry, open: ReadonlyMap<string, unknown>): readonly StreamPiece[];
}

/** Below this depth of a frame a split secret is not looked for. */
const deepest = 64;

export const createTextStreams = ({ forms, reserved }: LineRedactor): TextStreams => {
  const mayEnd = endingCharacters(forms.text);

  return {
    pieces(entry, open) {
      const { connection, channel } = entry;
      if (channel === 'stderr') {
        const stream = `${connection} ${entry.from} stderr`;
        return [{ stream, member: '', text: latin1(entry.bytes), forms: forms.bytes }];
      }
      if (channel !== 'acp') return none;
      if (isFrameEntry(entry)) return framePieces(entry.line.value, `${connection} ${entry.from}`, open);
      // A secret of several lines arrives as several malformed lines.
      const end = entry.line.kind === 'malformed' && entry.line.continues ? '' : '\n';
      const stream = `${connection} ${entry.from} malformed`;
      return [{ stream, member: '', text: latin1(entry.line.bytes) + end, forms: forms.bytes }];
    },
  };

  function framePieces(
    frame: Json,
    connection: string,
    open: ReadonlyMap<string, unknown>,
  ): readonly StreamPiece[] {
    let found: Found[] | undefined;
    let names: string[] | undefined;

    const visit = (value: Json | undefined, member: string, path: string, depth: number): void => {
      if (typeof value === 'string') {
        if (value === '' || isNoText(member)) return;
        if (namesStream(member)) {
          names ??= [];
          names.push(value);
        } else if (open.size > 0 || mayEnd[value.charCodeAt(value.length - 1)] === 1) {
          found ??= [];
          found.push({ member, path, text: value });
        }
      } else if (typeof value === 'object' && value !== null && depth < deepest) {
        if (Array.isArray(value)) for (const item of value) visit(item, member, `${path}[]`, depth + 1);
        else {
          const object = value as JsonObject;
          for (const name in object) visit(object[name], name, `${path}.${name}`, depth + 1);
        }
      }
    };
    visit(frame, '', connection, 0);
    return found === undefined ? none : inStreams(found, names ?? [], open);
  }

  function inStreams(
    found: readonly Found[],
    names: string[],
    open: ReadonlyMap<string, unknown>,
  ): readonly StreamPiece[] {
    const scope = names.sort().join(' ');
    const pieces: StreamPiece[] = [];
    for (const { member, path, text } of found) {
      // Chunks of a message may be any word.
      if (member !== 'text' && reserved.has(text)) continue;
      const stream = `${path} ${scope}`;
      if (open.has(stream) || mayEnd[text.charCodeAt(text.length - 1)] === 1) {
        pieces.push({ stream, member, text, forms: forms.text });
      }
    }
    return pieces;
  }
};

interface Found {
  readonly member: string;
  readonly path: string;
  readonly text: string;
}

const none: readonly StreamPiece[] = [];

const isNoText = (key: string): boolean => key === 'id' || key === 'jsonrpc';

const namesStream = (key: string): boolean =>
  key.endsWith('Id') || key === 'method' || key === 'sessionUpdate';

/** By UTF-16 unit: 1 where a text that ends in it may end within a secret. */
const endingCharacters = (forms: readonly Form[]): Uint8Array => {
  const table = new Uint8Array(0x10000);
  for (const { literal } of forms) {
    for (let index = 0; index < literal.length - 1; index += 1) table[literal.charCodeAt(index)] = 1;
  }
  for (const character of '\\u0123456789abcdefABCDEF') table[character.charCodeAt(0)] = 1;
  return table;
};
