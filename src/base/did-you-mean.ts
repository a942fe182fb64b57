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
