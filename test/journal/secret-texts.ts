/** Secrets, and the ways in which JSON can write a text. */
import fc, { type GeneratorValue } from 'fast-check';

export const marker = '[redacted:API_TOKEN]';

/** Any secret that a redactor takes. */
export const secretValue = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 6, maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ minLength: 6, maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 12 }) },
    {
      weight: 1,
      arbitrary: fc.string({
        unit: fc.constantFrom('\\', '"', 'u', '0', '/', 'n', '\n'),
        minLength: 6,
        maxLength: 12,
      }),
    },
  )
  .map(value => value.trim())
  .filter(
    value =>
      value.length >= 6 &&
      value.trim() === value &&
      !value.startsWith('/') &&
      !/^[[\]redact:S0-9.eE+-]*$/.test(value),
  );

/** The text as the inside of a JSON string: each unit as it is or escaped, in one of the ways that JSON knows. */
export const escaped = (text: string, gen: GeneratorValue): string =>
  text
    .split('')
    .map(unit => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      const short = shortEscapes[unit];
      const ways = [`\\u${hex}`, `\\u${hex.toUpperCase()}`, ...(short ? [short] : [])];
      const isBare = unit >= ' ' && unit !== '"' && unit !== '\\' && !/[\ud800-\udfff]/.test(unit);
      return gen(fc.constantFrom<string[]>, ...(isBare ? [unit, unit, unit, ...ways] : ways));
    })
    .join('');

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
