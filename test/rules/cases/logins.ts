/** Login, logout, what is not advertised, and the agreed version. Judged by release `latest`. */
import { agent, asks, client, initialize, newSession, ready, update } from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const methods = { authMethods: [{ id: 'browser', name: 'Browser' }] };
const withMethods = initialize({ result: methods });
const making = (id: number) => client({ id, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
const wanting = (id: number) => agent({ id, error: { code: -32000, message: 'Authentication required' } });
const refusal = (id: number, code = -32601) => agent({ id, error: { code, message: 'Not here' } });
const login = (id: number, methodId = 'browser') => asks(id, 'authenticate', { methodId }, {});
const logout = (id: number) => asks(id, 'logout', {}, {});
const loginWithOther = client({ id: 2, method: 'authenticate', params: { methodId: 'other' } });
const loggedOut = [...withMethods, making(1), wanting(1), ...login(2), ...logout(3)];

const unadvertised = [
  ['LOAD-06', 'session/load', { sessionId: 's-1', cwd: '/w', mcpServers: [] }, {}],
  ['RESUME-05', 'session/resume', { sessionId: 's-1', cwd: '/w', mcpServers: [] }, {}],
  ['CLOSE-05', 'session/close', { sessionId: 's-1' }, {}],
  ['LIST-12', 'session/list', {}, { sessions: [] }],
  ['DEL-05', 'session/delete', { sessionId: 's-1' }, {}],
  ['AUTH-09', 'logout', {}, {}],
] as const;

export const loginCases: readonly RuleCase[] = [
  {
    requirement: 'AUTH-02',
    rule: 'authentication',
    kept: [...withMethods, loginWithOther, refusal(2, -32602)],
    broken: [...withMethods, ...login(2, 'other')],
    verdict: 'warn',
  },
  {
    requirement: 'AUTH-02',
    rule: 'authentication',
    about: 'an internal error (A-16)',
    kept: [...withMethods, loginWithOther, refusal(2, -32601)],
    broken: [...withMethods, loginWithOther, refusal(2, -32603)],
    verdict: 'warn',
  },
  {
    requirement: 'AUTH-03',
    rule: 'authentication',
    kept: [...withMethods, making(1), wanting(1)],
    broken: [...initialize({ result: { authMethods: [] } }), making(1), wanting(1)],
    verdict: 'warn',
  },
  {
    requirement: 'AUTH-04',
    rule: 'authentication',
    kept: [...withMethods, ...login(2), ...newSession({}, 's-1', 3)],
    broken: [...withMethods, ...login(2), making(3), wanting(3)],
    pointer: '/error/code',
  },
  {
    requirement: 'AUTH-04',
    rule: 'authentication',
    about: 'a session asked for before the login was answered',
    kept: [
      ...withMethods,
      client({ id: 2, method: 'authenticate', params: { methodId: 'browser' } }),
      making(3),
      agent({ id: 2, result: {} }),
      wanting(3),
      ...newSession({}, 's-1', 4),
    ],
    exercised: 1,
  },
  {
    requirement: 'AUTH-07',
    rule: 'authentication',
    kept: [...loggedOut, making(4), wanting(4)],
    broken: [...loggedOut, ...newSession({}, 's-1', 4)],
    verdict: 'warn',
  },
  {
    requirement: 'AUTH-07',
    rule: 'authentication',
    about: 'an agent that never asked for a login',
    kept: [...withMethods, ...login(2), ...logout(3), ...newSession({}, 's-1', 4)],
    exercised: 0,
  },

  ...unadvertised.flatMap(([requirement, method, params, result]): RuleCase[] =>
    [requirement, 'CAP-01'].map(id => ({
      requirement: id,
      rule: 'unadvertised-methods',
      about: method,
      kept: [...ready, client({ id: 5, method, params }), refusal(5)],
      broken: [...ready, ...asks(5, method, params, result)],
      verdict: 'warn',
    })),
  ),
  {
    requirement: 'CAP-01',
    rule: 'unadvertised-methods',
    about: 'what is advertised',
    kept: [
      ...initialize({ agent: { sessionCapabilities: { list: {} } } }),
      ...asks(5, 'session/list', {}, { sessions: [] }),
    ],
    exercised: 0,
  },

  { requirement: 'INIT-10', rule: 'agreed-version', kept: ready, exercised: 2 },
  {
    requirement: 'INIT-10',
    rule: 'agreed-version',
    about: 'an update of version 2',
    kept: [...ready, update({ sessionUpdate: 'available_commands_update', availableCommands: [] })],
    broken: [...ready, update({ sessionUpdate: 'state_update', state: 'running' })],
    pointer: '/params/update/sessionUpdate',
  },
  {
    requirement: 'INIT-10',
    rule: 'agreed-version',
    subject: 'client',
    about: 'a method of version 2',
    kept: [...ready, client({ id: 4, method: 'authenticate', params: { methodId: 'a' } })],
    broken: [...ready, client({ id: 4, method: 'auth/login', params: { methodId: 'a' } })],
    pointer: '/method',
  },
];
