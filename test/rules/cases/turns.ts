/** Turns, cancellation, tool calls, permission, and the capabilities that agents may use, judged for agents. */
import {
  agent,
  agentAsks,
  cancel,
  cancelledOutcome,
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

const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
const held = [...ready, prompt(), toolCall('t-1'), permission()];
const failedPrompt = agent({ id: 7, error: { code: -32603, message: 'aborted' } });
const done = { status: 'completed' };
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

export const turnCases: readonly RuleCase[] = [
  {
    requirement: 'PROMPT-16',
    rule: 'turn-fence',
    kept: [...turn(chunk()), usage],
    broken: [...turn(chunk()), chunk(' tail')],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'PROMPT-16',
    rule: 'turn-fence',
    about: 'a tool_call_update that carries only _meta',
    kept: [...turn(), prompt(8), chunk(), stopped('end_turn', 8)],
    broken: [...turn(toolCall('t-9')), toolUpdate('t-9', { _meta: { out: 'late' } })],
    verdict: 'warn',
  },
  {
    requirement: 'PROMPT-16',
    rule: 'turn-fence',
    about: 'a second prompt of the session still runs',
    kept: [...ready, prompt(7), prompt(8), stopped('end_turn', 7), chunk(), stopped('end_turn', 8)],
    exercised: 1,
  },
  {
    requirement: 'CANCEL-04',
    rule: 'turn-fence',
    kept: [...ready, prompt(), cancel(), chunk(), stopped('cancelled')],
    broken: [...ready, prompt(), cancel(), stopped('cancelled'), chunk()],
    exercised: 1,
  },
  {
    requirement: 'CANCEL-04',
    rule: 'turn-fence',
    about: 'a session-scoped update is recorded (A-21)',
    kept: [...ready, prompt(), cancel(), usage, stopped('cancelled'), prompt(8), chunk()],
    broken: [...ready, prompt(), cancel(), stopped('cancelled'), usage],
    verdict: 'info',
  },
  {
    requirement: 'PROMPT-14',
    rule: 'stop-reason',
    kept: turn(),
    broken: [...ready, prompt(), stopped('cancelled')],
  },
  {
    requirement: 'PROMPT-14',
    rule: 'stop-reason',
    about: 'a cancel before the prompt was sent',
    kept: [...ready, cancel(), prompt(), stopped()],
    broken: [...ready, cancel(), prompt(), stopped('cancelled')],
  },
  ...(
    [
      ['$/cancel_request', client({ method: '$/cancel_request', params: { requestId: 7 } })],
      ['session/close', client({ id: 8, method: 'session/close', params: { sessionId: 's-1' } })],
      ['session/cancel', cancel()],
    ] as const
  ).map(
    ([about, cancelling]): RuleCase => ({
      requirement: 'PROMPT-14',
      rule: 'stop-reason',
      about: `after ${about}`,
      kept: [
        ...turn(),
        prompt(9),
        cancelling.replace('"requestId":7', '"requestId":9'),
        stopped('cancelled', 9),
      ],
      exercised: 1,
    }),
  ),
  {
    requirement: 'PROMPT-14',
    rule: 'stop-reason',
    about: 'a $/cancel_request for another request',
    kept: turn(),
    broken: [
      ...ready,
      prompt(),
      client({ method: '$/cancel_request', params: { requestId: '7' } }),
      stopped('cancelled'),
    ],
  },
  {
    requirement: 'CANCEL-02',
    rule: 'cancel',
    kept: [...held, cancel(), cancelledOutcome, stopped('cancelled')],
    broken: [...held, cancel(), cancelledOutcome, stopped('end_turn')],
    exercised: 1,
  },
  {
    requirement: 'CANCEL-03',
    rule: 'cancel',
    kept: [...held, cancel(), cancelledOutcome, stopped('cancelled')],
    broken: [...held, cancel(), cancelledOutcome, failedPrompt],
  },
  {
    requirement: 'CANCEL-10',
    rule: 'cancel',
    kept: [...held, cancel(), cancelledOutcome, stopped('cancelled')],
    broken: [...held, cancel(), cancelledOutcome, stopped('end_turn')],
  },
  {
    requirement: 'PERM-09',
    rule: 'cancel',
    kept: [...held, cancel(), cancelledOutcome, stopped('cancelled')],
    broken: [...held, cancel(), cancelledOutcome, failedPrompt],
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
];
