/** Who is to blame for a wait that was not met: a requirement, the agent's set-up, a trigger, or nobody. */
import type { Evidence, RequirementId } from '../catalogue/index.ts';
import { isObject, type JsonObject } from '../wire/index.ts';
import { cut, cutValue, describe, describeMiss, nearestMiss } from './explain.ts';
import { alternativesOf } from './match.ts';
import { asValue, meantBy, type Received, type SentRequest } from './received.ts';
import { counterparty, Ending, type Run, type Thread } from './run-context.ts';
import type { Match } from './script.ts';

/** A wait that was not met. */
export interface Missed {
  /** `other`: something came that rules it out. */
  readonly cause: 'timeout' | 'ended' | 'other';
  /** What was waited for, filled in; or in words. */
  readonly match: Match | string;
  readonly within: string;
  /** What came instead. */
  readonly item?: Received | undefined;
  /** The request whose response was waited for. */
  readonly request?: SentRequest | undefined;
  readonly situation?: string | undefined;
}

/** The requirements of a step that was not met are violated; without any, the script cannot go on. */
export const blame = (
  run: Run,
  thread: Thread,
  missed: Missed,
  requirements: readonly RequirementId[] | undefined,
): Ending => {
  if (!requirements?.length) return refused(run, thread, missed);
  const evidence = evidenceOf(run, thread, missed);
  for (const requirement of requirements) run.decide(requirement, evidence);
  return new Ending({ verdict: 'done', reason: evidence.detail });
};

/** What a step of set-up that was not met makes of the script. */
export const refused = (run: Run, thread: Thread, missed: Missed): Ending => {
  const { detail } = evidenceOf(run, thread, missed);
  const timedOut = isInVain(missed) && { timedOut: true as const };
  if (run.state.trigger !== undefined && !missed.request && missed.cause !== 'other') {
    return new Ending({ verdict: 'not-exercised', reason: triggerMissed(run, detail), ...timedOut });
  }
  const blockedBy = requirementOf(run, missed);
  return new Ending({ verdict: 'blocked', reason: detail, ...(blockedBy && { blockedBy }), ...timedOut });
};

/**
 * Notes that the trigger that was sent last did not do what it should, where one was.
 * @returns the reason, which then names it
 */
export const triggerMissed = (run: Run, detail: string): string => {
  const { trigger } = run.state;
  if (trigger === undefined) return detail;
  run.host.note({ event: 'trigger', trigger, fired: false });
  return `the trigger "${trigger}" did not fire: ${detail}`;
};

/** Why nothing is decided, where it cannot be told whether a trigger did not fire or was over too soon. */
export const undecided = ({ state: { trigger } }: Run, detail: string): string =>
  trigger === undefined
    ? detail
    : `the trigger "${trigger}" did not fire, or what it did was over too soon: ${detail}`;

/** An agent that cannot start beside others waits for them no less than one that is slow. */
const isInVain = ({ cause, request }: Missed): boolean =>
  cause === 'timeout' || (cause === 'ended' && request?.method === 'initialize');

export const evidenceOf = (run: Run, thread: Thread, missed: Missed): Evidence => {
  const { cause, match, request, situation } = missed;
  const miss =
    typeof match === 'string'
      ? undefined
      : nearestMiss(match, missed.item ? [missed.item] : run.mailbox.recent(), run.context(thread));
  const item = missed.item ?? (request && miss?.item === request.response ? miss?.item : undefined);
  const after = request?.seq ?? run.state.lastSent;
  return {
    detail: cut(sentence(run, missed) + (miss ? `; ${describeMiss(miss)}` : '')),
    expected: typeof match === 'string' ? match : describe(match),
    ...(item?.seq !== undefined && { seq: item.seq }),
    ...(after !== undefined && { after }),
    ...(item?.kind === 'frame' && { message: item.message }),
    ...((item ?? miss?.item) && { actual: cutValue(asValue((item ?? miss?.item)!)) }),
    ...(cause === 'timeout' && { timedOut: true as const }),
    ...(cause === 'ended' && { ended: true as const }),
    ...(miss && cause === 'other' && { pointer: miss.differs.pointer }),
    ...(situation && { situation }),
  };
};

/** `the response to session/prompt` */
const wordsFor = (match: Match | string, request?: SentRequest): string => {
  if (typeof match === 'string') return match;
  const [pattern, ...others] = alternativesOf(match);
  if (request) return `the response to ${request.method ?? 'that request'}`;
  if (pattern === undefined || others.length > 0) return `one of ${describe(match)}`;
  if (pattern.event) return eventWords[pattern.event];
  if (pattern.responseTo) return `a response to ${pattern.responseTo}`;
  return pattern.method ?? `a frame like ${describe(match)}`;
};

const eventWords = { eof: 'the end of output', exit: 'the exit', malformed: 'a malformed line' } as const;

const sentence = (run: Run, { cause, match, within, item, request }: Missed): string => {
  const what = wordsFor(match, request);
  if (cause === 'timeout') return `${what} did not come within ${within}`;
  if (cause === 'ended') return `the ${counterparty(run)} ended before ${what} came`;
  if (item?.kind === 'frame' && request !== undefined && item.request === request) {
    return typeof match === 'string'
      ? `${what} was expected, got ${outcomeOf(item.frame)}`
      : `${what} is not as expected`;
  }
  return `${nameOf(item)} came instead of ${what}`;
};

/** The part of a response that says how it ended. */
const outcomeOf = ({ result, error }: JsonObject): string =>
  cut(JSON.stringify(error === undefined ? { result } : { error }), 1000);

const nameOf = (item: Received | undefined): string => {
  if (item?.kind === 'malformed' && item.line.continues) return 'a line without end';
  if (item?.kind !== 'frame') return item ? eventWords[item.kind] : 'something';
  if (item.request) return `the response to ${item.request.method ?? 'a request'}`;
  return typeof item.frame.method === 'string' ? item.frame.method : 'a response to nothing';
};

/** The requirement that a script leans on when it waits for a response. */
const requirementOf = (run: Run, { request, item }: Missed): RequirementId | undefined => {
  const asked = request ?? (item?.kind === 'frame' ? item.request : undefined);
  if (!asked) return undefined;
  if (run.instance.script.role === 'agent') return 'RPC-05';
  const method = asked.method ?? '';
  if (isAuthRequired(item) && method !== 'authenticate') {
    return run.traffic.isAuthenticated() ? 'AUTH-04' : 'AUTH-03';
  }
  return leanedOn[method] ?? 'RPC-05';
};

const leanedOn: Readonly<Record<string, RequirementId>> = {
  initialize: 'INIT-05',
  authenticate: 'AUTH-01',
  logout: 'AUTH-06',
  'session/new': 'SESS-02',
  'session/load': 'LOAD-09',
  'session/resume': 'RESUME-03',
  'session/list': 'LIST-02',
  'session/close': 'CLOSE-03',
  'session/delete': 'DEL-02',
  'session/prompt': 'PROMPT-08',
  'session/set_mode': 'MODE-03',
  'session/set_config_option': 'CFG-04',
};

/** ACP v1: error -32000 asks for authentication. */
const isAuthRequired = (item: Received | undefined): boolean => {
  const message = item?.kind === 'frame' ? meantBy(item.message) : undefined;
  return message?.type === 'error' && isObject(message.error) && message.error.code === -32000;
};
