/** Text as it is safe to show: what a terminal obeys or hides, line breaks too, stands there as an escape of JSON. */
export const visible = (text: string): string => text.replace(unsafe, escaped);

/** As `visible`, with its line breaks. JSON stays the same value. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Control characters, line and paragraph separators, and what turns the direction of writing. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  shortEscapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
