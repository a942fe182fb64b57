/**
 * The situations in which a violation gets another verdict than its requirement's default. Most only the rule that saw
 * the violation can tell, so it names them in the evidence; the others are computed, so that scripts need not name them.
 */
import { isObject, type JsonObject, type ValidMessage } from '../wire/index.ts';
import type { Evidence } from './judge.ts';
import { isSessionScoped } from './update-kinds.ts';

type Predicate = (evidence: Evidence) => boolean;

/** For situations that the evidence alone cannot show. */
const byName: Predicate = () => false;

const predicates = {
  /** The only fault of a line is a carriage return before the line feed, or that it is blank. */
  'cosmetic-line': byName,
  /** A later stable release knows the member or value. */
  'known-to-later-release': byName,
  /** Only an unstable schema knows the member or value, perhaps one that has dropped it since. */
  'known-to-unstable': byName,
  /** `type: "stdio"` in an MCP server entry. */
  'stdio-type': byName,
  /** The type of an authentication method is neither absent nor known. */
  'unknown-auth-type': byName,
  /** An embedded resource holds text and blob. */
  'text-and-blob': byName,
  /** A tool_call names a call that was announced before and has no final status yet. */
  'repeated-before-final': byName,
  /** A permission request, not a tool_call, introduced the tool call's id. */
  'introduced-by-permission': byName,
  /** Modes were returned without a config option of category mode. */
  'modes-without-mode-option': byName,
  /** The only fault of a command is that its name starts with a slash. */
  'slash-in-command-name': byName,
  /** A request got no answer (computed), or two (named). */
  'lost-or-duplicate-answer': isUnanswered,
  'no-answer': isUnanswered,
  'crashed-or-silent': isUnanswered,
  'valid-result': ({ message }) => message?.type === 'result',
  'null-result': isNullWhereObjectMayBeEmpty,
  'error-code-32603': ({ message }) => {
    const read = reading(message);
    return read?.type === 'error' && read.error.code === -32603;
  },
  'null-request-id': ({ message }) => {
    const read = reading(message);
    // An id of a wrong type reads as null, and is not.
    const isWrongType = message?.type === 'invalid' && message.fault === 'id-wrong-type';
    return read?.type === 'request' && read.id === null && !isWrongType;
  },
  /** An update that may come at any time: commands, mode, config, info, usage. */
  'session-scoped-update': ({ message }) => isSessionScoped(updateKind(message)),
} satisfies Record<string, Predicate>;

/** Name of a situation, as in the catalogue's cases and in `Evidence.situation`. */
export type Situation = keyof typeof predicates;

export const situationNames = Object.keys(predicates) as readonly Situation[];

/** Whether the evidence shows the situation: by the name that the rule gave it, or computed. */
export const holds = (situation: Situation, evidence: Evidence): boolean =>
  evidence.situation === situation || predicates[situation](evidence);

/** Whether the situation is decided without being named. */
export const isComputed = (situation: Situation): boolean => predicates[situation] !== byName;

function isUnanswered({ timedOut, ended }: Evidence): boolean {
  return timedOut === true || ended === true;
}

/**
 * A script that asks for one of the methods of A-01 knows that an empty object would do. A schema rule judges every
 * method, so it names the situation where that is so; its evidence is told by the pointer that it carries.
 */
function isNullWhereObjectMayBeEmpty({ message, pointer }: Evidence): boolean {
  const read = reading(message);
  return pointer === undefined && read?.type === 'result' && read.result === null;
}

const reading = (message: Evidence['message']): ValidMessage | undefined =>
  message?.type === 'invalid' ? message.meant : message;

const updateKind = (message: Evidence['message']): string | undefined => {
  const read = reading(message);
  if (read?.type !== 'notification' || read.method !== 'session/update' || !isObject(read.params)) return;
  const update = read.params.update;
  const kind = isObject(update) ? (update as JsonObject).sessionUpdate : undefined;
  return typeof kind === 'string' ? kind : undefined;
};
