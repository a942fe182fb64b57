/**
 * Login and logout as they show in what the agent answers. Only calls that were sent after the last login or logout had
 * been answered are judged by it. State: where the connection stands.
 */
import type { Judge } from '../catalogue/index.ts';
import { errorCode, isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  /** `untried`: nobody asked yet. `unclear`: a login or logout is under way, or failed. */
  standing: 'untried' | 'unclear' | 'in' | 'out';
  /** Journal sequence of the answer that made it so. */
  since: number;
  /** session/new was refused for want of a login. */
  needsLogin: boolean;
}

export const authentication = defineFrameRule<State>({
  name: 'authentication',
  party: 'agent',
  on: ['authenticate', 'logout', 'session/new'],
  requirements: {
    'AUTH-02': 'the answer to an authenticate request with a method id that was not advertised',
    'AUTH-03': 'session/new refused with -32000 before any login',
    'AUTH-04': 'the answer to session/new after a successful login',
    'AUTH-07':
      'the answer to session/new after a successful logout of an agent that asked for a login before',
  },

  init: () => ({ standing: 'untried', since: 0, needsLogin: false }),

  step(state, seen, judge) {
    const { method, message, answer } = seen;
    if (method !== 'session/new' && message?.type === 'request') state.standing = 'unclear';
    if (answer !== 'first' || seen.facts.initializeResult === undefined) return;
    if (method === 'session/new') {
      opened(state, seen, judge);
      return;
    }
    if (method === 'authenticate') named(seen, judge);
    if (message?.type !== 'result') return;
    state.standing = method === 'authenticate' ? 'in' : 'out';
    state.since = seen.entry.seq;
  },
});

const opened = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { message, request, facts } = seen;
  if (request!.seq < state.since) return;
  const asksForLogin = message?.type === 'error' && message.error.code === errorCode.authRequired;
  const after = request!.seq;
  if (state.standing === 'untried' && asksForLogin) {
    state.needsLogin = true;
    judge.exercised('AUTH-03');
    if (methodsOf(facts.initializeResult?.authMethods).length > 0) return;
    const detail = 'A login is asked for, and authMethods names no way to log in';
    judge.violated('AUTH-03', showing(seen, { detail, after, expected: 'authMethods with an entry' }));
  } else if (state.standing === 'in') {
    judge.exercised('AUTH-04');
    if (!asksForLogin) return;
    const detail = 'A login is asked for after a successful one';
    judge.violated('AUTH-04', showing(seen, { detail, after, pointer: '/error/code' }));
  } else if (state.standing === 'out' && state.needsLogin) {
    judge.exercised('AUTH-07');
    if (asksForLogin) return;
    const detail = 'No login is asked for after a logout, although it was before the login';
    judge.violated('AUTH-07', showing(seen, { detail, after, expected: 'an error with code -32000' }));
  }
};

/** Whether the method was offered. */
const named = (seen: SeenFrame, judge: Judge): void => {
  const { message, request, facts } = seen;
  const methodId = request?.params?.methodId;
  const offered = methodsOf(facts.initializeResult?.authMethods);
  if (typeof methodId !== 'string') return;
  if (offered.some(method => isObject(method) && method.id === methodId)) return;
  judge.exercised('AUTH-02');
  if (message?.type === 'error' && message.error.code !== errorCode.internalError) return;
  judge.violated(
    'AUTH-02',
    showing(seen, {
      detail: `The method ${JSON.stringify(methodId)} was not advertised`,
      after: request!.seq,
      expected: 'an error, best -32602',
    }),
  );
};

const methodsOf = (authMethods: Json | undefined): readonly Json[] =>
  Array.isArray(authMethods) ? authMethods : [];
