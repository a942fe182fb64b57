/**
 * Redacts whole batches of journal lines at the price of a few searches through their bytes. Only a line that holds half
 * a secret as it is, or an escape in which one may hide, is taken apart.
 */
import { frameMarker } from './entry-line.ts';
import type { Form } from './secrets.ts';

/**
 * @param forms the secrets, as text
 * @param redact redacts the raw text of one frame
 * @param further what else makes a line suspect, in ASCII
 * @returns redacts the frames of a batch of whole lines and returns the pieces to write
 */
export const suspectLines = (
  forms: readonly Form[],
  redact: (frame: string) => string,
  further: readonly string[] = [],
): ((batch: Buffer) => readonly Uint8Array[]) => {
  const needles = [...needlesOf(forms), ...further.map(text => Buffer.from(text))];

  return batch => {
    const pieces: Uint8Array[] = [];
    const next = needles.map(needle => batch.indexOf(needle));
    let done = 0;
    for (;;) {
      const at = next.reduce(
        (first, other) => (first === -1 || (other !== -1 && other < first) ? other : first),
        -1,
      );
      if (at === -1) break;
      const start = batch.lastIndexOf(lineFeed, at) + 1;
      const end = batch.indexOf(lineFeed, at);
      const line = redactLine(batch.subarray(start, end), redact);
      if (line) {
        pieces.push(batch.subarray(done, start), line);
        done = end;
      }
      for (const [index, needle] of needles.entries()) {
        const known = next[index]!;
        if (known !== -1 && known < end) next[index] = batch.indexOf(needle, end);
      }
    }
    pieces.push(batch.subarray(done));
    return pieces;
  };
};

const lineFeed = 0x0a;

/** The redacted line; undefined when nothing changes. */
const redactLine = (line: Buffer, redact: (frame: string) => string): Buffer | undefined => {
  const marker = line.indexOf(frameMarker);
  if (marker === -1) return undefined;
  const start = marker + frameMarker.length;
  const frame = line.toString('utf8', start);
  const redacted = redact(frame);
  return redacted === frame ? undefined : Buffer.concat([line.subarray(0, start), Buffer.from(redacted)]);
};

/** What a frame must hold so that half a secret can be in it. */
const needlesOf = (forms: readonly Form[]): readonly Buffer[] => {
  const needles = new Set(['\\u']);
  for (const { literal, halves } of forms) {
    // A character that JSON must escape always stands as an escape, which is looked for instead.
    for (const half of halves) if (!/["\\\x00-\x1f]/.test(half)) needles.add(quickPart(half));
    for (const [character, escaped] of Object.entries(shortEscapes)) {
      if (literal.includes(character)) needles.add(escaped);
    }
  }
  return [...needles].map(needle => Buffer.from(needle));
};

/**
 * The part of half a secret that is looked for. Up to seven bytes are searched by the first of them, at the speed of
 * memory where that is rare. Half of a surrogate pair, which the cut through the secret may leave, stands in no frame.
 */
const quickPart = (half: string): string => {
  const characters = [...half].filter(character => !/\p{Surrogate}/u.test(character));
  const starts = characters.slice(0, Math.max(1, characters.length - 3));
  const rarities = starts.map(rarity);
  const start = rarities.indexOf(Math.max(...rarities));
  return characters.slice(start, start + 7).join('');
};

/** The characters of frames, the most frequent first. */
const frequent = '"esta:ndocp,-im0{}ru1hfgl/25346xI_.8y79jbkUwv=()[];CTA';

const rarity = (character: string): number => {
  const rank = frequent.indexOf(character);
  return rank === -1 ? frequent.length : rank;
};

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
