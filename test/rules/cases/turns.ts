/** Turns, cancellation, tool calls, permission, and the capabilities that agents may use, judged for agents. */
import {
  agent,
  cancel,
  cancelledOutcome,
  chunk,
  client,
  permission,
  prompt,
  ready,
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
];
