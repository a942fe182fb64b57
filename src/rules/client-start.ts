/**
 * How a client starts: initialize first and once, sessions after its answer and with what they need, prompts after a
 * session. State: flags.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import { isObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  hasBegun: boolean;
  /** Journal sequence of the first initialize. */
  initialized: number | undefined;
  isAnswered: boolean;
  hasSession: boolean;
  hasPrompted: boolean;
}

export const clientStart = defineFrameRule<State>({
  name: 'client-start',
  party: 'client',
  on: ['line'],
  everyVersion: true,
  requirements: {
    'INIT-01': 'the first message of the client',
    'INIT-03': 'the first initialize request',
    'INIT-04': 'the first initialize request',
    'INIT-19': 'the first session/new of the client',
    'SESS-01': 'the first session method of the client',
    'RESUME-07': 'counted by the rule client-shapes',
    'PROMPT-01': 'the first session/prompt of the client',
    'CANCEL-01': 'a session/cancel of the client',
  },

  init: () => ({
    hasBegun: false,
    initialized: undefined,
    isAnswered: false,
    hasSession: false,
    hasPrompted: false,
  }),

  step(state, seen, judge) {
    const { message, method, from } = seen;
    if (message === undefined) return;
    if (from === 'agent') {
      if (method === 'initialize' && seen.answer === 'first') state.isAnswered = true;
      return;
    }
    if (seen.answer !== undefined || method === undefined) return;
    if (method === 'session/cancel') cancel(seen, judge);
    if (!state.hasBegun) {
      state.hasBegun = true;
      check(
        judge,
        'INIT-01',
        method === 'initialize' && message.type === 'request',
        seen,
        `${method} before initialize`,
      );
    }
    if (method === 'initialize') initialize(state, seen, judge);
    else if (method.startsWith('session/')) session(state, seen, method, judge);
  },
});

const check = (
  judge: Judge,
  requirement: RequirementId,
  holds: boolean,
  seen: SeenFrame,
  detail: string,
  pointer = '/method',
): void => {
  judge.exercised(requirement);
  if (!holds) judge.violated(requirement, showing(seen, { detail, pointer }));
};

const initialize = (state: State, seen: SeenFrame, judge: Judge): void => {
  if (state.initialized !== undefined) {
    judge.violated(
      'INIT-19',
      showing(seen, { detail: 'A second initialize on one connection', after: state.initialized }),
    );
    return;
  }
  state.initialized = seen.entry.seq;
  const { clientCapabilities, clientInfo } = seen.payload ?? {};
  const isNamed =
    isObject(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string';
  check(
    judge,
    'INIT-03',
    isObject(clientCapabilities),
    seen,
    'No clientCapabilities',
    '/params/clientCapabilities',
  );
  check(judge, 'INIT-04', isNamed, seen, 'No clientInfo with name and version', '/params/clientInfo');
};

const session = (state: State, seen: SeenFrame, method: string, judge: Judge): void => {
  if (!state.hasSession) {
    state.hasSession = true;
    check(judge, 'SESS-01', state.isAnswered, seen, `${method} before the answer to initialize`);
  }
  if (method === 'session/new' && state.initialized !== undefined) judge.exercised('INIT-19');
  // The schema lets it be absent.
  if (method === 'session/resume' && seen.payload && seen.payload.mcpServers === undefined) {
    const detail = 'No mcpServers';
    judge.violated('RESUME-07', showing(seen, { detail, pointer: '/params/mcpServers' }));
  }
  if (method !== 'session/prompt' || state.hasPrompted) return;
  state.hasPrompted = true;
  const isOpen = seen.standing === 'open';
  check(judge, 'PROMPT-01', state.isAnswered && isOpen, seen, 'A prompt before initialize and a session');
};

const cancel = (seen: SeenFrame, judge: Judge): void =>
  check(judge, 'CANCEL-01', seen.message?.type === 'notification', seen, 'session/cancel with an id', '/id');
