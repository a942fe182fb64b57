/** What session/load shows of turns that were seen, judged for agents. */
import {
  agent,
  asks,
  chunk,
  client,
  initialize,
  newSession,
  prompt,
  stopped,
  toolCall,
  toolUpdate,
  update,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const ask = (text: string, id = 7) =>
  client({ id, method: 'session/prompt', params: { sessionId: 's-1', prompt: [{ type: 'text', text }] } });
const user = (text: string, rest: object = {}, sessionId = 's-1') =>
  update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text }, ...rest }, sessionId);
const thought = update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
const load = client({
  id: 30,
  method: 'session/load',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const loaded = agent({ id: 30, result: {} });
const introduced = initialize({ agent: { loadSession: true } });
const ready = [...introduced, ...newSession()];
const restart = ['EVENT restart', ...introduced];

const spoken = [...ready, prompt(), thought, chunk('Good '), chunk('day.'), stopped(), ...restart];
const worked = [
  ...ready,
  prompt(),
  toolCall('t-1'),
  toolUpdate('t-1', { status: 'completed' }),
  toolCall('t-2'),
  chunk('Done.'),
  stopped(),
  ...restart,
];
const twice = [
  ...ready,
  ask('one'),
  chunk('1'),
  stopped(),
  ask('two', 8),
  chunk('2'),
  stopped('end_turn', 8),
  ...restart,
];

/** The session is loaded, and the replay is this. */
const replays = (live: readonly string[], ...entries: readonly string[]) => [
  ...live,
  load,
  ...entries,
  loaded,
];

const requirement = 'LOAD-02';
const rule = 'replay';

export const replayCases: readonly RuleCase[] = [
  {
    requirement,
    rule,
    about: 'the words of user and agent, in whatever chunks',
    kept: replays(spoken, user('g'), user('o'), chunk('Good'), chunk(' day.\n')),
    broken: replays(spoken, user('go'), chunk('Good')),
    exercised: 1,
  },
  {
    requirement,
    rule,
    about: 'nothing at all',
    kept: replays(spoken, user('go'), chunk('Good day.')),
    broken: replays(spoken),
  },
  {
    requirement,
    rule,
    about: 'without the words of the user',
    kept: replays(spoken, user('go'), chunk('Good day.')),
    broken: replays(spoken, chunk('Good day.')),
  },
  {
    requirement,
    rule,
    about: 'roles',
    kept: replays(spoken, user('go'), chunk('Good day.')),
    broken: replays(spoken, user('Good day.'), chunk('go')),
  },
  {
    requirement,
    rule,
    about: 'tool calls by id, in order',
    kept: replays(worked, user('go'), toolCall('t-1'), toolCall('t-2'), chunk('Done.')),
    broken: replays(worked, user('go'), toolCall('t-2'), toolCall('t-1'), chunk('Done.')),
  },
  {
    requirement,
    rule,
    about: 'a tool call that is left out',
    kept: replays(worked, user('go'), chunk('Done.'), toolCall('t-1'), toolCall('t-0'), toolCall('t-2')),
    broken: replays(worked, user('go'), toolCall('t-1'), chunk('Done.')),
  },
  {
    requirement,
    rule,
    about: 'turns in order',
    kept: replays(twice, user('one'), chunk('1'), user('two'), chunk('2')),
    broken: replays(twice, user('two'), chunk('2'), user('one'), chunk('1')),
  },
  {
    requirement,
    rule,
    about: 'the latest turn is missing',
    kept: replays(twice, user('one'), chunk('1'), user('two'), chunk('2')),
    broken: replays(twice, user('one'), chunk('1')),
  },
  {
    requirement,
    rule,
    about: 'what stands between, and around the prompt',
    kept: replays(
      twice,
      user('<context/>'),
      user('one'),
      thought,
      chunk('1'),
      user('/status'),
      chunk('All is well.'),
      user('Remember: two'),
      chunk('2'),
    ),
    exercised: 1,
  },
  {
    requirement,
    rule,
    about: 'what LOAD-03 finds late is not missing',
    kept: [...spoken, load, loaded, user('go'), chunk('Good day.')],
    broken: [...spoken, load, loaded, prompt(9), user('go'), chunk('Good day.')],
  },
  {
    requirement,
    rule,
    about: 'of a turn that ended otherwise, nothing is asked for',
    kept: [
      ...twice,
      ask('three', 9),
      chunk('3'),
      stopped('cancelled', 9),
      load,
      user('one'),
      chunk('1'),
      user('two'),
      chunk('2'),
      loaded,
    ],
    exercised: 1,
  },
  {
    requirement,
    rule,
    about: 'nor of a slash command, of two turns at once, or of a load that is refused',
    kept: [
      ...ready,
      ask('/status'),
      chunk('All is well.'),
      stopped(),
      ask('a', 8),
      ask('b', 9),
      stopped('end_turn', 8),
      stopped('end_turn', 9),
      load,
      loaded,
      ask('c', 10),
      stopped('end_turn', 10),
      load,
      agent({ id: 30, error: { code: -32603, message: 'no' } }),
      load,
      user('c'),
      loaded,
    ],
    exercised: 1,
  },
  {
    requirement,
    rule,
    about: 'a session that was deleted and made again by the same name',
    kept: [
      ...spoken,
      ...asks(31, 'session/delete', { sessionId: 's-1' }, {}),
      load,
      loaded,
      ...newSession({}, 's-2', 32),
    ],
    exercised: 0,
  },

  {
    requirement: 'MSGID-04',
    rule,
    kept: replays(
      [...ready, prompt(), chunk('Hi', { messageId: 'm-1' }), stopped(), ...restart],
      user('go', { messageId: 'u-1' }),
    ),
    broken: replays(
      [...ready, prompt(), chunk('Hi', { messageId: 'm-1' }), stopped(), ...restart],
      user('go'),
    ),
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'MSGID-04',
    rule,
    about: 'an agent without ids',
    kept: replays([...ready, prompt(), chunk('Hi'), stopped(), ...restart], user('go')),
    exercised: 0,
  },
];
