/** How an agent answers who sets modes and options, and what it refuses or accepts, judged for agents. */
import type { Json, JsonObject } from '../../../src/wire/index.ts';
import {
  agent,
  asks,
  client,
  initialize,
  newSession,
  prompt,
  ready,
  stopped,
  update,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const modes = (currentModeId = 'ask'): JsonObject => ({
  currentModeId,
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
});
const choice = (
  id: string,
  currentValue: string,
  values: readonly string[],
  rest: JsonObject = {},
): JsonObject => ({
  id,
  name: id,
  type: 'select',
  currentValue,
  options: values.map(value => ({ value, name: value })),
  ...rest,
});
const mode = (value = 'ask') => choice('mode', value, ['ask', 'code'], { category: 'mode' });
const model = (value = 'small') => choice('model', value, ['small', 'large'], { category: 'model' });
const depth = (value = 'low') => choice('depth', value, ['low', 'high']);

const opened = (result: JsonObject): readonly string[] => [...initialize(), ...newSession(result)];
const withModes = opened({ modes: modes() });
const withOptions = opened({ configOptions: [mode(), model(), depth()] });
const withBoth = opened({ modes: modes(), configOptions: [mode(), model()] });

const asksMode = (modeId: string) =>
  client({ id: 4, method: 'session/set_mode', params: { sessionId: 's-1', modeId } });
const setMode = (modeId: string) => [asksMode(modeId), agent({ id: 4, result: {} })];
const asksOption = (configId: string, value: Json) =>
  client({ id: 5, method: 'session/set_config_option', params: { sessionId: 's-1', configId, value } });
const setOption = (configId: string, value: Json, configOptions: Json) => [
  asksOption(configId, value),
  agent({ id: 5, result: { configOptions } }),
];
const refusal = (id: number, code = -32602) => agent({ id, error: { code, message: 'Refused' } });
const modeIs = (currentModeId: string) => update({ sessionUpdate: 'current_mode_update', currentModeId });
const optionsAre = (...configOptions: JsonObject[]) =>
  update({ sessionUpdate: 'config_option_update', configOptions });
const closed = asks(8, 'session/close', { sessionId: 's-1' }, {});

const modeCases: readonly RuleCase[] = [
  {
    requirement: 'MODE-03',
    rule: 'modes',
    kept: [...withModes, ...setMode('code')],
    broken: [...withModes, asksMode('ask'), refusal(4, -32603)],
  },
  {
    requirement: 'MODE-03',
    rule: 'modes',
    about: 'a session that was closed, and a login that is missing',
    kept: [
      ...withModes,
      ...setMode('code'),
      asksMode('ask'),
      refusal(4, -32000),
      ...closed,
      asksMode('ask'),
      refusal(4),
    ],
    exercised: 1,
  },
  {
    requirement: 'MODE-04',
    rule: 'modes',
    kept: [...withModes, asksMode('none'), refusal(4)],
    broken: [...withModes, ...setMode('none')],
    verdict: 'warn',
  },
  {
    requirement: 'MODE-04',
    rule: 'modes',
    about: 'an internal error (A-16)',
    kept: [...withModes, asksMode('none'), refusal(4, -32002)],
    broken: [...withModes, asksMode('none'), refusal(4, -32603)],
    verdict: 'warn',
  },
  {
    requirement: 'MODE-07',
    rule: 'modes',
    kept: [...ready, asksMode('ask'), refusal(4, -32601)],
    broken: [...ready, ...setMode('ask')],
    verdict: 'warn',
  },
  {
    requirement: 'MODE-06',
    rule: 'mode-agreement',
    about: 'the answer to another option',
    kept: [...withBoth, ...setMode('code'), ...setOption('model', 'large', [mode('code'), model('large')])],
    broken: [...withBoth, ...setMode('code'), ...setOption('model', 'large', [mode('ask'), model('large')])],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'MODE-06',
    rule: 'mode-agreement',
    about: 'the notification after session/set_mode',
    kept: [...withBoth, ...setMode('code'), optionsAre(mode('code'), model())],
    broken: [...withBoth, ...setMode('code'), optionsAre(mode('ask'), model())],
    verdict: 'warn',
  },
  {
    requirement: 'MODE-06',
    rule: 'mode-agreement',
    about: 'the notification after the option was set',
    kept: [...withBoth, ...setOption('mode', 'code', [mode('code'), model()]), modeIs('code')],
    broken: [...withBoth, ...setOption('mode', 'code', [mode('code'), model()]), modeIs('ask')],
    verdict: 'warn',
  },
  {
    requirement: 'MODE-06',
    rule: 'mode-agreement',
    about: 'the agent goes back to the old mode in a later turn',
    kept: [
      ...withBoth,
      ...setMode('code'),
      optionsAre(mode('code'), model()),
      ...setOption('mode', 'ask', [mode('ask'), model()]),
      prompt(),
      modeIs('code'),
      optionsAre(mode('code'), model()),
      stopped(),
    ],
    exercised: 1,
  },
  {
    requirement: 'MODE-06',
    rule: 'mode-agreement',
    about: 'one result that holds both',
    kept: [...withBoth, ...setMode('code'), optionsAre(mode('code'), model())],
    broken: opened({ modes: modes('code'), configOptions: [mode('ask'), model()] }),
    verdict: 'warn',
  },
];

const optionCases: readonly RuleCase[] = [
  {
    requirement: 'CFG-04',
    rule: 'config-answers',
    kept: [...withOptions, ...setOption('model', 'large', [mode(), model('large'), depth()])],
    broken: [...withOptions, ...setOption('model', 'large', [mode(), model('small'), depth()])],
  },
  {
    requirement: 'CFG-04',
    rule: 'config-answers',
    about: 'nothing but what was set',
    kept: [...withOptions, ...setOption('model', 'large', [mode(), model('large')])],
    broken: [...withOptions, ...setOption('model', 'large', [model('large')])],
  },
  {
    requirement: 'CFG-04',
    rule: 'config-answers',
    about: 'an option that is gone although nothing changed',
    kept: [...withOptions, ...setOption('model', 'small', [mode(), model(), depth()])],
    broken: [...withOptions, ...setOption('model', 'small', [mode(), model()])],
  },
  {
    requirement: 'CFG-04',
    rule: 'config-answers',
    about: 'an option that the session offers is refused',
    kept: [
      ...withOptions,
      ...setOption('model', 'large', [mode(), model('large'), depth()]),
      asksOption('model', 'small'),
      refusal(5, -32000),
    ],
    broken: [...withOptions, asksOption('model', 'large'), refusal(5, -32603)],
    exercised: 1,
  },
  {
    requirement: 'CFG-04',
    rule: 'config-answers',
    about: 'the list lost the value while the request was under way',
    kept: [
      ...withOptions,
      asksOption('depth', 'high'),
      optionsAre(mode(), model()),
      agent({ id: 5, result: { configOptions: [mode(), model(), depth('high')] } }),
    ],
    exercised: 1,
  },
  {
    requirement: 'CFG-05',
    rule: 'config-answers',
    kept: [...withOptions, optionsAre(mode(), model('large'))],
    broken: [...withOptions, optionsAre(model('large'))],
  },
  {
    requirement: 'CFG-06',
    rule: 'config-answers',
    kept: [...withOptions, asksOption('model', 'huge'), refusal(5)],
    broken: [...withOptions, ...setOption('model', 'huge', [mode(), model(), depth()])],
    verdict: 'warn',
  },
  {
    requirement: 'CFG-06',
    rule: 'config-answers',
    about: 'an internal error for an unknown option (A-16)',
    kept: [...withOptions, asksOption('none', 'on'), refusal(5)],
    broken: [...withOptions, asksOption('none', 'on'), refusal(5, -32603)],
    verdict: 'warn',
  },
];

const list = (cursor: string) => client({ id: 6, method: 'session/list', params: { cursor } });
const link = [{ type: 'resource_link', name: 'a', uri: 'file:///w/a' }];
const asksAbout = (blocks: Json) =>
  client({ id: 7, method: 'session/prompt', params: { sessionId: 's-1', prompt: blocks } });
const early = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
const load = client({
  id: 3,
  method: 'session/load',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const stored = [...ready, prompt(), stopped(), 'EVENT restart', ...initialize()];

const otherCases: readonly RuleCase[] = [
  {
    requirement: 'LIST-06',
    rule: 'list-cursors',
    kept: [
      ...ready,
      ...asks(5, 'session/list', {}, { sessions: [], nextCursor: 'two' }),
      list('two'),
      agent({ id: 6, result: { sessions: [] } }),
      list('three'),
      refusal(6),
    ],
    broken: [...ready, list('Infinity'), agent({ id: 6, result: { sessions: [] } })],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'LIST-06',
    rule: 'list-cursors',
    about: 'an internal error (A-16)',
    kept: [...ready, list('x'), refusal(6)],
    broken: [...ready, list('x'), refusal(6, -32603)],
    verdict: 'warn',
  },
  {
    requirement: 'PROMPT-03',
    rule: 'accepted-prompts',
    kept: [...ready, asksAbout(link), stopped()],
    broken: [...ready, asksAbout(link), refusal(7)],
  },
  {
    requirement: 'PROMPT-03',
    rule: 'accepted-prompts',
    about: 'another failure, another prompt, a closed session, or a second turn',
    kept: [
      ...ready,
      asksAbout(link),
      stopped(),
      asksAbout(link),
      refusal(7, -32603),
      asksAbout([]),
      refusal(7),
      asksAbout([{ type: 'text', text: 'x', annotations: { audience: ['robots'] } }]),
      refusal(7),
      asksAbout([{ type: 'text', text: 'x'.repeat(20_000) }]),
      refusal(7),
      asksAbout([{ type: 'image', data: 'AA==', mimeType: 'image/png' }]),
      refusal(7),
      prompt(9),
      asksAbout(link),
      refusal(7),
      stopped('end_turn', 9),
      ...closed,
      asksAbout(link),
      refusal(7),
    ],
    exercised: 1,
  },
  {
    requirement: 'INIT-18',
    rule: 'before-initialize',
    kept: ['EVENT start', early, refusal(1)],
    broken: ['EVENT start', early, agent({ id: 1, result: { sessionId: 's-1' } })],
    verdict: 'warn',
  },
  {
    requirement: 'LOAD-11',
    rule: 'stored-sessions',
    kept: [...stored, load, agent({ id: 3, result: {} })],
    broken: [...stored, load, refusal(3, -32002)],
    verdict: 'warn',
    exercised: 1,
  },
];

export const settingCases: readonly RuleCase[] = [...modeCases, ...optionCases, ...otherCases];
