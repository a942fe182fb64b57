/** Start-up and sessions, judged for agents. */
import {
  agent,
  chunk,
  client,
  initialize,
  newSession,
  prompt,
  ready,
  stopped,
  update,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const hello = client({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } });
const twoMethods = (id: string) => ({
  authMethods: [
    { id: 'a', name: 'A' },
    { id, name: 'B' },
  ],
});
const commands = (sessionId = 's-1') =>
  update({ sessionUpdate: 'available_commands_update', availableCommands: [] }, sessionId);
const making = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
const made = agent({ id: 1, result: { sessionId: 's-1' } });
const load = client({
  id: 3,
  method: 'session/load',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const resume = client({
  id: 3,
  method: 'session/resume',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const reopened = agent({ id: 3, result: {} });
/** A session with a finished turn, seen again by a second process. */
const stored = [...ready, prompt(), chunk(), stopped(), 'EVENT restart', ...initialize()];

export const sessionCases: readonly RuleCase[] = [
  {
    requirement: 'INIT-05',
    rule: 'initialize',
    countedBy: 'agent-shapes',
    about: 'an agent that ends',
    kept: initialize(),
    broken: [hello, 'EVENT eof', 'EVENT exit'],
  },
  {
    requirement: 'INIT-05',
    rule: 'initialize',
    countedBy: 'agent-shapes',
    about: 'an error',
    kept: initialize(),
    broken: [hello, agent({ id: 0, error: { code: -32603, message: 'Internal error' } })],
  },
  {
    requirement: 'INIT-05',
    rule: 'initialize',
    countedBy: 'agent-shapes',
    about: 'an agent whose input the bench closed',
    kept: [...initialize(), 'EVENT restart', hello, 'EVENT input-closed', 'EVENT eof'],
  },
  {
    requirement: 'INIT-06',
    rule: 'initialize',
    kept: initialize(),
    broken: initialize({ result: { protocolVersion: 2 } }),
  },
  {
    requirement: 'INIT-13',
    rule: 'initialize',
    kept: initialize(),
    broken: [hello, agent({ id: 0, result: { protocolVersion: 1 } })],
    verdict: 'warn',
  },
  {
    requirement: 'INIT-14',
    rule: 'initialize',
    kept: initialize(),
    broken: initialize({ result: { agentInfo: { name: 'x' } } }),
    verdict: 'warn',
  },
  {
    requirement: 'INIT-15',
    rule: 'initialize',
    kept: initialize(),
    broken: [
      hello,
      agent({ id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }),
    ],
    verdict: 'warn',
  },
  {
    requirement: 'INIT-23',
    rule: 'initialize',
    kept: initialize({ result: twoMethods('b') }),
    broken: initialize({ result: twoMethods('a') }),
    pointer: '/result/authMethods/1/id',
  },
  {
    requirement: 'INIT-24',
    rule: 'initialize',
    kept: initialize(),
    broken: [commands(), ...initialize()],
    verdict: 'warn',
  },
  {
    requirement: 'INIT-24',
    rule: 'initialize',
    about: 'what a session/new before initialize provoked (A-03)',
    kept: [making, commands(), made, ...initialize(), 'EVENT restart', ...initialize()],
    exercised: 1,
  },
  {
    requirement: 'MCP-03',
    rule: 'initialize',
    kept: initialize(),
    broken: initialize({ agent: { mcpCapabilities: { sse: true } } }),
    verdict: 'info',
  },

  {
    requirement: 'SESS-03',
    rule: 'session-ids',
    kept: [...newSession({}, 's-1'), ...newSession({}, 's-2', 2)],
    broken: [...newSession({}, 's-1'), ...newSession({}, 's-1', 2)],
    exercised: 1,
  },
  {
    requirement: 'SESS-03',
    rule: 'session-ids',
    about: 'in a second process',
    kept: [...newSession(), 'EVENT restart', ...newSession({}, 's-2')],
    broken: [...newSession(), 'EVENT restart', ...newSession()],
  },
  {
    requirement: 'SESS-13',
    rule: 'session-ids',
    kept: newSession(),
    broken: newSession({}, ''),
    verdict: 'warn',
  },
  {
    requirement: 'UPD-02',
    rule: 'session-updates',
    kept: [...ready, commands()],
    broken: [...ready, agent({ id: 9, method: 'session/update', params: { sessionId: 's-1', update: {} } })],
    pointer: '/id',
  },
  {
    requirement: 'UPD-05',
    rule: 'session-updates',
    kept: [...ready, commands()],
    broken: [...ready, commands('s-9')],
    verdict: 'warn',
  },
  {
    requirement: 'UPD-05',
    rule: 'session-updates',
    about: 'an update that a session/new in flight did not turn out to be for (A-06)',
    kept: [...initialize(), making, made, commands()],
    broken: [...initialize(), making, commands('s-2'), made],
    verdict: 'warn',
  },
  {
    requirement: 'UPD-05',
    rule: 'session-updates',
    about: 'a session of an earlier process stays known',
    kept: [...ready, 'EVENT restart', ...initialize(), commands()],
  },
  {
    requirement: 'UPD-05',
    rule: 'session-updates',
    about: 'a session that a load in flight names',
    kept: [...initialize(), load, commands()],
    exercised: 1,
  },
  {
    requirement: 'SESS-11',
    rule: 'session-updates',
    kept: [...initialize(), making, made, commands()],
    broken: [...initialize(), making, commands(), made],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'SESS-11',
    rule: 'session-updates',
    about: 'two session/new in flight (A-06)',
    kept: [...initialize(), making, made],
    broken: [
      ...initialize(),
      making,
      client({ id: 2, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
      commands('s-2'),
      made,
      agent({ id: 2, result: { sessionId: 's-2' } }),
    ],
    verdict: 'warn',
  },
  {
    requirement: 'PROMPT-20',
    rule: 'session-updates',
    kept: [...ready, prompt(), chunk()],
    broken: [...ready, prompt(), chunk('hello', {}, 's-9')],
    exercised: 1,
  },
  {
    requirement: 'LOAD-07',
    rule: 'session-updates',
    kept: [...initialize(), load, chunk(), reopened],
    broken: [...initialize(), load, chunk('hello', {}, 's-9'), reopened],
    exercised: 1,
  },
  {
    requirement: 'FS-13',
    rule: 'session-updates',
    countedBy: 'agent-shapes',
    kept: [
      ...ready,
      agent({ id: 'a', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/a' } }),
    ],
    broken: [
      ...ready,
      agent({ id: 'a', method: 'fs/read_text_file', params: { sessionId: 's-9', path: '/a' } }),
    ],
  },
  {
    requirement: 'LOAD-03',
    rule: 'turn-fence',
    kept: [...stored, load, chunk(), reopened, commands()],
    broken: [...stored, load, reopened, chunk()],
    exercised: 1,
  },
  {
    requirement: 'LOAD-03',
    rule: 'turn-fence',
    about: 'what a resume replays, which RESUME-02 is about',
    kept: [...stored, load, reopened, resume, chunk(), reopened],
  },
  {
    requirement: 'LOAD-03',
    rule: 'turn-fence',
    about: 'what the next turn writes',
    kept: [...stored, load, reopened, prompt(8), chunk(), stopped('end_turn', 8)],
  },
  {
    requirement: 'RESUME-06',
    rule: 'resume',
    kept: [...stored, resume, reopened],
    exercised: 1,
  },
  {
    requirement: 'RESUME-02',
    rule: 'resume',
    kept: [...stored, resume, commands(), reopened, prompt(8), chunk()],
    broken: [...stored, resume, chunk(), reopened],
    exercised: 1,
  },
];
