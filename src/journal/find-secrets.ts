/**
 * Finds secrets in a text: as they are, and with JSON escapes of any kind, whole or begun at the end of the text. JSON
 * within JSON is searched at any depth, provided that the outer levels write a backslash as two, as all programs do.
 */
import type { Form, FormElement } from './secrets.ts';

/** A secret from `start` up to, not including, `end`. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly marker: string;
}

/** In order; hits that overlap are joined into one. */
export const findSecrets = (text: string, forms: readonly Form[]): readonly Hit[] => {
  let hits: Hit[] = none;
  const isEscaped = text.includes('\\');
  for (const form of forms) {
    for (
      let start = text.indexOf(form.literal);
      start !== -1;
      start = text.indexOf(form.literal, start + 1)
    ) {
      if (hits === none) hits = [];
      addHit(hits, start, start + form.literal.length, form.marker);
    }
    if (!isEscaped) continue;
    for (const start of candidates(text, 0, form)) {
      const { end } = follow(text, start, form);
      if (end === undefined) continue;
      if (hits === none) hits = [];
      addHit(hits, start, end, form.marker);
    }
  }
  return hits.length > 1 ? joinHits(hits) : hits;
};

const none: Hit[] = [];

/** Joins it with the one before it where they overlap: a text that repeats itself must not fill the memory. */
const addHit = (hits: Hit[], start: number, end: number, marker: string): void => {
  const last = hits.at(-1);
  if (last?.marker === marker && start >= last.start && start < last.end) {
    hits[hits.length - 1] = { ...last, end: Math.max(end, last.end) };
  } else hits.push({ start, end, marker });
};

/** At least half of a secret at the beginning or end of the text, as it is; the rest may stand in another text. */
export const findHalves = (text: string, forms: readonly Form[]): readonly Hit[] => {
  let hits: Hit[] = none;
  for (const { literal, halves, marker } of forms) {
    const tail = text.indexOf(halves[0], Math.max(0, text.length - literal.length + 1));
    const found = [];
    for (let start = tail; start !== -1; start = text.indexOf(halves[0], start + 1)) {
      if (literal.startsWith(text.slice(start))) found.push({ start, end: text.length, marker });
    }
    const head = text.slice(0, literal.length - 1);
    for (let start = head.indexOf(halves[1]); start !== -1; start = head.indexOf(halves[1], start + 1)) {
      const end = start + halves[1].length;
      if (literal.endsWith(text.slice(0, end))) found.push({ start: 0, end, marker });
    }
    if (found.length > 0) hits = [...hits, ...found];
  }
  return hits;
};

/** In order, without overlaps; where two secrets overlap, the first one names both. */
export const joinHits = (hits: readonly Hit[]): readonly Hit[] => {
  const joined: Hit[] = [];
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || hit.start >= last.end) joined.push(hit);
    else if (hit.end > last.end) joined[joined.length - 1] = { ...last, end: hit.end };
  }
  return joined;
};

export const replaceHits = (text: string, hits: readonly Hit[]): string => {
  let result = '';
  let done = 0;
  for (const { start, end, marker } of hits) {
    result += text.slice(done, start) + marker;
    done = end;
  }
  return result + text.slice(done);
};

/** Where a secret begins that the text ends within; the length of the text if nowhere. */
export const beginningOfTail = (text: string, forms: readonly Form[]): number => {
  let earliest = text.length;
  for (const form of forms) {
    const { literal } = form;
    for (
      let start = text.indexOf(literal[0]!, Math.max(0, text.length - literal.length + 1));
      start !== -1 && start < earliest;
      start = text.indexOf(literal[0]!, start + 1)
    ) {
      if (literal.startsWith(text.slice(start))) earliest = start;
    }
    const window = Math.max(0, text.length - longestEscaped(form));
    if (text.indexOf('\\', window) === -1) continue;
    for (const start of candidates(text, window, form)) {
      if (start >= earliest) break;
      if (follow(text, start, form).begun !== undefined) earliest = start;
    }
  }
  return earliest;
};

/** The secret of which the most stands at the beginning of a text that ends within it, and how much that is. */
export const begunSecret = (text: string, forms: readonly Form[]): { share: number; marker: string } =>
  forms
    .map(form => {
      const begun = follow(text, 0, form).begun ?? 0;
      return { share: begun / form.elements.length, marker: form.marker };
    })
    .reduce((most, other) => (other.share > most.share ? other : most));

/** A run of more backslashes than this belongs to no escape: eight levels of nesting make 255. */
const mostBackslashes = 255;

const longestEscaped = ({ elements }: Form): number => elements.length * 2 * (mostBackslashes + 5);

/** Where an escaped secret can begin: at its first character, and at a backslash, one per run. */
function* candidates(text: string, from: number, { elements }: Form): Generator<number, void, undefined> {
  const first = elements[0]!.literal;
  let literal = text.indexOf(first, from);
  let backslash = text.indexOf('\\', from);
  while (literal !== -1 || backslash !== -1) {
    if (backslash === -1 || (literal !== -1 && literal < backslash)) {
      yield literal;
      literal = text.indexOf(first, literal + 1);
    } else {
      let end = backslash + 1;
      while (text.charCodeAt(end) === backslashCode) end += 1;
      yield Math.max(backslash, end - mostBackslashes);
      backslash = text.indexOf('\\', end);
      if (literal !== -1 && literal < end) literal = text.indexOf(first, end);
    }
  }
}

interface Followed {
  /** End of the secret, if it is there whole. */
  readonly end?: number;
  /** Elements that were there before the text ended within the secret. */
  readonly begun?: number;
}

/** Follows one secret from `start` through all ways of writing it at once. */
const follow = (text: string, start: number, { elements }: Form): Followed => {
  let positions = [start];
  let begun: number | undefined;
  for (const [index, element] of elements.entries()) {
    const next: number[] = [];
    for (const position of positions) if (step(text, position, element, next)) begun = index;
    if (next.length === 0) return begun === undefined ? {} : { begun };
    positions = next;
  }
  return { end: Math.max(...positions) };
};

/** Adds to `next` where the element ends that begins at `position`; true when the text ends within it. */
const step = (text: string, position: number, element: FormElement, next: number[]): boolean => {
  const afterBackslashes = skipBackslashes(text, position);
  // A backslash is a character of the secret or the beginning of an escape; before other characters it is the latter.
  const plain = element.literal === '\\' ? position : afterBackslashes;
  let isCut = false;
  if (text.startsWith(element.literal, plain)) add(next, plain + element.literal.length);
  else isCut = isCutWithin(text, plain, element.literal);
  if (afterBackslashes > position || text.charCodeAt(position - 1) === backslashCode) {
    const end = escapeEnd(text, afterBackslashes, element.units);
    if (end === 'cut') isCut = true;
    else if (end !== undefined) add(next, end);
  }
  return isCut;
};

const add = (positions: number[], position: number): void => {
  if (!positions.includes(position)) positions.push(position);
};

const isCutWithin = (text: string, position: number, expected: string): boolean =>
  text.length - position < expected.length && expected.startsWith(text.slice(position));

/** Where the escapes of these units end, the first one's backslashes being behind. */
const escapeEnd = (text: string, start: number, units: readonly number[]): number | 'cut' | undefined => {
  let position = start;
  for (const [index, unit] of units.entries()) {
    if (index > 0) {
      const after = skipBackslashes(text, position);
      if (after === position) return after === text.length ? 'cut' : undefined;
      position = after;
    }
    if (position >= text.length) return 'cut';
    const letter = text[position]!;
    if (shortEscapes[letter] === unit) position += 1;
    else {
      const expected = `u${unit.toString(16).padStart(4, '0')}`;
      const found = text.slice(position, position + expected.length).toLowerCase();
      if (!expected.startsWith(found)) return undefined;
      if (found.length < expected.length) return 'cut';
      position += expected.length;
    }
  }
  return position;
};

/** Those of JSON; the others stand for themselves. */
const shortEscapes: Readonly<Record<string, number>> = { b: 0x08, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 };

const backslashCode = 0x5c;

const skipBackslashes = (text: string, start: number): number => {
  let position = start;
  while (position - start < mostBackslashes && text.charCodeAt(position) === backslashCode) position += 1;
  return position;
};
