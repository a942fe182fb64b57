/**
 * What becomes of a tool call that the user allowed or rejected. State: a 64-bit hash of each call that was reported in
 * progress, and of each that was asked about.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { callKey } from './call-key.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  /** Calls whose latest status is in_progress: 1. */
  readonly running: HashMap;
  /** What the user said of a call that has no final status yet. */
  readonly answers: HashMap;
}

const allowed = 1;
const rejected = 2;

export const permissionOutcome = defineFrameRule<State>({
  name: 'permission-outcome',
  party: 'agent',
  on: ['update:tool_call', 'update:tool_call_update', 'session/request_permission'],
  requirements: {
    'TOOL-08': 'completed of a tool call that was allowed',
    'PERM-08': 'a permission request answered with a reject option',
  },

  init: () => ({ running: createHashMap(), answers: createHashMap() }),

  step(state, seen, judge) {
    if (seen.method === 'session/update') reported(state, seen, judge);
    else if (seen.message?.type === 'request') asked(state, seen);
    else if (seen.answer === 'first') answered(state, seen, judge);
  },
});

const reported = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { toolCallId, status } = seen.update ?? {};
  const key = keyOf(seen, toolCallId);
  if (key === undefined) return;
  // A new call, though with a used id.
  if (seen.kind === 'tool_call') state.answers.set(key, 0);
  const answer = state.answers.get(key);
  if (status === 'completed' && answer === allowed) judgeAllowed(state.running.get(key) === 1, seen, judge);
  if (status === 'completed' && answer === rejected) judgeRejected(seen, judge);
  if (status === 'completed' || status === 'failed') state.answers.set(key, 0);
  note(state, key, status);
};

/** The answer to an earlier question about the call stands no more. */
const asked = (state: State, seen: SeenFrame): void => {
  const toolCall = isObject(seen.payload?.toolCall) ? seen.payload.toolCall : undefined;
  const key = keyOf(seen, toolCall?.toolCallId);
  if (key === undefined) return;
  state.answers.set(key, 0);
  note(state, key, toolCall?.status);
};

const answered = ({ answers }: State, seen: SeenFrame, judge: Judge): void => {
  const { toolCall, options } = seen.request?.params ?? {};
  const key = keyOf(seen, isObject(toolCall) ? toolCall.toolCallId : undefined);
  const outcome = isObject(seen.payload?.outcome) ? seen.payload.outcome : undefined;
  if (key === undefined || outcome?.outcome !== 'selected') return;
  const kind = kindOf(Array.isArray(options) ? options : [], outcome.optionId);
  if (kind === 'allow_once' || kind === 'allow_always') {
    answers.set(key, allowed);
  } else if (kind === 'reject_once' || kind === 'reject_always') {
    answers.set(key, rejected);
    judge.exercised('PERM-08');
  }
};

const judgeAllowed = (wasRunning: boolean, seen: SeenFrame, judge: Judge): void => {
  judge.exercised('TOOL-08');
  if (wasRunning) return;
  judge.violated(
    'TOOL-08',
    showing(seen, {
      detail: 'A tool call that was allowed is completed without having been in progress',
      pointer,
      actual: 'completed',
      expected: 'in_progress first',
    }),
  );
};

const judgeRejected = (seen: SeenFrame, judge: Judge): void =>
  judge.violated(
    'PERM-08',
    showing(seen, {
      detail: 'A tool call that was rejected is completed',
      pointer,
      actual: 'completed',
      expected: 'failed, or no final status',
    }),
  );

const pointer = '/params/update/status';

const note = ({ running }: State, key: string, status: Json | undefined): void => {
  if (typeof status === 'string') running.set(key, status === 'in_progress' ? 1 : 0);
};

const keyOf = ({ sessionId }: SeenFrame, call: Json | undefined): string | undefined =>
  sessionId !== undefined && typeof call === 'string' ? callKey(sessionId, call) : undefined;

const kindOf = (options: readonly Json[], optionId: Json | undefined): Json | undefined => {
  const chosen = options.find(option => isObject(option) && option.optionId === optionId);
  return isObject(chosen) ? chosen.kind : undefined;
};
