/**
 * Tool calls of each session: announced once, updated by id, moving forward, finished before a turn that ends normally.
 * A session/load starts a new page, since its replay announces the past again; what a session/resume left out cannot be
 * known and is not judged. State: a 64-bit hash of each call with its status; of a running turn, at most 256 ids of
 * calls without a final status.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { callKey } from './call-key.ts';
import { reportCounts, showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';
import { createUnfinishedCalls, type UnfinishedCalls } from './unfinished-calls.ts';

/** In the order of their ranks, from 1; the last two are final. */
const statuses: readonly string[] = ['pending', 'in_progress', 'completed', 'failed'];
const final = 3;
/** Set beside the rank of a call that no tool_call has announced, but a permission request or an update has named. */
const byPermission = 8;
const byUpdate = 16;

interface State {
  /** Status of each call, by page and id. */
  readonly calls: HashMap;
  /** Page of each session: how often it was loaded, plus 1. */
  readonly pages: HashMap;
  /** Sessions with an unknown past. */
  readonly resumed: HashMap;
  /** Sessions with a call. */
  readonly active: HashMap;
  readonly unfinished: UnfinishedCalls;
  updates: number;
  repeats: number;
}

export const toolLedger = defineFrameRule<State>({
  name: 'tool-ledger',
  party: 'agent',
  on: [
    'update:tool_call',
    'update:tool_call_update',
    'session/request_permission',
    'session/prompt',
    'session/load',
    'session/resume',
  ],
  requirements: {
    'TOOL-02': 'a tool_call after another one in the session',
    'TOOL-06': 'a tool_call_update',
    'TOOL-07': 'a second status of one tool call',
    'TOOL-09': 'a result end_turn of a turn with a tool_call',
    'TOOL-18': 'a permission request for a tool call',
  },

  init: () => ({
    calls: createHashMap(),
    pages: createHashMap(),
    resumed: createHashMap(),
    active: createHashMap(),
    unfinished: createUnfinishedCalls(),
    updates: 0,
    repeats: 0,
  }),

  step(state, seen, judge) {
    const { sessionId, method, message } = seen;
    if (sessionId === undefined) return;
    if (method === 'session/update') {
      if (seen.kind === 'tool_call') announced(state, sessionId, seen, judge);
      else updated(state, sessionId, seen, judge);
    } else if (method === 'session/request_permission') {
      if (message?.type === 'request') permission(state, sessionId, seen, judge);
    } else if (method === 'session/prompt') {
      if (message?.type === 'request' && seen.turns.length === 1) state.unfinished.begin(sessionId);
      else if (seen.answer === 'first' && seen.turns.length === 0) turnEnded(state, sessionId, seen, judge);
    } else if (method === 'session/resume') {
      state.resumed.set(sessionId, 1);
    } else if (message?.type === 'request') {
      state.pages.set(sessionId, state.pages.get(sessionId) + 1);
    } else if (message?.type === 'error' && seen.answer === 'first') {
      state.pages.set(sessionId, state.pages.get(sessionId) - 1);
    }
  },

  end({ updates, repeats }, judge) {
    reportCounts(judge, { 'TOOL-02': repeats, 'TOOL-06': updates });
  },
});

const keyOf = ({ pages }: State, sessionId: string, call: string): string => {
  const page = pages.get(sessionId);
  const key = callKey(sessionId, call);
  return page === 0 ? key : `${page}\n${key}`;
};

const announced = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const call = seen.update?.toolCallId;
  if (typeof call !== 'string') return;
  const key = keyOf(state, sessionId, call);
  const before = state.calls.get(key);
  if (state.active.get(sessionId) !== 0) state.repeats++;
  state.active.set(sessionId, 1);
  if (before !== 0 && before < byPermission) {
    const isFinal = before >= final;
    judge.violated(
      'TOOL-02',
      showing(seen, {
        detail: isFinal
          ? 'A second tool_call with the id of a finished one'
          : 'A second tool_call with one id',
        pointer: '/params/update/toolCallId',
        actual: call,
        expected: 'a new id, or tool_call_update for the same call',
        ...(!isFinal && { situation: 'repeated-before-final' }),
      }),
    );
  }
  const rank = rankOf(seen.update?.status ?? 'pending') || 1;
  state.calls.set(key, rank);
  if (seen.turns.length > 0) state.unfinished.note(sessionId, call, rank >= final, seen.entry.seq);
};

const updated = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const call = seen.update?.toolCallId;
  if (typeof call !== 'string') return;
  state.updates++;
  const key = keyOf(state, sessionId, call);
  const before = state.calls.get(key);
  if (isUnannounced(before) && state.resumed.get(sessionId) === 0) {
    judge.violated(
      'TOOL-06',
      showing(seen, {
        detail:
          before === 0
            ? 'An update of a tool call that was never announced'
            : 'No tool_call announced this id',
        pointer: '/params/update/toolCallId',
        actual: call,
        expected: 'the id of an earlier tool_call of the session',
        ...(before >= byPermission && before < byUpdate && { situation: 'introduced-by-permission' }),
      }),
    );
  }
  const moves = moved(before, seen.update, seen, '/params/update/status', judge);
  const after = before === 0 ? (moves || 1) + byUpdate : moves;
  if (after !== before) state.calls.set(key, after);
  if (after % byPermission >= final) state.unfinished.finish(sessionId, call);
};

const permission = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const toolCall = isObject(seen.payload?.toolCall) ? seen.payload.toolCall : undefined;
  const call = toolCall?.toolCallId;
  if (typeof call !== 'string') return;
  const key = keyOf(state, sessionId, call);
  const before = state.calls.get(key);
  judge.exercised('TOOL-18');
  if (isUnannounced(before) && state.resumed.get(sessionId) === 0) {
    judge.violated(
      'TOOL-18',
      showing(seen, {
        detail: 'A permission request for a tool call that was not announced',
        pointer: '/params/toolCall/toolCallId',
        actual: call,
        expected: 'the id of an earlier tool_call of the session',
      }),
    );
  }
  const after = moved(before, toolCall, seen, '/params/toolCall/status', judge);
  state.calls.set(key, before === 0 ? (after || 1) + byPermission : after);
};

/** No tool_call named it so far. */
const isUnannounced = (status: number): boolean => status === 0 || status >= byPermission;

/** The status after a report, which must not go back. */
const moved = (
  before: number,
  report: JsonObject | undefined,
  seen: SeenFrame,
  pointer: string,
  judge: Judge,
): number => {
  const status = report?.status;
  const after = rankOf(status);
  if (after === 0) return before;
  const rank = before % byPermission;
  const mark = before - rank;
  if (before === 0) return after;
  judge.exercised('TOOL-07');
  if (rank >= final ? after !== rank : after < rank) {
    judge.violated(
      'TOOL-07',
      showing(seen, {
        detail: `The status goes from ${nameOf(rank)} to ${status}`,
        pointer,
        actual: status as Json,
        expected: rank >= final ? 'no other status after a final one' : 'a later status',
      }),
    );
  }
  return after + mark;
};

/** 0 for what is no status. */
const rankOf = (status: Json | undefined): number => statuses.indexOf(String(status)) + 1;
const nameOf = (rank: number): string => statuses[rank - 1] ?? 'unknown';

const turnEnded = ({ unfinished }: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const turn = unfinished.end(sessionId);
  if (seen.payload?.stopReason !== 'end_turn' || !turn?.hasCalls) return;
  judge.exercised('TOOL-09');
  const first = turn.first;
  if (!first) return;
  judge.violated(
    'TOOL-09',
    showing(seen, {
      detail: `${turn.count} tool call(s) without a final status: ${turn.names.join(', ')}`,
      after: first,
      expected: 'every tool call of the turn completed or failed before end_turn',
    }),
  );
};
