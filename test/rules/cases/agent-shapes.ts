/** Requests and results of agents against their definitions. Judged by release `latest`. */
import {
  agent,
  asks,
  chunk,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  stopped,
  toolCall,
  update,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const mode = { id: 'ask', name: 'Ask' };
const modes = { currentModeId: 'ask', availableModes: [mode] };
const select = {
  type: 'select',
  id: 'model',
  name: 'Model',
  currentValue: 'a',
  options: [{ value: 'a', name: 'A' }],
};
const listing = (session: object) => asks(5, 'session/list', {}, { sessions: [session as never] });
const known = { sessionId: 's-1', cwd: '/w' };
const update1 = (kind: string, rest: object) => [...ready, update({ sessionUpdate: kind, ...rest } as never)];

export const agentShapeCases: readonly RuleCase[] = [
  {
    requirement: 'INIT-05',
    rule: 'agent-shapes',
    kept: initialize(),
    broken: initialize({ result: { protocolVersion: '1' } }),
    pointer: '/result/protocolVersion',
  },
  {
    requirement: 'INIT-22',
    rule: 'agent-shapes',
    kept: initialize({ agent: { sessionCapabilities: { list: {} } } }),
    broken: initialize({ agent: { sessionCapabilities: { list: true } } }),
  },
  {
    requirement: 'INIT-23',
    rule: 'agent-shapes',
    kept: initialize({ result: { authMethods: [{ id: 'a', name: 'A', type: 'agent' }] } }),
    broken: initialize({ result: { authMethods: [{ id: 'a' }] } }),
  },
  {
    requirement: 'INIT-23',
    rule: 'agent-shapes',
    about: 'a type that nobody knows (A-20)',
    kept: initialize({ result: { authMethods: [{ id: 'a', name: 'A' }] } }),
    broken: initialize({ result: { authMethods: [{ id: 'a', name: 'A', type: 'zork' }] } }),
    verdict: 'warn',
  },
  {
    requirement: 'SESS-02',
    rule: 'agent-shapes',
    kept: newSession(),
    broken: asks(1, 'session/new', { cwd: '/w', mcpServers: [] }, null),
  },
  {
    requirement: 'MODE-01',
    rule: 'agent-shapes',
    kept: newSession({ modes }),
    broken: newSession({ modes: { availableModes: [mode] } }),
  },
  {
    requirement: 'CFG-01',
    rule: 'agent-shapes',
    kept: newSession({ configOptions: [select] }),
    broken: newSession({ configOptions: [{ ...select, name: undefined } as never] }),
  },
  {
    requirement: 'CFG-04',
    rule: 'agent-shapes',
    kept: asks(
      4,
      'session/set_config_option',
      { sessionId: 's-1', configId: 'model', value: 'a' },
      { configOptions: [select] },
    ),
    broken: asks(4, 'session/set_config_option', { sessionId: 's-1', configId: 'model', value: 'a' }, {}),
  },
  {
    requirement: 'PROMPT-08',
    rule: 'agent-shapes',
    kept: [prompt(), stopped()],
    broken: [prompt(), agent({ id: 7, result: {} })],
  },
  {
    requirement: 'PROMPT-09',
    rule: 'agent-shapes',
    kept: [prompt(), stopped('refusal')],
    broken: [prompt(), stopped('done')],
  },
  {
    requirement: 'SESS-12',
    rule: 'agent-shapes',
    kept: newSession({ modes: { currentModeId: 'ask', availableModes: [] } }),
  },
  {
    requirement: 'LIST-02',
    rule: 'agent-shapes',
    kept: asks(5, 'session/list', {}, { sessions: [] }),
    broken: asks(5, 'session/list', {}, { sessions: null }),
  },
  {
    requirement: 'LIST-05',
    rule: 'agent-shapes',
    kept: listing(known),
    broken: listing({ sessionId: 's-1', cwd: 'w' }),
    pointer: '/result/sessions/0/cwd',
  },
  {
    requirement: 'LIST-11',
    rule: 'agent-shapes',
    kept: listing({ ...known, updatedAt: '2026-01-01T00:00:00Z' }),
    broken: listing({ ...known, updatedAt: 'yesterday' }),
  },
  {
    requirement: 'LIST-14',
    rule: 'agent-shapes',
    kept: asks(5, 'session/list', {}, { sessions: [], nextCursor: 'n' }),
    broken: asks(5, 'session/list', {}, { sessions: [], nextCursor: 2 }),
  },
  {
    requirement: 'DIR-08',
    rule: 'agent-shapes',
    kept: listing({ ...known, additionalDirectories: ['/x'] }),
    broken: listing({ ...known, additionalDirectories: ['x'] }),
    verdict: 'info',
  },
  {
    requirement: 'AUTH-01',
    rule: 'agent-shapes',
    kept: [
      ...initialize({ result: { authMethods: [{ id: 'key', name: 'Key' }] } }),
      ...asks(3, 'authenticate', { methodId: 'key' }, {}),
    ],
    broken: asks(3, 'authenticate', { methodId: 'key' }, null),
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'AUTH-06',
    rule: 'agent-shapes',
    kept: asks(3, 'logout', {}, {}),
    broken: asks(3, 'logout', {}, 'bye'),
  },
  ...(
    [
      ['CLOSE-03', 'session/close', { sessionId: 's-1' }, 'warn'],
      ['DEL-02', 'session/delete', { sessionId: 's-1' }, 'warn'],
      ['MODE-03', 'session/set_mode', { sessionId: 's-1', modeId: 'ask' }, 'warn'],
      ['RESUME-03', 'session/resume', { sessionId: 's-1', cwd: '/w', mcpServers: [] }, 'warn'],
      ['LOAD-09', 'session/load', { sessionId: 's-1', cwd: '/w', mcpServers: [] }, 'warn'],
    ] as const
  ).map(
    ([requirement, method, params, verdict]): RuleCase => ({
      requirement,
      rule: 'agent-shapes',
      about: 'null (A-01)',
      kept: asks(3, method, params, {}),
      broken: asks(3, method, params, null),
      verdict,
    }),
  ),
  {
    requirement: 'PERM-02',
    rule: 'agent-shapes',
    kept: [permission()],
    broken: [permission('t', { options: undefined as never })],
  },
  {
    requirement: 'PERM-03',
    rule: 'agent-shapes',
    kept: [permission()],
    broken: [permission('t', { options: [{ optionId: 'a', name: 'A', kind: 'allow' }] })],
    pointer: '/params/options/0/kind',
  },
  {
    requirement: 'TOOL-04',
    rule: 'agent-shapes',
    kept: [permission('t', {}, { kind: 'edit' })],
    broken: [permission('t', {}, { kind: 'write' })],
  },
  {
    requirement: 'TOOL-05',
    rule: 'agent-shapes',
    kept: [permission('t', {}, { status: 'pending' })],
    broken: [permission('t', {}, { status: 'waiting' })],
  },
  {
    requirement: 'TOOL-12',
    rule: 'agent-shapes',
    kept: [permission('t', {}, { locations: [{ path: '/w/a' }] })],
    broken: [permission('t', {}, { locations: [{ path: 'a' }] })],
  },
  ...(
    [
      ['FS-03', 'fs/read_text_file', { sessionId: 's-1', path: '/a' }, { sessionId: 's-1', path: 'a' }],
      [
        'FS-03',
        'fs/write_text_file',
        { sessionId: 's-1', path: '/a', content: '' },
        { sessionId: 's-1', path: 'a', content: '' },
      ],
      [
        'FS-04',
        'fs/read_text_file',
        { sessionId: 's-1', path: '/a', line: 1 },
        { sessionId: 's-1', path: '/a', line: 0 },
      ],
      ['FS-13', 'fs/read_text_file', { sessionId: 's-1', path: '/a' }, { path: '/a' }],
      [
        'TERM-03',
        'terminal/create',
        { sessionId: 's-1', command: 'ls', cwd: '/w' },
        { sessionId: 's-1', command: 'ls', cwd: 'w' },
      ],
      ['TERM-16', 'terminal/create', { sessionId: 's-1', command: 'ls' }, { command: 'ls' }],
      ['TERM-16', 'terminal/output', { sessionId: 's-1', terminalId: 't' }, { sessionId: 's-1' }],
      [
        'ELIC-03',
        'elicitation/create',
        { mode: 'url', message: 'm', sessionId: 's-1', elicitationId: 'e', url: 'https://a.example/' },
        { mode: 'url', sessionId: 's-1', elicitationId: 'e', url: 'https://a.example/' },
      ],
      [
        'ELIC-21',
        'elicitation/create',
        { mode: 'form', message: 'm', sessionId: 's-1', requestedSchema: { type: 'object', properties: {} } },
        { mode: 'form', message: 'm', sessionId: 's-1', requestedSchema: { type: 'array' } },
      ],
    ] as const
  ).map(
    ([requirement, method, kept, broken]): RuleCase => ({
      requirement,
      rule: 'agent-shapes',
      about: method,
      kept: [agent({ id: 'a', method, params: kept })],
      broken: [agent({ id: 'a', method, params: broken })],
    }),
  ),
  {
    requirement: 'PATH-01',
    rule: 'path-shapes',
    kept: [...ready, toolCall('t', { locations: [{ path: 'C:\\work\\a.txt' }] })],
    broken: [...ready, toolCall('t', { locations: [{ path: '~/a.txt' }] })],
  },
  {
    requirement: 'PATH-01',
    rule: 'path-shapes',
    subject: 'client',
    about: 'cwd',
    kept: newSession(),
    broken: [client({ id: 1, method: 'session/new', params: { cwd: '.', mcpServers: [] } })],
    pointer: '/params/cwd',
  },
  {
    requirement: 'PATH-02',
    rule: 'path-shapes',
    kept: [
      agent({ id: 'a', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/a', line: 1 } }),
    ],
    broken: [
      agent({ id: 'a', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/a', line: 0 } }),
    ],
  },
  {
    requirement: 'CONT-01',
    rule: 'content',
    kept: [...ready, chunk()],
    broken: update1('agent_message_chunk', { content: { type: 'html', html: 'x' } }),
    exercised: 1,
  },
  {
    requirement: 'CONT-01',
    rule: 'content',
    subject: 'client',
    about: 'a prompt',
    kept: [prompt()],
    broken: [
      client({ id: 7, method: 'session/prompt', params: { sessionId: 's-1', prompt: [{ type: 'text' }] } }),
    ],
    pointer: '/params/prompt/0/text',
  },
  {
    requirement: 'CONT-02',
    rule: 'content',
    kept: update1('agent_message_chunk', { content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } }),
    broken: update1('agent_message_chunk', { content: { type: 'image', data: '%%', mimeType: 'image/png' } }),
  },
  {
    requirement: 'CONT-03',
    rule: 'content',
    kept: update1('agent_message_chunk', {
      content: { type: 'resource', resource: { uri: 'file:///a', text: '' } },
    }),
    broken: update1('agent_message_chunk', { content: { type: 'resource', resource: { uri: 'file:///a' } } }),
  },
  {
    requirement: 'CONT-03',
    rule: 'content',
    about: 'text and blob',
    kept: update1('agent_message_chunk', {
      content: { type: 'resource', resource: { uri: 'file:///a', blob: 'aGk=' } },
    }),
    broken: update1('agent_message_chunk', {
      content: { type: 'resource', resource: { uri: 'file:///a', text: 'hi', blob: 'aGk=' } },
    }),
    verdict: 'warn',
  },
  {
    requirement: 'CONT-04',
    rule: 'content',
    kept: [
      ...ready,
      toolCall('t', {
        content: [{ type: 'content', content: { type: 'resource_link', uri: 'file:///a', name: 'a' } }],
      }),
    ],
    broken: [
      ...ready,
      toolCall('t', { content: [{ type: 'content', content: { type: 'resource_link', uri: 'file:///a' } }] }),
    ],
    pointer: '/params/update/content/0/content/name',
  },
];
