/**
 * How an agent answers the first initialize of a connection. A second one has no defined result and is not looked at.
 * State: a few flags.
 */
import type { Evidence, Judge } from '../catalogue/index.ts';
import type { Protocol } from '../protocol/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineRule } from './rule.ts';
import { isFrame, type SeenFrame, type SeenOther } from './seen.ts';

interface State {
  readonly protocol: Protocol;
  /** Journal sequence of the first initialize request. */
  asked: number | undefined;
  isRequestValid: boolean;
  answered: boolean;
  /** The client asked for something else first, so what the agent sends may answer that. */
  provoked: boolean;
  /** The first message of the agent that came too early; a journal without initialize shows only an excerpt. */
  early: Evidence | undefined;
  /** The bench ended the agent or its input. */
  ended: boolean;
}

export const initialize = defineRule<State>({
  name: 'initialize',
  party: 'agent',
  on: ['unagreed', 'initialize', 'other'],
  everyVersion: true,
  requirements: {
    'INIT-05': 'the first initialize request of a connection, answered or left when the agent ends by itself',
    'INIT-06': 'the first initialize request with version 1 that gets a result with an integer version',
    'INIT-13': 'the first initialize result of version 1',
    'INIT-14': 'the first initialize result of version 1',
    'INIT-15': 'the first initialize result of version 1',
    'INIT-23': 'the first initialize result of version 1 with two authentication methods',
    'INIT-24': 'the first initialize answer of a client that asked for nothing before',
    'MCP-03': 'the first initialize result of version 1',
  },

  init: ({ protocol }) => ({
    protocol,
    asked: undefined,
    isRequestValid: false,
    answered: false,
    provoked: false,
    early: undefined,
    ended: false,
  }),

  step(state, seen, judge) {
    if (state.answered) return;
    if (!isFrame(seen)) {
      ending(state, seen, judge);
      return;
    }
    const { message, method, from } = seen;
    if (from === 'client') {
      if (method === 'initialize' && message?.type === 'request' && state.asked === undefined) {
        state.asked = seen.entry.seq;
        state.isRequestValid = seen.faults.length === 0 && seen.payload?.protocolVersion === 1;
      } else if (state.asked === undefined) {
        state.provoked = true;
      }
    } else if (seen.answer === 'first' && seen.request?.seq === state.asked) {
      state.answered = true;
      answer(state, seen, judge);
    } else if (isEarly(seen) && !state.provoked) {
      state.early ??= showing(seen, {
        detail: `${method} before the answer to initialize`,
        expected: 'nothing but the answer, or extension notifications',
      });
    }
  },
});

const ending = (state: State, { entry }: SeenOther, judge: Judge): void => {
  if (entry.channel !== 'process') return;
  const { event } = entry.what;
  if (event === 'signal-sent' || event === 'input-closed') state.ended = true;
  if ((event !== 'eof' && event !== 'exit') || state.asked === undefined || state.ended) return;
  state.answered = true;
  judge.violated('INIT-05', {
    seq: entry.seq,
    after: state.asked,
    ended: true,
    detail: 'The agent ended instead of answering initialize',
    expected: 'an initialize result',
  });
};

const isEarly = ({ message, method = '' }: SeenFrame): boolean =>
  (message?.type === 'request' || message?.type === 'notification') && !/^[_$]/.test(method);

const answer = (state: State, seen: SeenFrame, judge: Judge): void => {
  if (!state.provoked) judge.exercised('INIT-24');
  if (state.early) judge.violated('INIT-24', state.early);
  const { message, request, payload } = seen;
  if (message?.type !== 'result' || !payload) {
    if (!state.isRequestValid) return;
    judge.violated(
      'INIT-05',
      showing(seen, {
        detail: 'No result for a valid initialize request with version 1',
        after: request!.seq,
        expected: 'a result with an integer protocolVersion',
      }),
    );
    return;
  }
  const version = payload.protocolVersion;
  if (request?.params?.protocolVersion === 1 && Number.isInteger(version)) {
    judge.exercised('INIT-06');
    if (version !== 1) {
      judge.violated(
        'INIT-06',
        showing(seen, {
          detail: 'Another version than the one that was asked for',
          after: request.seq,
          pointer: '/result/protocolVersion',
          expected: '1',
          actual: version as Json,
        }),
      );
    }
  }
  if (!seen.isOtherVersion) contents(state, seen, payload, judge);
};

const contents = ({ protocol }: State, seen: SeenFrame, result: JsonObject, judge: Judge): void => {
  const { agentCapabilities, agentInfo, authMethods } = result;
  const capabilities = isObject(agentCapabilities) ? agentCapabilities : undefined;
  const lacks = (requirement: string, isThere: boolean, pointer: string, expected: string): void => {
    judge.exercised(requirement);
    if (!isThere)
      judge.violated(
        requirement,
        showing(seen, { detail: `${pointer} is missing or incomplete`, pointer, expected }),
      );
  };
  lacks(
    'INIT-13',
    agentCapabilities !== undefined,
    '/result/agentCapabilities',
    'the capabilities of the agent',
  );
  lacks('INIT-14', isNamed(agentInfo), '/result/agentInfo', 'an object with name and version');
  const stated = ['loadSession', 'promptCapabilities', ...(protocol.methods.has('logout') ? ['auth'] : [])];
  lacks(
    'INIT-15',
    stated.every(name => capabilities?.[name] !== undefined),
    '/result/agentCapabilities',
    `the members ${stated.join(', ')}`,
  );
  const mcp = capabilities?.mcpCapabilities;
  lacks(
    'MCP-03',
    isObject(mcp) && mcp.http === true,
    '/result/agentCapabilities/mcpCapabilities/http',
    'true',
  );
  uniqueMethods(seen, authMethods, judge);
};

const isNamed = (info: Json | undefined): boolean =>
  isObject(info) && typeof info.name === 'string' && typeof info.version === 'string';

const uniqueMethods = (seen: SeenFrame, methods: Json | undefined, judge: Judge): void => {
  if (!Array.isArray(methods) || methods.length < 2) return;
  const ids = methods.map((method: Json) => (isObject(method) ? method.id : undefined));
  const at = ids.findIndex((id, index) => id !== undefined && ids.indexOf(id) < index);
  judge.exercised('INIT-23');
  if (at < 0) return;
  judge.violated(
    'INIT-23',
    showing(seen, {
      detail: 'Two authentication methods with one id',
      pointer: `/result/authMethods/${at}/id`,
    }),
  );
};
