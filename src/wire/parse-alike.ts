/**
 * Parses the lines of a stream in which a message comes in chunks: such a line is the same as the one before, but for
 * its text. What is the same was parsed before, so only the text is looked at.
 */
import { isObject, type Json, type JsonObject } from './json.ts';

/** A chunk that others are alike to. */
interface Model {
  readonly value: Chunk;
  /** The line up to its text, and from the end of it. */
  readonly head: string;
  readonly tail: string;
}

interface Chunk extends JsonObject {
  readonly params: JsonObject & {
    readonly update: JsonObject & { readonly content: JsonObject & { readonly text: string } };
  };
}

export interface AlikeParser {
  /**
   * As `JSON.parse`.
   * @throws SyntaxError
   */
  parse(line: string): Json;
  /** The value that the last parsed one equals in all but `params.update.content.text`; undefined where none is known. */
  model(): JsonObject | undefined;
}

export const createAlikeParser = (): AlikeParser => {
  let model: Model | undefined;
  let isAlike = false;
  /** The model has served, so the next one will, too. */
  let hasServed = false;
  let lastLine = '';

  return {
    parse(line) {
      isAlike = false;
      if (model) {
        const text = textWithin(line, model);
        if (text !== undefined) {
          isAlike = true;
          hasServed = true;
          return withText(model.value, text);
        }
      }
      const value = JSON.parse(line) as Json;
      if (isChunk(value)) {
        model = modelOf(line, value, hasServed ? undefined : lastLine) ?? model;
        hasServed = false;
        lastLine = line;
      }
      return value;
    },
    model: () => (isAlike ? model?.value : undefined),
  };
};

/** The text of a line that is like the model; undefined where the line is not, or where an escape would need a parser. */
const textWithin = (line: string, { head, tail }: Model): string | undefined => {
  const end = line.length - tail.length;
  if (end < head.length || line.slice(0, head.length) !== head || line.slice(end) !== tail) return undefined;
  const text = line.slice(head.length, end);
  return isVerbatim.test(text) ? text : undefined;
};

/** What stands in a JSON string as it is. */
const isVerbatim = /^[^"\\\x00-\x1f]*$/;

const withText = (chunk: Chunk, text: string): JsonObject => {
  const { params } = chunk;
  const { update } = params;
  return { ...chunk, params: { ...params, update: { ...update, content: { ...update.content, text } } } };
};

const isChunk = (value: Json): value is Chunk => {
  if (!isObject(value) || !isObject(value.params) || !isObject(value.params.update)) return false;
  const { content } = value.params.update;
  return isObject(content) && typeof content.text === 'string';
};

/** A text that no program sends, to see where one would stand. */
const probe = 'a text in the place of the text';

/**
 * The model that a line makes, with the one before it where that has to show that more of its kind may come. Head and tail are those
 * of the text and of nothing else: with the probe between them the line is this value with the probe as its text.
 */
const modelOf = (line: string, value: Chunk, lineBefore: string | undefined): Model | undefined => {
  const { text } = value.params.update.content;
  const at = line.lastIndexOf(`"${text}"`) + 1;
  if (at === 0) return undefined;
  const head = line.slice(0, at);
  const tail = line.slice(at + text.length);
  const model = { value, head, tail };
  if (lineBefore !== undefined && textWithin(lineBefore, model) === undefined) return undefined;
  const probed = JSON.parse(`${head}${probe}${tail}`) as Json;
  return isChunk(probed) && probed.params.update.content.text === probe ? model : undefined;
};
