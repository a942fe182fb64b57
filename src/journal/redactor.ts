/**
 * Replaces registered secrets by `[redacted:NAME]` in what is written. In JSON every string is searched as it reads when
 * decoded, keys included: a secret that is a part of a protocol word is refused, so no protocol key, method or enum value
 * can change. Numbers stay as they are.
 */
import { findSecrets, type Hit, joinHits, replaceHits } from './find-secrets.ts';
import { redactStrings } from './redact-strings.ts';
import { compileSecrets, type Form, type Secret } from './secrets.ts';
import { suspectLines } from './suspect-lines.ts';

export interface Redactor {
  /** A text with every secret in it replaced. */
  text(text: string): string;
  /** A JSON value with every secret in its strings and keys replaced; the same value when it holds none. */
  value<T>(value: T): T;
  /** What the journal needs to redact lines. */
  readonly lines: LineRedactor;
}

/** Further places to replace within one entry, by `cutKey`: parts of a secret that was split over several texts. */
export type Cuts = ReadonlyMap<string, readonly Hit[]>;

/** @param member name of the member that holds the text, or holds the array that does; empty outside JSON */
export const cutKey = (member: string, text: string): string => `${member}:${text}`;

export interface LineRedactor {
  readonly forms: { readonly text: readonly Form[]; readonly bytes: readonly Form[] };
  /** Protocol words, which never begin or end a split secret. */
  readonly reserved: ReadonlySet<string>;
  /** Raw text of a frame. */
  frame(text: string, cuts?: Cuts): string;
  /** Bytes outside JSON; all cuts are theirs. */
  bytes(bytes: Uint8Array, cuts?: Cuts): Uint8Array;
  /** A batch of whole journal lines, as the pieces to write: frames are redacted, other lines must be already. */
  batch(batch: Buffer): readonly Uint8Array[];
}

/**
 * @param secrets values of at least six characters; the first name of a value counts
 * @param reserved protocol keys, method names and enum values, which no secret may be a part of
 * @throws UserError (exit code 2) for a secret that is too short or a part of a reserved word
 */
export const createRedactor = (secrets: readonly Secret[], reserved: Iterable<string> = []): Redactor => {
  const words = new Set(reserved);
  const forms = compileSecrets(secrets, words);
  const frame = (text: string, cuts?: Cuts): string =>
    redactStrings(text, (decoded, member) =>
      replaceAll(decoded, forms.text, member === undefined ? [] : cuts?.get(cutKey(member, decoded))),
    );

  return {
    text: text => replaceAll(text, forms.text),
    value(value) {
      const text = JSON.stringify(value);
      if (text === undefined) return value;
      const redacted = frame(text);
      return redacted === text ? value : JSON.parse(redacted);
    },
    lines: {
      forms,
      reserved: words,
      frame,
      bytes(bytes, cuts) {
        const text = latin1(bytes);
        const redacted = replaceAll(text, forms.bytes, cuts && [...cuts.values()].flat());
        return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
      },
      batch: suspectLines(
        forms.text.map(({ literal }) => literal),
        frame,
      ),
    },
  };
};

/** Bytes as the text in which `Forms.bytes` are searched. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** A replacement can itself complete a secret with what stands beside it; each round leaves less of the original. */
const mostRounds = 8;

const replaceAll = (text: string, forms: readonly Form[], cuts: readonly Hit[] = []): string => {
  const hits = findSecrets(text, forms);
  if (hits.length + cuts.length === 0) return text;
  let result = replaceHits(text, joinHits([...hits, ...cuts]));
  for (let round = 0; round < mostRounds; round += 1) {
    const more = findSecrets(result, forms);
    if (more.length === 0) return result;
    result = replaceHits(result, more);
  }
  return hits[0]?.marker ?? '';
};
