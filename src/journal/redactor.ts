/**
 * Replaces registered secrets by `[redacted:NAME]` in what is written. In JSON every string is searched as it reads when
 * decoded, names of members included: a secret that is a part of a protocol word is refused, so no protocol key, method
 * or enum value can change. Numbers stay as they are.
 */
import {
  beginningOfTail,
  begunSecret,
  findHalves,
  findSecrets,
  type Hit,
  joinHits,
  replaceHits,
} from './find-secrets.ts';
import { redactStrings } from './redact-strings.ts';
import { compileSecrets, type Form, type Forms, latin1, type Secret } from './secrets.ts';
import { suspectLines } from './suspect-lines.ts';

export interface Redactor {
  /** A text with every secret in it replaced, also one of which only the beginning stands before a `…`. */
  text(text: string): string;
  /** A JSON value with every secret in its strings and names replaced; the same value when it holds none. */
  value<T>(value: T): T;
  /** What the journal needs to redact lines. */
  readonly lines: LineRedactor;
}

export interface LineRedactor {
  readonly forms: Forms;
  /**
   * Raw text of a frame. At least half of a secret at the beginning or end of a string counts as the secret too, as the
   * rest may stand in the frame before or after; not so in ids and protocol words, which frames have in common.
   */
  frame(text: string, cuts?: Cuts): string;
  /** Bytes outside JSON. */
  bytes(bytes: Uint8Array, cuts?: Cuts): Uint8Array;
  /** A batch of whole journal lines, as the pieces to write: frames are redacted, other lines must be already. */
  batch(batch: Buffer): readonly Uint8Array[];
}

/** Further places to replace in one entry: parts of a secret that was split over several. */
export interface Cuts {
  /** The text of the entry that goes on in others. */
  readonly text: string;
  readonly hits: readonly Hit[];
}

/**
 * @param options.structural also replaces every text below a member named `env`, `environment` or `headers`, but for
 *   the value of a `name`
 * @param secrets values of at least six characters; the first name of a value counts
 * @param reserved protocol keys, method names and enum values, which no secret may be a part of
 * @throws UserError (exit code 2) for a secret that is too short or a part of a reserved word
 */
export const createRedactor = (
  secrets: readonly Secret[],
  reserved: Iterable<string> = [],
  { structural = false }: { readonly structural?: boolean } = {},
): Redactor => {
  const words = new Set(reserved);
  const forms = compileSecrets(secrets, words);
  const whole = (given: string): string => replaceAll(given, forms.text, []);
  const text = (given: string): string => replaceBegun(whole(given), forms.text);

  const isHidden = structural ? isConfidential : () => false;

  const frame = (raw: string, cuts?: Cuts): string =>
    redactStrings(raw, (decoded, member, members) => {
      if (member !== undefined && isHidden(members)) return hiddenMarker;
      if (member === undefined || isIdentity(member)) return whole(decoded);
      const halves = words.has(decoded) ? [] : findHalves(decoded, forms.text);
      const isCut = cuts !== undefined && member === 'text' && decoded === cuts.text;
      return replaceAll(decoded, forms.text, isCut ? [...cuts.hits, ...halves] : halves);
    });

  return {
    text,
    value(value) {
      const given = JSON.stringify(value);
      if (given === undefined) return value;
      const redacted = redactStrings(given, (decoded, member, members) =>
        member !== undefined && isHidden(members) ? hiddenMarker : text(decoded),
      );
      return redacted === given ? value : JSON.parse(redacted);
    },
    lines: {
      forms,
      frame,
      bytes(bytes, cuts) {
        const given = latin1(bytes);
        const redacted = replaceAll(given, forms.bytes, cuts?.hits ?? []);
        return redacted === given ? bytes : Buffer.from(redacted, 'latin1');
      },
      batch: suspectLines(forms.text, raw => frame(raw), structural ? confidentialNeedles : []),
    },
  };
};

const hiddenMarker = '[redacted]';

/** Members below which people keep credentials, whatever they are called. */
const confidential = ['env', 'environment', 'headers'];

const isConfidential = (members: readonly string[]): boolean =>
  members.at(-1) !== 'name' && members.some(member => confidential.includes(member.toLowerCase()));

/** What a frame must hold so that such a member can be in it: the name in any case is one of few. */
const confidentialNeedles = confidential.flatMap(name => [
  `"${name}"`,
  `"${name.toUpperCase()}"`,
  `"${name[0]!.toUpperCase()}${name.slice(1)}"`,
]);

const isIdentity = (member: string): boolean =>
  member === 'id' || member === 'method' || member === 'sessionUpdate' || member.endsWith('Id');

/** What our reports put where they cut a text that was not redacted yet. */
const cutMark = '…';
/** Fewer characters of a secret than this tell nothing, and stand in ordinary texts. */
const leastBegun = 4;

/** Replaces what is left of a secret that a text was cut within. */
const replaceBegun = (text: string, forms: readonly Form[]): string => {
  if (!text.includes(cutMark)) return text;
  const pieces = text.split(cutMark);
  return pieces
    .map((piece, index) => {
      const start = index === pieces.length - 1 ? piece.length : beginningOfTail(piece, forms);
      if (piece.length - start < leastBegun) return piece;
      return piece.slice(0, start) + begunSecret(piece.slice(start), forms).marker;
    })
    .join(cutMark);
};

/** A replacement can itself complete a secret with what stands beside it; each round leaves less of the original. */
const mostRounds = 8;

const replaceAll = (text: string, forms: readonly Form[], further: readonly Hit[]): string => {
  const hits = findSecrets(text, forms);
  if (hits.length + further.length === 0) return text;
  let result = replaceHits(text, joinHits([...hits, ...further]));
  for (let round = 0; round < mostRounds; round += 1) {
    const more = findSecrets(result, forms);
    if (more.length === 0) return result;
    result = replaceHits(result, more);
  }
  return hits[0]?.marker ?? '';
};
