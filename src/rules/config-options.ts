/**
 * Config options of a session: values that are among those offered, ids that are unique, and what a client sets.
 * State: the latest list of each session, as 64-bit hashes.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject, type Party } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createKnownOptions, type KnownOptions, valuesOf } from './known-options.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  readonly subject: Party;
  readonly known: KnownOptions;
}

const opening = ['session/new', 'session/load', 'session/resume'];

export const configOptions = defineFrameRule<State>({
  name: 'config-options',
  on: [...opening, 'session/set_config_option', 'update:config_option_update'],
  requirements: {
    'CFG-02': 'a result or update with a config option',
    'CFG-03': 'a result or update with a config option',
    'CFG-07': 'a session/set_config_option request for a session whose options were seen',
    'CFG-13': 'a config option with a category',
    'CFG-14': 'a session/new result with modes or with a config option of category mode',
    'CFG-16': 'a boolean config option',
  },

  init: ({ subject }) => ({ subject, known: createKnownOptions() }),

  step(state, seen, judge) {
    const { sessionId, message, method, answer } = seen;
    if (sessionId === undefined) return;
    if (method === 'session/set_config_option' && message?.type === 'request') {
      if (state.subject === 'client') chosen(state, sessionId, seen, judge);
      return;
    }
    const isResult = answer === 'first' && message?.type === 'result';
    if (!isResult && !seen.update) return;
    const given = (seen.update ?? seen.payload)?.configOptions;
    if (isResult && method === 'session/new' && state.subject === 'agent') pairing(seen, given, judge);
    if (!Array.isArray(given)) return;
    const options = given.filter(isObject);
    state.known.keep(sessionId, options);
    if (state.subject === 'agent' && options.length > 0) listed(seen, options, judge);
  },
});

const listed = (seen: SeenFrame, options: readonly JsonObject[], judge: Judge): void => {
  const root = seen.update ? '/params/update/configOptions' : '/result/configOptions';
  judge.exercised('CFG-02');
  judge.exercised('CFG-03');
  options.forEach((option, index) => {
    const pointer = `${root}/${index}`;
    if (options.findIndex(({ id }) => id === option.id) < index) {
      judge.violated(
        'CFG-03',
        showing(seen, { detail: 'Two config options with one id', pointer: `${pointer}/id` }),
      );
    }
    if (option.type === 'select') select(seen, option, pointer, judge);
    if (option.type === 'boolean') boolean(seen, option, pointer, judge);
    if (typeof option.category === 'string') category(seen, option.category, pointer, judge);
  });
};

const select = (seen: SeenFrame, option: JsonObject, pointer: string, judge: Judge): void => {
  const { currentValue } = option;
  const isOffered = typeof currentValue !== 'string' || valuesOf(option).includes(currentValue);
  if (currentValue !== undefined && isOffered) return;
  judge.violated(
    'CFG-02',
    showing(seen, {
      detail: 'The current value is not one of the option’s values',
      pointer: `${pointer}/currentValue`,
      expected: `one of ${JSON.stringify(valuesOf(option))}`,
      ...(currentValue !== undefined && { actual: currentValue }),
    }),
  );
};

const boolean = (seen: SeenFrame, option: JsonObject, pointer: string, judge: Judge): void => {
  judge.exercised('CFG-16');
  if (typeof option.currentValue === 'boolean' && option.options === undefined) return;
  judge.violated(
    'CFG-16',
    showing(seen, { detail: 'A boolean option has a boolean currentValue and no options', pointer }),
  );
};

/** Names that ACP defines; others are reserved unless they start with an underscore. */
const categories: ReadonlySet<string> = new Set(['mode', 'model', 'model_config', 'thought_level']);

const category = (seen: SeenFrame, name: string, pointer: string, judge: Judge): void => {
  judge.exercised('CFG-13');
  if (categories.has(name) || name.startsWith('_')) return;
  judge.violated(
    'CFG-13',
    showing(seen, {
      detail: 'A category that ACP does not define and that does not start with an underscore',
      pointer: `${pointer}/category`,
      actual: name,
    }),
  );
};

const pairing = (seen: SeenFrame, options: Json | undefined, judge: Judge): void => {
  const hasModes = isObject(seen.payload?.modes);
  const hasOption =
    Array.isArray(options) && options.some((option: Json) => isObject(option) && option.category === 'mode');
  if (!hasModes && !hasOption) return;
  judge.exercised('CFG-14');
  if (hasModes && hasOption) return;
  judge.violated(
    'CFG-14',
    showing(seen, {
      detail: hasModes ? 'Modes without a config option of category mode' : 'A mode option without modes',
      pointer: '/result',
      ...(hasModes && { situation: 'modes-without-mode-option' }),
    }),
  );
};

const chosen = ({ known }: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  if (!known.has(sessionId)) return;
  const { configId, value } = seen.payload ?? {};
  judge.exercised('CFG-07');
  if (seen.payload && known.isFit(sessionId, seen.payload)) return;
  const isOption = known.includes(sessionId, configId);
  judge.violated(
    'CFG-07',
    showing(seen, {
      detail: isOption
        ? 'A value that the option does not offer'
        : 'An option that the session does not have',
      pointer: isOption ? '/params/value' : '/params/configId',
      ...(value !== undefined && { actual: value }),
    }),
  );
};
