/** What sessions say of themselves: modes, options, commands, usage, message ids; judged for agents. */
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

const load = client({
  id: 3,
  method: 'session/load',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const user = (messageId: string) =>
  update({ sessionUpdate: 'user_message_chunk', messageId, content: { type: 'text', text: 'go' } });
const announced = (...names: readonly string[]) =>
  update({
    sessionUpdate: 'available_commands_update',
    availableCommands: names.map(name => ({ name, description: '' })),
  });
const reopened = agent({ id: 3, result: {} });
const mode = (id: string) => ({ id, name: id });
const modes = (currentModeId: string, ...ids: readonly string[]) => ({
  modes: { currentModeId, availableModes: ids.map(mode) },
});
const moved = (currentModeId: string) => update({ sessionUpdate: 'current_mode_update', currentModeId });
const select = (rest: object = {}) => ({
  type: 'select',
  id: 'model',
  name: 'Model',
  currentValue: 'a',
  options: [{ value: 'a', name: 'A' }],
  ...rest,
});
const withOptions = (...configOptions: readonly object[]) => [
  ...initialize(),
  ...newSession({ configOptions } as never),
];

export const sessionStateCases: readonly RuleCase[] = [
  {
    requirement: 'MODE-01',
    rule: 'modes',
    countedBy: 'agent-shapes',
    kept: newSession(modes('ask', 'ask', 'code')),
    broken: newSession(modes('plan', 'ask', 'code')),
    pointer: '/result/modes/currentModeId',
  },
  {
    requirement: 'MODE-01',
    rule: 'modes',
    countedBy: 'agent-shapes',
    about: 'two modes with one id',
    kept: newSession(modes('ask', 'ask', 'code')),
    broken: newSession(modes('ask', 'ask', 'ask')),
  },
  {
    requirement: 'MODE-05',
    rule: 'modes',
    kept: [...newSession(modes('ask', 'ask', 'code')), moved('code')],
    broken: [...newSession(modes('ask', 'ask', 'code')), moved('plan')],
    exercised: 1,
  },
  {
    requirement: 'CFG-02',
    rule: 'config-options',
    kept: withOptions(select()),
    broken: withOptions(select({ currentValue: 'z' })),
  },
  {
    requirement: 'CFG-03',
    rule: 'config-options',
    kept: withOptions(select(), select({ id: 'b' })),
    broken: withOptions(select(), select()),
  },
  {
    requirement: 'CFG-13',
    rule: 'config-options',
    kept: withOptions(select({ category: '_own' })),
    broken: withOptions(select({ category: 'own' })),
    verdict: 'warn',
  },
  {
    requirement: 'CFG-14',
    rule: 'config-options',
    kept: newSession({ ...modes('ask', 'ask'), configOptions: [select({ category: 'mode' })] as never }),
    broken: newSession({ configOptions: [select({ category: 'mode' })] as never }),
    verdict: 'warn',
  },
  {
    requirement: 'CFG-14',
    rule: 'config-options',
    about: 'modes alone',
    kept: newSession({ ...modes('ask', 'ask'), configOptions: [select({ category: 'mode' })] as never }),
    broken: newSession(modes('ask', 'ask')),
    verdict: 'info',
  },
  {
    requirement: 'CFG-16',
    rule: 'config-options',
    kept: withOptions({ type: 'boolean', id: 'f', name: 'F', currentValue: false }),
    broken: withOptions({ type: 'boolean', id: 'f', name: 'F', currentValue: 'off' }),
  },

  {
    requirement: 'CMD-02',
    rule: 'commands',
    countedBy: 'update-shapes',
    kept: [
      ...ready,
      update({
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'help', description: '' }],
      }),
    ],
    broken: [
      ...ready,
      update({
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: '/help', description: '' }],
      }),
    ],
    verdict: 'warn',
  },
  {
    requirement: 'CMD-01',
    rule: 'commands',
    kept: newSession(),
    exercised: 1,
  },
  {
    requirement: 'CMD-03',
    rule: 'commands',
    kept: [...ready, announced('help'), announced('help', 'status')],
    broken: [...ready, announced('help'), announced('status')],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'CMD-03',
    rule: 'commands',
    about: 'another list where something changed, or after none',
    kept: [
      ...newSession(modes('ask', 'ask', 'code')),
      announced('help'),
      moved('code'),
      announced('build'),
      announced(),
      announced('status'),
    ],
    exercised: 2,
  },
  {
    requirement: 'CMD-03',
    rule: 'commands',
    about: 'lists of two sessions',
    kept: [
      ...ready,
      announced('help'),
      announced('help'),
      ...newSession({}, 's-2', 2),
      update(
        { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'x', description: '' }] },
        's-2',
      ),
    ],
    exercised: 1,
  },
  {
    requirement: 'USAGE-01',
    rule: 'advisory',
    kept: [...ready, prompt(), stopped()],
  },
  {
    requirement: 'USAGE-03',
    rule: 'advisory',
    countedBy: 'update-shapes',
    kept: [
      ...ready,
      update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD' } }),
    ],
    broken: [
      ...ready,
      update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: '$' } }),
    ],
  },
  {
    requirement: 'USAGE-05',
    rule: 'advisory',
    kept: [...ready, update({ sessionUpdate: 'usage_update', used: 0, size: 1 })],
    broken: [...ready, update({ sessionUpdate: 'usage_update', used: 0, size: 0 })],
    verdict: 'warn',
  },
  {
    requirement: 'USAGE-06',
    rule: 'advisory',
    kept: [...ready, update({ sessionUpdate: 'usage_update', used: 272000, size: 272000 })],
    broken: [...ready, update({ sessionUpdate: 'usage_update', used: 300000, size: 272000 })],
    verdict: 'warn',
  },
  {
    requirement: 'INFO-02',
    rule: 'advisory',
    kept: [
      ...ready,
      update({ sessionUpdate: 'session_info_update', title: 'a' }),
      update({ sessionUpdate: 'session_info_update', title: 'b' }),
    ],
    broken: [
      ...ready,
      update({ sessionUpdate: 'session_info_update', title: 'a' }),
      update({ sessionUpdate: 'session_info_update', title: 'a' }),
    ],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'MSGID-02',
    rule: 'message-ids',
    kept: [
      ...ready,
      chunk('a', { messageId: 'm1' }),
      chunk('b', { messageId: 'm1' }),
      chunk('c', { messageId: 'm2' }),
    ],
    broken: [
      ...ready,
      chunk('a', { messageId: 'm1' }),
      chunk('b', { messageId: 'm2' }),
      chunk('c', { messageId: 'm1' }),
    ],
    exercised: 2,
  },
  {
    requirement: 'MSGID-02',
    rule: 'message-ids',
    about: 'a user and an agent message',
    kept: [
      ...ready,
      update({ sessionUpdate: 'user_message_chunk', messageId: 'u', content: { type: 'text', text: '' } }),
      chunk('a', { messageId: 'm' }),
    ],
    broken: [
      ...ready,
      update({ sessionUpdate: 'user_message_chunk', messageId: 'u', content: { type: 'text', text: '' } }),
      chunk('a', { messageId: 'u' }),
    ],
  },
  {
    requirement: 'MSGID-02',
    rule: 'message-ids',
    about: 'answers to two prompts in a replay',
    kept: [
      ...ready,
      load,
      user('1'),
      chunk('a', { messageId: 'm1' }),
      user('2'),
      chunk('b', { messageId: 'm2' }),
    ],
    broken: [
      ...ready,
      load,
      user('1'),
      chunk('a', { messageId: 'm1' }),
      user('2'),
      chunk('b', { messageId: 'm1' }),
    ],
  },
  {
    requirement: 'MSGID-02',
    rule: 'message-ids',
    about: 'a prompt of the queue, shown while the answer to another goes on',
    kept: [
      ...ready,
      prompt(),
      prompt(8),
      chunk('a', { messageId: 'm1' }),
      user('2'),
      chunk('b', { messageId: 'm1' }),
    ],
  },
  {
    requirement: 'MSGID-02',
    rule: 'message-ids',
    about: 'a load shows the past again (A-29)',
    kept: [
      ...ready,
      chunk('a', { messageId: 'm1' }),
      chunk('b', { messageId: 'm2' }),
      load,
      chunk('a', { messageId: 'm1' }),
      chunk('b', { messageId: 'm2' }),
      reopened,
    ],
  },
];
