/** Words for what a shape expects, as they stand in a report. */
import type { ScalarShape, Shape, TaggedShape } from './shape.ts';

/** Such as `a string`, `one of "text", "image"`, `an array, or null`. */
export const sentenceFor = (shape: Shape): string => {
  switch (shape.is) {
    case 'any':
      return 'any value';
    case 'scalar':
      return checkWords[shape.check ?? ''] ?? scalarWords(shape);
    case 'enum':
      return oneOf(shape.values.map(value => JSON.stringify(value)));
    case 'list':
      return 'an array';
    case 'map':
    case 'object':
    case 'tagged':
    case 'reference':
      return 'an object';
    case 'choice':
      return [...new Set(shape.options.map(sentenceFor))].join(', or ');
    case 'nullable':
      return `${sentenceFor(shape.shape)}, or null`;
  }
};

/** What the tag of a union may be, such as `"http", "sse" or absent`. */
export const tagWords = ({ variants, untagged, other }: TaggedShape): string => {
  const tags = Object.keys(variants).map(tag => JSON.stringify(tag));
  if (other) return 'a string';
  return untagged ? [...tags, 'absent'].join(' or ') : oneOf(tags);
};

/** One token of a JSON pointer (RFC 6901). */
export const escapeToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

const oneOf = (words: readonly string[]): string => `${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;

const checkWords: Readonly<Record<string, string>> = {
  'absolute-path': 'an absolute path',
  base64: 'base64 text (RFC 4648, section 4)',
  'iso-timestamp': 'an ISO 8601 timestamp, such as 2025-10-29T14:22:15Z',
  'line-from-1': 'a line number, counted from 1',
};

const scalarWords = ({ type, format, minimum, minLength }: ScalarShape): string => {
  if (type === 'string')
    return minLength ? 'a text that is not empty' : format === 'uri' ? 'a URI' : 'a string';
  if (type === 'integer') {
    const range = minimum === 0 ? ', 0 or more' : '';
    return `an integer${range}${format ? ` (${format})` : ''}`;
  }
  return type === 'null' ? 'null' : `a ${type}`;
};
