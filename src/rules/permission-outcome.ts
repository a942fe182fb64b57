/**
 * What becomes of a tool call that the user allowed or rejected. A rejected one is neither completed nor is the file
 * written that it was about, unless the user is asked again or another call begins. State: a 64-bit hash of each call
 * that was reported in progress, of each that was asked about, of its file, and of each file that was asked about.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { callKey } from './call-key.ts';
import { showing } from './evidence.ts';
import { createHashMap, digest, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  /** Calls whose latest status is in_progress: 1. */
  readonly running: HashMap;
  /** What the user said of a call that has no final status yet. */
  readonly answers: HashMap;
  /** Digest of the first path of a call. */
  readonly places: HashMap;
  /** How many turns and calls each session has begun. */
  readonly begun: HashMap;
  /** What the user said of a path since then: sequence number of the answer that refused it, or `free`. */
  readonly files: HashMap;
}

const allowed = 1;
const rejected = 2;
const free = -1;

export const permissionOutcome = defineFrameRule<State>({
  name: 'permission-outcome',
  party: 'agent',
  on: [
    'update:tool_call',
    'update:tool_call_update',
    'session/request_permission',
    'session/prompt',
    'fs/write_text_file',
  ],
  requirements: {
    'TOOL-08': 'completed of a tool call that was allowed',
    'PERM-08': 'a permission request answered with a reject option',
  },

  init: () => ({
    running: createHashMap(),
    answers: createHashMap(),
    places: createHashMap(),
    begun: createHashMap(),
    files: createHashMap(),
  }),

  step(state, seen, judge) {
    const { method } = seen;
    const isRequest = seen.message?.type === 'request';
    if (method === 'session/update') reported(state, seen, judge);
    else if (method === 'session/prompt') {
      if (isRequest) begin(state, seen);
    } else if (method === 'fs/write_text_file') {
      if (isRequest) written(state, seen, judge);
    } else if (isRequest) asked(state, seen);
    else if (seen.answer === 'first') answered(state, seen, judge);
  },
});

const reported = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { toolCallId, status } = seen.update ?? {};
  const key = keyOf(seen, toolCallId);
  if (key === undefined) return;
  // A new call, though with a used id.
  if (seen.kind === 'tool_call') {
    state.answers.set(key, 0);
    state.places.set(key, 0);
    begin(state, seen);
  }
  place(state, key, seen.update);
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
  place(state, key, toolCall);
  note(state, key, toolCall?.status);
};

const answered = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { answers, places, files } = state;
  const { toolCall, options } = seen.request?.params ?? {};
  const key = keyOf(seen, isObject(toolCall) ? toolCall.toolCallId : undefined);
  const outcome = isObject(seen.payload?.outcome) ? seen.payload.outcome : undefined;
  if (key === undefined || outcome?.outcome !== 'selected') return;
  const file = fileKey(state, seen, places.get(key));
  const kind = kindOf(Array.isArray(options) ? options : [], outcome.optionId);
  if (kind === 'allow_once' || kind === 'allow_always') {
    answers.set(key, allowed);
    files.set(file, free);
  } else if (kind === 'reject_once' || kind === 'reject_always') {
    answers.set(key, rejected);
    // What another call may write, nobody can tell from what this one may not.
    if (files.get(file) !== free) files.set(file, seen.entry.seq);
    judge.exercised('PERM-08');
  }
};

const written = (state: State, seen: SeenFrame, judge: Judge): void => {
  const path = seen.payload?.path;
  if (typeof path !== 'string') return;
  const answer = state.files.get(fileKey(state, seen, digest(path)));
  if (answer <= 0) return;
  judge.violated(
    'PERM-08',
    showing(seen, {
      detail: 'The file of a tool call that was rejected is written',
      after: answer,
      pointer: '/params/path',
      actual: path,
      expected: 'no write of this file unless the user is asked again',
    }),
  );
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

const begin = ({ begun }: State, { sessionId = '' }: SeenFrame): void =>
  begun.set(sessionId, begun.get(sessionId) + 1);

const place = ({ places }: State, key: string, call: JsonObject | undefined): void => {
  const [first] = Array.isArray(call?.locations) ? call.locations : [];
  if (isObject(first) && typeof first.path === 'string') places.set(key, digest(first.path));
};

const fileKey = ({ begun }: State, { sessionId = '' }: SeenFrame, file: number): string =>
  `${begun.get(sessionId)} ${sessionId} ${file}`;

const keyOf = ({ sessionId }: SeenFrame, call: Json | undefined): string | undefined =>
  sessionId !== undefined && typeof call === 'string' ? callKey(sessionId, call) : undefined;

const kindOf = (options: readonly Json[], optionId: Json | undefined): Json | undefined => {
  const chosen = options.find(option => isObject(option) && option.optionId === optionId);
  return isObject(chosen) ? chosen.kind : undefined;
};
