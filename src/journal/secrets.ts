/** Registered secrets in the forms that they are searched in; refuses those that cannot be redacted without harm. */
import { UserError } from '../base/index.ts';

export interface Secret {
  /** Such as `API_TOKEN`; stands in the replacement. */
  readonly name: string;
  readonly value: string;
}

/** One secret as it may stand in a text. */
export interface Form {
  /** `[redacted:NAME]`, in characters that JSON never escapes. */
  readonly marker: string;
  /** The secret as it is. */
  readonly literal: string;
  /** Its first and its last half, both rounded up. */
  readonly halves: readonly [first: string, last: string];
  readonly elements: readonly FormElement[];
}

/** One character of a secret: as it is, or as `\uXXXX` of its UTF-16 units. */
export interface FormElement {
  readonly literal: string;
  readonly units: readonly number[];
}

export interface Forms {
  /** For strings: an element is a UTF-16 unit, since a text can be cut between the two of a pair. */
  readonly text: readonly Form[];
  /** For bytes, read as Latin-1: an element is a code point in UTF-8. */
  readonly bytes: readonly Form[];
}

const shortestSecret = 6;

/** Words of JSON-RPC's envelope. The words of ACP come from the caller. */
const envelopeWords = ['jsonrpc', 'method', 'params', 'result', 'message'];

/**
 * @param reserved protocol keys, method names and enum values, which no secret may be a part of
 * @throws UserError (exit code 2) for a secret that is too short or a part of a reserved word
 */
export const compileSecrets = (secrets: readonly Secret[], reserved: Iterable<string>): Forms => {
  const words = [...envelopeWords, ...reserved, ...secrets.map(({ name }) => markerOf(name))];
  const distinct = new Map<string, Secret>();
  for (const { name, value } of secrets) {
    const searched = coreOf(value);
    refuse(name, searched, words);
    if (!distinct.has(searched)) distinct.set(searched, { name, value: searched });
  }
  const each = [...distinct.values()];
  return { text: each.map(textForm), bytes: each.map(bytesForm) };
};

/**
 * What is searched: without white space around it, which programs tend to strip, and without a leading slash, so that a
 * redacted absolute path stays absolute and rules judge the written frame like the live one.
 */
const coreOf = (value: string): string => value.trim().replace(/^\//, '');

/** Whether `compileSecrets` takes it. */
export const isRedactable = ({ name, value }: Secret, reserved: Iterable<string>): boolean => {
  try {
    refuse(name, coreOf(value), [...envelopeWords, ...reserved, markerOf(name)]);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
};

const refuse = (name: string, value: string, words: readonly string[]): void => {
  if (value.length < shortestSecret) {
    throw new UserError(
      `the value of secret "${name}" is too short to be redacted: it has fewer than ${shortestSecret} characters and would be found in ordinary text. Use a longer one, or pass it as a plain variable.`,
    );
  }
  if (/\p{Surrogate}/u.test(value)) {
    throw new UserError(
      `the value of secret "${name}" is no valid text: it holds half of a surrogate pair. Set it anew.`,
    );
  }
  const word = words.find(candidate => candidate.includes(value));
  if (word !== undefined) {
    throw new UserError(
      `the value of secret "${name}" is a part of "${word}", which stands in journals in its own right; redacting it would change frames. Use another value, or pass it as a plain variable.`,
    );
  }
};

const markerOf = (name: string): string => `[redacted:${name.replace(/[^\w.-]/g, '_')}]`;

const textForm = ({ name, value }: Secret): Form => ({
  marker: markerOf(name),
  literal: value,
  halves: halvesOf(value),
  elements: value.split('').map(unit => ({ literal: unit, units: [unit.charCodeAt(0)] })),
});

const bytesForm = ({ name, value }: Secret): Form => ({
  marker: markerOf(name),
  literal: asLatin1(value),
  halves: halvesOf(asLatin1(value)),
  elements: [...value].map(character => ({
    literal: asLatin1(character),
    units: character.split('').map(unit => unit.charCodeAt(0)),
  })),
});

const halvesOf = (text: string): readonly [string, string] => {
  const size = Math.ceil(text.length / 2);
  return [text.slice(0, size), text.slice(-size)];
};

/** Bytes as the text in which `Forms.bytes` are searched. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');
