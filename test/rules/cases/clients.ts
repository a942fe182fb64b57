/** What binds clients. */
import {
  agent,
  agentAsks,
  asks,
  cancel,
  cancelledOutcome,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  selected,
  stopped,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const clientCase = (
  requirement: string,
  rule: string,
  rest: Omit<RuleCase, 'requirement' | 'rule' | 'subject'>,
): RuleCase => ({
  requirement,
  rule,
  subject: 'client',
  ...rest,
});

const shape = (
  requirement: string,
  method: string,
  kept: object,
  broken: object,
  rest: Partial<RuleCase> = {},
): RuleCase =>
  clientCase(requirement, 'client-shapes', {
    about: method,
    kept: [client({ id: 1, method, params: kept as never })],
    broken: [client({ id: 1, method, params: broken as never })],
    ...rest,
  });

const answer = (
  requirement: string,
  method: string,
  kept: unknown,
  broken: unknown,
  rest: Partial<RuleCase> = {},
): RuleCase =>
  clientCase(requirement, 'client-shapes', {
    about: `the result of ${method}`,
    kept: agentAsks('a', method, { sessionId: 's-1', terminalId: 't' }, kept as never),
    broken: agentAsks('a', method, { sessionId: 's-1', terminalId: 't' }, broken as never),
    ...rest,
  });

const load = { sessionId: 's-1', cwd: '/w', mcpServers: [] };
const stdio = { name: 'e', command: '/bin/e', args: [], env: [] };
const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
const select = {
  type: 'select',
  id: 'model',
  name: 'Model',
  currentValue: 'a',
  options: [
    {
      group: 'g',
      name: 'G',
      options: [
        { value: 'a', name: 'A' },
        { value: 'b', name: 'B' },
      ],
    },
  ],
};
const flag = { type: 'boolean', id: 'fast', name: 'Fast', currentValue: false };
const set = (configId: string, value: unknown, type?: string): string =>
  client({
    id: 4,
    method: 'session/set_config_option',
    params: { sessionId: 's-1', configId, value: value as never, ...(type && { type }) },
  });
const withOptions = [...initialize(), ...newSession({ configOptions: [select, flag] })];
const gate = (
  requirement: string,
  method: string,
  capability: object,
  params: object = { sessionId: 's-1' },
): RuleCase =>
  clientCase(requirement, 'client-gates', {
    kept: [...initialize({ agent: capability as never }), client({ id: 3, method, params: params as never })],
    broken: [...initialize(), client({ id: 3, method, params: params as never })],
    exercised: 0,
  });

export const clientCases: readonly RuleCase[] = [
  clientCase('INIT-01', 'client-start', { kept: initialize(), broken: newSession(), exercised: 1 }),
  clientCase('INIT-03', 'client-start', {
    kept: initialize(),
    broken: [client({ id: 0, method: 'initialize', params: { protocolVersion: 1 } })],
    verdict: 'warn',
  }),
  clientCase('INIT-04', 'client-start', {
    kept: initialize(),
    broken: [
      client({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientInfo: { name: 'x' } } }),
    ],
    verdict: 'warn',
  }),
  clientCase('INIT-19', 'client-start', {
    kept: ready,
    broken: [...ready, client({ id: 9, method: 'initialize', params: { protocolVersion: 1 } })],
    verdict: 'warn',
  }),
  clientCase('RESUME-07', 'client-start', {
    countedBy: 'client-shapes',
    kept: [...ready, client({ id: 9, method: 'session/resume', params: load })],
    broken: [...ready, client({ id: 9, method: 'session/resume', params: { sessionId: 's-1', cwd: '/w' } })],
    verdict: 'warn',
    pointer: '/params/mcpServers',
  }),
  clientCase('SESS-01', 'client-start', {
    kept: ready,
    broken: [
      client({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }),
      client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
      agent({ id: 0, result: { protocolVersion: 1 } }),
    ],
  }),
  clientCase('PROMPT-01', 'client-start', {
    kept: [...ready, prompt()],
    broken: [...initialize(), prompt()],
  }),
  clientCase('CANCEL-01', 'client-start', {
    kept: [...ready, cancel()],
    broken: [...ready, client({ id: 8, method: 'session/cancel', params: { sessionId: 's-1' } })],
    verdict: 'info',
    pointer: '/id',
  }),

  shape('INIT-02', 'initialize', { protocolVersion: 1 }, { protocolVersion: '2025-01-01' }),
  shape('SESS-04', 'session/new', { cwd: '/w', mcpServers: [] }, { cwd: 'w', mcpServers: [] }),
  shape(
    'SESS-08',
    'session/new',
    { cwd: '/w', mcpServers: [] },
    { cwd: '/w', mcpServers: { e: {} } },
    { pointer: '/params/mcpServers' },
  ),
  shape('LOAD-04', 'session/load', load, { sessionId: 's-1', cwd: '/w' }),
  shape('RESUME-07', 'session/resume', load, { sessionId: 's-1', mcpServers: [] }, { verdict: 'warn' }),
  shape(
    'DIR-02',
    'session/new',
    { cwd: '/w', mcpServers: [], additionalDirectories: ['/x'] },
    { cwd: '/w', mcpServers: [], additionalDirectories: ['x'] },
  ),
  shape(
    'MCP-06',
    'session/new',
    { cwd: '/w', mcpServers: [stdio] },
    { cwd: '/w', mcpServers: [{ ...stdio, command: 'e' }] },
  ),
  shape('LIST-13', 'session/list', { cwd: '/w' }, { cwd: '~' }),
  shape(
    'CFG-07',
    'session/set_config_option',
    { sessionId: 's-1', configId: 'm', value: 'a' },
    { sessionId: 's-1', configId: 'm' },
  ),
  answer(
    'PERM-05',
    'session/request_permission',
    { outcome: { outcome: 'cancelled' } },
    { outcome: 'cancelled' },
  ),
  answer('FS-05', 'fs/read_text_file', { content: '' }, { text: '' }),
  answer('FS-09', 'fs/write_text_file', {}, null, { verdict: 'warn' }),
  answer('TERM-05', 'terminal/create', { terminalId: 't' }, {}),
  answer('TERM-06', 'terminal/output', { output: '', truncated: false }, { output: '' }),
  answer('TERM-07', 'terminal/wait_for_exit', { exitCode: 3 }, { exitCode: '3' }),
  answer('TERM-15', 'terminal/wait_for_exit', { exitCode: 0 }, { exitCode: -1 }),
  answer(
    'TERM-15',
    'terminal/output',
    { output: '', truncated: false, exitStatus: { exitCode: 1 } },
    {
      output: '',
      truncated: false,
      exitStatus: { exitCode: -1 },
    },
  ),
  answer('TERM-08', 'terminal/kill', {}, null, { verdict: 'warn' }),
  answer('TERM-09', 'terminal/release', {}, null, { verdict: 'warn' }),
  answer('ELIC-05', 'elicitation/create', { action: 'decline' }, {}),

  clientCase('PERM-04', 'permission', {
    kept: [...ready, prompt(), permission(), selected()],
    broken: [...ready, prompt(), permission(), client({ id: 'p1', error: { code: -32601, message: 'no' } })],
  }),
  clientCase('PERM-05', 'permission', {
    kept: [...ready, prompt(), permission(), selected('no')],
    broken: [...ready, prompt(), permission(), selected('o1')],
    exercised: 1,
  }),
  clientCase('PERM-07', 'permission', {
    kept: [...ready, prompt(), permission(), cancel(), cancelledOutcome],
    broken: [...ready, prompt(), permission(), cancel(), selected('yes')],
    exercised: 1,
  }),
  clientCase('CANCEL-11', 'permission', {
    kept: [...ready, prompt(), cancel(), stopped('cancelled'), prompt(8)],
    broken: [...ready, prompt(), cancel(), prompt(8)],
    verdict: 'warn',
  }),

  gate('LOAD-01', 'session/load', { loadSession: true }, load),
  gate('RESUME-01', 'session/resume', { sessionCapabilities: { resume: {} } }, load),
  gate('CLOSE-01', 'session/close', { sessionCapabilities: { close: {} } }),
  gate('LIST-01', 'session/list', { sessionCapabilities: { list: {} } }, {}),
  gate('DEL-01', 'session/delete', { sessionCapabilities: { delete: {} } }),
  gate('AUTH-05', 'logout', { auth: { logout: {} } }, {}),
  clientCase('AUTH-11', 'client-gates', {
    kept: [
      ...initialize({
        result: {
          authMethods: [
            { id: 'key', name: 'K' },
            { id: 't', name: 'T', type: 'terminal' },
          ],
        },
      }),
      ...asks(3, 'authenticate', { methodId: 'key' }, {}),
    ],
    broken: [
      ...initialize({ result: { authMethods: [{ id: 't', name: 'T', type: 'terminal' }] } }),
      ...asks(3, 'authenticate', { methodId: 't' }, {}),
    ],
  }),
  clientCase('DIR-01', 'client-gates', {
    kept: ready,
    broken: [
      ...initialize(),
      ...asks(
        1,
        'session/new',
        { cwd: '/w', mcpServers: [], additionalDirectories: [] },
        { sessionId: 's-1' },
      ),
    ],
    exercised: 1,
  }),
  clientCase('MCP-02', 'client-gates', {
    kept: [
      ...initialize(),
      ...asks(1, 'session/new', { cwd: '/w', mcpServers: [stdio] }, { sessionId: 's-1' }),
    ],
    broken: [
      ...initialize(),
      ...asks(
        1,
        'session/new',
        { cwd: '/w', mcpServers: [stdio, { type: 'sse', name: 'e', url: 'http://a', headers: [] }] },
        {
          sessionId: 's-1',
        },
      ),
    ],
    pointer: '/params/mcpServers/1/type',
  }),
  clientCase('PROMPT-02', 'client-gates', {
    kept: [...ready, prompt()],
    broken: [
      ...ready,
      client({
        id: 7,
        method: 'session/prompt',
        params: { sessionId: 's-1', prompt: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] },
      }),
    ],
  }),
  clientCase('INIT-11', 'client-gates', {
    about: 'only what was left out counts',
    kept: [
      ...initialize({ agent: { loadSession: false } }),
      client({ id: 3, method: 'session/load', params: load }),
      client({ id: 4, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
    ],
    broken: [...initialize(), client({ id: 3, method: 'session/list', params: {} })],
  }),
  clientCase('MODE-02', 'modes', {
    kept: [
      ...initialize(),
      ...newSession({ modes }),
      ...asks(4, 'session/set_mode', { sessionId: 's-1', modeId: 'ask' }, {}),
    ],
    broken: [
      ...initialize(),
      ...newSession({ modes }),
      ...asks(4, 'session/set_mode', { sessionId: 's-1', modeId: 'zork' }, {}),
    ],
    exercised: 1,
  }),
  clientCase('MODE-02', 'modes', {
    about: 'a session without modes',
    kept: [
      ...initialize(),
      ...newSession({ modes }),
      ...asks(4, 'session/set_mode', { sessionId: 's-1', modeId: 'ask' }, {}),
    ],
    broken: [...ready, ...asks(4, 'session/set_mode', { sessionId: 's-1', modeId: 'code' }, {})],
  }),
  clientCase('CFG-07', 'config-options', {
    about: 'a value of a group',
    kept: [...withOptions, set('model', 'b')],
    broken: [...withOptions, set('model', 'c')],
  }),
  clientCase('CFG-07', 'config-options', {
    about: 'a boolean option',
    kept: [...withOptions, set('fast', true, 'boolean')],
    broken: [...withOptions, set('fast', 'true')],
  }),
  clientCase('CFG-07', 'config-options', {
    about: 'an unknown option',
    kept: [...withOptions, set('model', 'a')],
    broken: [...withOptions, set('zork', 'a')],
    pointer: '/params/configId',
  }),
];
