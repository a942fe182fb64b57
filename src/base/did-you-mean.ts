import { closest, distance } from 'fastest-levenshtein';

/** `; did you mean "expect"?` when a known word is near enough to the given one, else the empty text. */
export const didYouMean = (given: string, known: Iterable<string>): string => {
  const words = [...known];
  if (words.length === 0) return '';
  const best = closest(given, words);
  return distance(given, best) <= Math.max(2, Math.floor(given.length / 3))
    ? `; did you mean "${best}"?`
    : '';
};

/** As `didYouMean`, or where nothing is near all that is known: `; known are expect, request`. */
export const suggestion = (given: string, known: Iterable<string>): string => {
  const words = [...new Set(known)];
  if (words.length === 0) return '';
  return didYouMean(given, words) || `; known are ${words.join(', ')}`;
};
