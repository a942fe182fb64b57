/**
 * The config options that a session was last told to have. State: a 64-bit hash of each session, and of each option and
 * value that it ever had.
 */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { createHashMap, digest } from './hash-map.ts';

export interface KnownOptions {
  /** Replaces what the session has. */
  keep(sessionId: string, options: readonly JsonObject[]): void;
  /** Nothing is known of the session from now on. */
  forget(sessionId: string): void;
  /** Whether a list of the session was seen. */
  has(sessionId: string): boolean;
  /** How many options the latest list holds. */
  count(sessionId: string): number;
  /** Whether the latest list holds the option. */
  includes(sessionId: string, option: Json | undefined): boolean;
  /** Whether the option has this value now. */
  isCurrent(sessionId: string, option: Json | undefined, value: Json | undefined): boolean;
  /** Whether the params of session/set_config_option name an option of the session and a value that it offers. */
  isFit(sessionId: string, params: JsonObject): boolean;
  /** Bytes that all of it takes. */
  readonly bytes: number;
}

/** Kept of an option beside the number of the list that it stands in. */
const selectOption = 0;
const booleanOption = 1;

export const createKnownOptions = (): KnownOptions => {
  /** How many lists each session has had; negative while nothing is known. */
  const lists = createHashMap();
  const counts = createHashMap();
  /** Which list an option or value stood in last, so that what it once was gives way to what it is. */
  const known = createHashMap();
  const kindOf = (sessionId: string, option: Json | undefined): number | undefined => {
    const stood = known.get(keyOf(sessionId, option));
    return stood !== 0 && Math.floor(stood / 2) === lists.get(sessionId) ? stood % 2 : undefined;
  };

  return {
    keep(sessionId, options) {
      const list = Math.abs(lists.get(sessionId)) + 1;
      lists.set(sessionId, list);
      counts.set(sessionId, new Set(options.map(({ id }) => id)).size);
      for (const option of options) {
        const { id, type, currentValue } = option;
        known.set(keyOf(sessionId, id), 2 * list + (type === 'boolean' ? booleanOption : selectOption));
        known.set(keyOf(sessionId, id, 'current'), digestOf(currentValue));
        for (const value of valuesOf(option)) known.set(keyOf(sessionId, id, 'value', value), list);
      }
    },
    forget(sessionId) {
      lists.set(sessionId, -Math.abs(lists.get(sessionId)));
    },
    has: sessionId => lists.get(sessionId) > 0,
    count: sessionId => counts.get(sessionId),
    includes: (sessionId, option) => kindOf(sessionId, option) !== undefined,
    isCurrent: (sessionId, option, value) =>
      kindOf(sessionId, option) !== undefined &&
      known.get(keyOf(sessionId, option, 'current')) === digestOf(value),
    isFit(sessionId, { configId, value, type }) {
      const kind = kindOf(sessionId, configId);
      if (kind === booleanOption) return typeof value === 'boolean' && type === 'boolean';
      const list = lists.get(sessionId);
      return kind === selectOption && known.get(keyOf(sessionId, configId, 'value', value)) === list;
    },
    get bytes() {
      return lists.bytes + counts.bytes + known.bytes;
    },
  };
};

const keyOf = (sessionId: string, ...rest: readonly (Json | undefined)[]): string =>
  JSON.stringify([sessionId, ...rest]);

const digestOf = (value: Json | undefined): number => digest(JSON.stringify(value) ?? '');

/** Values of a select option, those inside groups included. */
export const valuesOf = ({ options }: JsonObject): readonly string[] =>
  Array.isArray(options)
    ? options.flatMap((entry: Json) => {
        if (!isObject(entry)) return [];
        if (Array.isArray(entry.options)) return valuesOf(entry);
        return typeof entry.value === 'string' ? [entry.value] : [];
      })
    : [];
