/** Matching: partial equality of values, and patterns over what was received. */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { asValue, type Received, type ReceivedFrame, type SentRequest } from './received.ts';
import type { EventPattern, Match } from './script.ts';
import { isSchemaLeaf } from './values.ts';

/** Says whether a value is valid by a JSON Schema. */
export type SchemaTest = (schema: Json, value: Json) => boolean;

/** The first member in which a value differs from a pattern. */
export interface Difference {
  /** JSON pointer below the compared value. */
  readonly pointer: string;
  readonly expected: Json;
  readonly actual: Json | undefined;
}

export interface MatchContext {
  readonly fits: SchemaTest;
  /** The exchange of that name. */
  exchange(name: string): SentRequest | undefined;
}

/** Whether `value` holds everything that `pattern` names. */
export const matches = (pattern: Json, value: Json | undefined, fits: SchemaTest): boolean => {
  if (value === undefined) return false;
  if (typeof pattern !== 'object' || pattern === null) return pattern === value;
  if (isList(pattern)) {
    return (
      isList(value) &&
      pattern.length === value.length &&
      pattern.every((item, index) => matches(item, value[index], fits))
    );
  }
  if (isSchemaLeaf(pattern)) return pattern.$match === true || fits(pattern.$match as Json, value);
  if (!isObject(value)) return false;
  for (const name in pattern as JsonObject) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!matches((pattern as JsonObject)[name] as Json, member, fits)) return false;
  }
  return true;
};

/** How many leaves of the pattern the value meets, and the first that it does not. */
export const compare = (
  pattern: Json,
  value: Json | undefined,
  fits: SchemaTest,
  pointer = '',
): { met: number; differs?: Difference } => {
  const isBranch = typeof pattern === 'object' && pattern !== null && !isSchemaLeaf(pattern);
  const sameKind = Array.isArray(pattern)
    ? Array.isArray(value) && value.length === pattern.length
    : isObject(value);
  if (!isBranch || !sameKind) {
    return matches(pattern, value, fits)
      ? { met: 1 }
      : { met: 0, differs: { pointer, expected: pattern, actual: value } };
  }
  let met = 1;
  let differs: Difference | undefined;
  for (const [name, member] of Object.entries(pattern as unknown as Readonly<Record<string, Json>>)) {
    const step = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const below = compare(member, (value as Readonly<Record<string, Json>>)[name], fits, step);
    met += below.met;
    differs ??= below.differs;
  }
  return { met, ...(differs && { differs }) };
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const alternativesOf = (match: Match): readonly EventPattern[] =>
  Array.isArray(match) ? match : [match as EventPattern];

/** Whether one alternative, `nth` aside, matches what was received. All names in it must be filled in. */
export const matchesEvent = (pattern: EventPattern, item: Received, context: MatchContext): boolean => {
  if (pattern.event !== undefined) {
    return (
      pattern.event === item.kind &&
      eventMembers.every(
        name => pattern[name] === undefined || matches(pattern[name], memberOf(item, name), context.fits),
      )
    );
  }
  return (
    item.kind === 'frame' &&
    answersAs(pattern, item, context) &&
    frameMembers.every(
      name => pattern[name] === undefined || matches(pattern[name], item.frame[name], context.fits),
    )
  );
};

/** A test that counts, so that `nth` can name one match of several. */
export const createMatcher = (match: Match, context: MatchContext): ((item: Received) => boolean) => {
  const alternatives = alternativesOf(match).map(pattern => ({ pattern, seen: 0 }));
  return item => {
    let isMatch = false;
    for (const alternative of alternatives) {
      if (!matchesEvent(alternative.pattern, item, context)) continue;
      alternative.seen += 1;
      isMatch ||= alternative.pattern.nth === undefined || alternative.pattern.nth === alternative.seen;
    }
    return isMatch;
  };
};

export const frameMembers = ['method', 'id', 'params', 'result', 'error'] as const;
const eventMembers = ['code', 'signal', 'fault'] as const;

const memberOf = (item: Received, name: (typeof eventMembers)[number]): Json | undefined =>
  (asValue(item) as JsonObject)[name];

/** Whether a frame is the response that `response` or `responseTo` asks for; true if neither does. */
export const answersAs = (
  { response, responseTo }: EventPattern,
  { request }: ReceivedFrame,
  context: MatchContext,
): boolean =>
  (response === undefined || (request !== undefined && request === context.exchange(response))) &&
  (responseTo === undefined || request?.method === responseTo);
