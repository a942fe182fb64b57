/** Tool calls, permission, terminals, and the capabilities that agents may use. */
import {
  agent,
  agentAsks,
  cancel,
  chunk,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  selected,
  stopped,
  toolCall,
  toolUpdate,
  turn,
  update,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const held = [...ready, prompt(), toolCall('t-1'), permission()];
const inFile = { locations: [{ path: '/w/notes.md' }] };
const heldEdit = [...ready, prompt(), toolCall('t-1', inFile), permission()];
const overwrites = agentAsks(
  'w',
  'fs/write_text_file',
  { sessionId: 's-1', path: '/w/notes.md', content: 'x' },
  {},
);
const done = { status: 'completed' };
const running = toolUpdate('t-1', { status: 'in_progress' });
const completed = toolUpdate('t-1', done);
const load = [
  client({ id: 3, method: 'session/load', params: { sessionId: 's-1', cwd: '/w', mcpServers: [] } }),
  toolCall('t-1', done),
  agent({ id: 3, result: {} }),
];
const resume = [
  ...initialize(),
  client({ id: 3, method: 'session/resume', params: { sessionId: 's-1', cwd: '/w', mcpServers: [] } }),
  agent({ id: 3, result: {} }),
];
const terminal = (id = 'a', terminalId = 'term') =>
  agentAsks(id, 'terminal/create', { sessionId: 's-1', command: 'ls' }, { terminalId });
const use = (method: string, id = 'b') =>
  agentAsks(id, `terminal/${method}`, { sessionId: 's-1', terminalId: 'term' }, {});
const shown = toolCall('t', { content: [{ type: 'terminal', terminalId: 'term' }] });
const elicit = (mode: string) =>
  agent({ id: 'e', method: 'elicitation/create', params: { mode, message: 'm', sessionId: 's-1' } });
const planned = (...contents: readonly string[]) =>
  update({
    sessionUpdate: 'plan',
    entries: contents.map(content => ({ content, priority: 'high', status: 'pending' })),
  });
const advertised = (capabilities: object, ...steps: readonly string[]) => [
  ...initialize({ client: capabilities as never }),
  ...newSession(),
  ...steps,
];
const read = agent({ id: 'r', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/w/a' } });
const write = agent({
  id: 'w',
  method: 'fs/write_text_file',
  params: { sessionId: 's-1', path: '/w/a', content: '' },
});
const select = {
  type: 'select',
  id: 'm',
  name: 'M',
  currentValue: 'a',
  options: [{ value: 'a', name: 'A' }],
};
const flag = { type: 'boolean', id: 'f', name: 'F', currentValue: true };

const listing = client({ id: 5, method: 'session/list', params: {} });
const notFound = (id: number | string) => ({ id, error: { code: -32601, message: 'Method not found' } });
const lists = initialize({ agent: { sessionCapabilities: { list: {} } } });

export const toolCases: readonly RuleCase[] = [
  {
    requirement: 'CAP-02',
    rule: 'served-methods',
    kept: [...lists, listing, agent({ id: 5, error: { code: -32602, message: 'Bad cursor' } })],
    broken: [...lists, listing, agent(notFound(5))],
    exercised: 1,
  },
  {
    requirement: 'CAP-02',
    rule: 'served-methods',
    about: 'a method that is not advertised',
    kept: [...initialize(), listing, agent(notFound(5))],
    exercised: 0,
  },
  {
    requirement: 'CAP-03',
    rule: 'served-methods',
    subject: 'client',
    kept: [...advertised({ fs: { readTextFile: true } }, read), client({ id: 'r', result: { content: '' } })],
    broken: [...advertised({ fs: { readTextFile: true } }, read), client(notFound('r'))],
  },
  {
    requirement: 'INIT-16',
    rule: 'served-methods',
    kept: turn(),
    broken: [...ready, prompt(), agent(notFound(7))],
    exercised: 2,
  },
  {
    requirement: 'TOOL-02',
    rule: 'tool-ledger',
    about: 'after a final status (A-08)',
    kept: [...ready, toolCall('t-1', done), toolCall('t-2')],
    broken: [...ready, toolCall('t-1', done), toolCall('t-1')],
    exercised: 1,
  },
  {
    requirement: 'TOOL-02',
    rule: 'tool-ledger',
    about: 'before a final status (A-08)',
    kept: [...ready, toolCall('t-1'), toolCall('t-1', {}, 's-2'), toolCall('t-2')],
    broken: [...ready, toolCall('t-1'), toolCall('t-1', { status: 'in_progress' })],
    verdict: 'warn',
  },
  {
    requirement: 'TOOL-02',
    rule: 'tool-ledger',
    about: 'a load shows the past again',
    kept: [...ready, toolCall('t-1', done), toolCall('t-2'), ...load],
  },
  {
    requirement: 'TOOL-06',
    rule: 'tool-ledger',
    kept: [...ready, toolCall('t-1'), toolUpdate('t-1', done)],
    broken: [...ready, toolUpdate('t-todo', done)],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'TOOL-06',
    rule: 'tool-ledger',
    about: 'introduced by a permission request',
    kept: [...ready, toolCall('t-1'), permission(), toolUpdate('t-1')],
    broken: [...ready, permission(), selected(), toolUpdate('t-1', done)],
    verdict: 'warn',
  },
  {
    requirement: 'TOOL-06',
    rule: 'tool-ledger',
    about: 'the past of a resumed session is not known',
    kept: [...resume, toolUpdate('t-old', done)],
  },
  {
    requirement: 'TOOL-06',
    rule: 'tool-ledger',
    about: 'a load that failed changes nothing',
    kept: [
      ...ready,
      toolCall('t-1'),
      load[0]!,
      agent({ id: 3, error: { code: 1, message: 'no' } }),
      toolUpdate('t-1', done),
    ],
  },
  {
    requirement: 'TOOL-07',
    rule: 'tool-ledger',
    kept: [...ready, toolCall('t-1'), toolUpdate('t-1', done), toolUpdate('t-1', done)],
    broken: [
      ...ready,
      toolCall('t-1'),
      toolUpdate('t-1', done),
      toolUpdate('t-1', { status: 'in_progress' }),
    ],
    verdict: 'warn',
    exercised: 2,
  },
  {
    requirement: 'TOOL-07',
    rule: 'tool-ledger',
    about: 'the status in a permission request',
    kept: [...ready, toolCall('t-1'), permission('t-1', {}, { status: 'pending' })],
    broken: [
      ...ready,
      toolCall('t-1', { status: 'in_progress' }),
      permission('t-1', {}, { status: 'pending' }),
    ],
    verdict: 'warn',
    pointer: '/params/toolCall/status',
  },
  {
    requirement: 'TOOL-09',
    rule: 'tool-ledger',
    kept: turn(toolCall('t-1'), toolUpdate('t-1', { status: 'failed' }), toolCall('t-2', done)),
    broken: turn(toolCall('t-1', { status: 'in_progress' }), chunk('found it')),
    exercised: 1,
  },
  {
    requirement: 'TOOL-09',
    rule: 'tool-ledger',
    about: 'a cancelled turn may leave calls',
    kept: [...turn(toolCall('t-1', done)), prompt(8), toolCall('t-2'), cancel(), stopped('cancelled', 8)],
    exercised: 1,
  },
  {
    requirement: 'TOOL-18',
    rule: 'tool-ledger',
    kept: held,
    broken: [...ready, prompt(), toolCall('call_77'), permission('generic-perm')],
    verdict: 'warn',
  },
  { requirement: 'PERM-01', rule: 'permission', kept: held },
  {
    requirement: 'PERM-03',
    rule: 'permission',
    kept: held,
    broken: [
      permission('t', {
        options: [
          { optionId: 'a', name: 'A', kind: 'allow_once' },
          { optionId: 'a', name: 'B', kind: 'reject_once' },
        ],
      }),
    ],
    pointer: '/params/options/1/optionId',
  },
  {
    requirement: 'PERM-11',
    rule: 'permission',
    kept: held,
    broken: [permission('t', { options: [] })],
    verdict: 'warn',
  },
  {
    requirement: 'TOOL-08',
    rule: 'permission-outcome',
    kept: [...held, selected('yes'), running, completed],
    broken: [...held, selected('yes'), completed],
    verdict: 'warn',
    pointer: '/params/update/status',
    exercised: 1,
  },
  {
    requirement: 'TOOL-08',
    rule: 'permission-outcome',
    about: 'a call that was in progress when the user was asked',
    kept: [...ready, toolCall('t-1', { status: 'in_progress' }), permission(), selected('yes'), completed],
    broken: [
      ...ready,
      toolCall('t-1', { status: 'in_progress' }),
      permission('t-1', {}, { status: 'pending' }),
      selected('yes'),
      completed,
    ],
    verdict: 'warn',
  },
  {
    requirement: 'PERM-08',
    rule: 'permission-outcome',
    kept: [...held, selected('no'), running, toolUpdate('t-1', { status: 'failed' })],
    broken: [...held, selected('no'), completed],
    pointer: '/params/update/status',
    exercised: 1,
  },
  {
    requirement: 'PERM-08',
    rule: 'permission-outcome',
    about: 'the user allows the second attempt',
    kept: [
      ...held,
      selected('no'),
      permission('t-1', {}, {}, 'p2'),
      selected('yes', 'p2'),
      running,
      completed,
    ],
    broken: [...held, selected('yes'), permission('t-1', {}, {}, 'p2'), selected('no', 'p2'), completed],
  },
  {
    requirement: 'PERM-08',
    rule: 'permission-outcome',
    about: 'another call with the id of a rejected one',
    kept: [...held, selected('no'), toolCall('t-1'), completed],
  },
  {
    requirement: 'PERM-08',
    rule: 'permission-outcome',
    about: 'the file is written all the same',
    kept: [...heldEdit, selected('no'), toolCall('t-2', inFile), ...overwrites],
    broken: [...heldEdit, selected('no'), ...overwrites],
    pointer: '/params/path',
  },
  {
    requirement: 'PERM-08',
    rule: 'permission-outcome',
    about: 'one of two calls for one file is allowed',
    kept: [
      ...heldEdit,
      toolCall('t-2', inFile),
      permission('t-2', {}, {}, 'p2'),
      selected('yes', 'p2'),
      selected('no'),
      ...overwrites,
    ],
  },

  {
    requirement: 'TERM-02',
    rule: 'terminals',
    kept: turn(...terminal(), ...use('kill'), ...use('release', 'c')),
    broken: turn(...terminal(), ...use('kill')),
    exercised: 1,
  },
  {
    requirement: 'TERM-04',
    rule: 'terminals',
    kept: turn(...terminal(), ...use('output'), ...use('release', 'c')),
    broken: turn(...terminal(), ...use('release'), ...use('output', 'c')),
    exercised: 1,
  },
  {
    requirement: 'TOOL-13',
    rule: 'terminals',
    kept: turn(...terminal(), shown, ...use('release')),
    broken: turn(shown),
    exercised: 1,
  },
  {
    requirement: 'TOOL-13',
    rule: 'terminals',
    about: 'shown after its release',
    kept: turn(...terminal(), shown, ...use('release')),
    broken: turn(...terminal(), ...use('release'), shown),
  },

  {
    requirement: 'FS-01',
    rule: 'agent-gates',
    kept: advertised({}, toolCall('t', { kind: 'read' })),
    broken: advertised({ fs: { readTextFile: false, writeTextFile: true } }, read),
    exercised: 1,
  },
  {
    requirement: 'FS-02',
    rule: 'agent-gates',
    kept: advertised({}, toolCall('t', { kind: 'edit' })),
    broken: advertised({ fs: { readTextFile: true } }, write),
  },
  {
    requirement: 'TERM-01',
    rule: 'agent-gates',
    kept: advertised({ terminal: false }, toolCall('t', { kind: 'execute' })),
    broken: advertised({ terminal: false }, ...terminal()),
  },
  {
    requirement: 'ELIC-01',
    rule: 'agent-gates',
    about: 'nothing shows that an agent would have asked',
    kept: [],
    broken: advertised({ elicitation: { url: {} } }, elicit('form')),
  },
  {
    requirement: 'NOTE-01',
    rule: 'agent-gates',
    kept: [],
    broken: advertised({}, update({ sessionUpdate: 'notice', severity: 'info', title: 't' })),
    verdict: 'warn',
  },
  {
    requirement: 'COMP-01',
    rule: 'agent-gates',
    kept: [],
    broken: advertised(
      {},
      update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' }),
    ),
  },
  {
    requirement: 'CFG-08',
    rule: 'agent-gates',
    kept: [...initialize(), ...newSession({ configOptions: [select] })],
    broken: [...initialize(), ...newSession({ configOptions: [select, flag] })],
    pointer: '/result/configOptions/1/type',
    exercised: 1,
  },
  {
    requirement: 'AUTH-10',
    rule: 'agent-gates',
    kept: initialize({ result: { authMethods: [{ id: 'a', name: 'A' }] } }),
    broken: initialize({ result: { authMethods: [{ id: 'a', name: 'A', type: 'terminal' }] } }),
  },
  {
    requirement: 'INIT-11',
    rule: 'agent-gates',
    kept: advertised({}, toolCall('t', { kind: 'read' })),
    broken: advertised({}, read),
    exercised: 1,
  },
  {
    requirement: 'PLAN-02',
    rule: 'plan',
    kept: [...ready, prompt(), planned('look', 'change'), planned('look', 'change'), planned('change')],
    broken: [...ready, prompt(), planned('look', 'change'), planned('look'), planned('change')],
    verdict: 'warn',
    pointer: '/params/update/entries/0',
    exercised: 2,
  },
  {
    requirement: 'PLAN-02',
    rule: 'plan',
    about: 'an entry of an earlier turn that comes back',
    kept: [
      ...ready,
      prompt(),
      planned('look'),
      planned('change'),
      stopped(),
      prompt(8),
      planned('look'),
      planned('look'),
    ],
  },
  {
    requirement: 'PLAN-06',
    rule: 'plan',
    kept: [...ready, prompt(), planned('look'), planned('change')],
  },
];
