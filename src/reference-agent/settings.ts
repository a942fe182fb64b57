/**
 * What the user can set for a session: its mode, and config options. The mode is also an option; whoever changes it,
 * both are told.
 */
import type { Json, JsonObject } from '../wire/index.ts';
import { invalidParams } from './errors.ts';
import { text } from './params.ts';
import { type Session, sessionOf, tell } from './session.ts';
import type { Agent, Handler } from './state.ts';

const availableModes = [
  { id: 'ask', name: 'Ask', description: 'Answers questions' },
  { id: 'code', name: 'Code', description: 'Works on files' },
];
const models = [
  { value: 'small', name: 'Small' },
  { value: 'large', name: 'Large' },
];
const thoughtLevels = [
  { value: 'low', name: 'Low' },
  { value: 'high', name: 'High' },
];

export const defaultMode = 'ask';
/** Of all options but the mode. */
export const defaultOptions = { model: 'small', thought: 'low', brief: false };

export const setMode: Handler = (agent, params) => {
  changeMode(agent, sessionOf(agent, params), text(params, 'modeId'));
  return {};
};

export const setConfigOption: Handler = (agent, params) => {
  const session = sessionOf(agent, params);
  const configId = text(params, 'configId');
  const option = configOptions(agent, session).find(({ id }) => id === configId);
  if (!option) throw invalidParams('Unknown config option', { configId });
  changeOption(agent, session, configId, readValue(option, params));
  return { configOptions: configOptions(agent, session) };
};

/** @throws ResponseError for an unknown mode */
export const changeMode = (agent: Agent, session: Session, modeId: string): void => {
  const { record } = session;
  if (!availableModes.some(({ id }) => id === modeId)) throw invalidParams('Unknown mode', { modeId });
  if (record.modeId === modeId) return;
  record.modeId = modeId;
  agent.store.save(record);
  tell(agent, session, { sessionUpdate: 'current_mode_update', currentModeId: modeId });
  announceOptions(agent, session);
};

/** Sets an option to a value that it has. */
export const changeOption = (
  agent: Agent,
  session: Session,
  configId: string,
  value: string | boolean,
): void => {
  const { record } = session;
  if (configId === 'mode') {
    changeMode(agent, session, String(value));
  } else if (record.options[configId] !== value) {
    record.options[configId] = value;
    agent.store.save(record);
    announceOptions(agent, session);
  }
};

/** `modes` and `configOptions` as session/new, load and resume return them. */
export const settingsOf = (agent: Agent, session: Session): JsonObject => ({
  ...(agent.behaviour.modes && {
    modes: { currentModeId: session.record.modeId, availableModes },
  }),
  ...(agent.behaviour.configOptions && { configOptions: configOptions(agent, session) }),
});

const announceOptions = (agent: Agent, session: Session): void => {
  if (!agent.behaviour.configOptions) return;
  tell(agent, session, {
    sessionUpdate: 'config_option_update',
    configOptions: configOptions(agent, session),
  });
};

/** The complete list with current values. The switch is for clients that know switches. */
const configOptions = ({ behaviour, capabilities }: Agent, { record }: Session): readonly JsonObject[] => {
  const { model, thought, brief } = record.options;
  const modes = availableModes.map(({ id, ...rest }) => ({ value: id, ...rest }));
  return [
    ...(behaviour.modes ? [select('mode', 'Mode', 'mode', record.modeId, modes)] : []),
    select('model', 'Model', 'model', model, models),
    select('thought', 'Thought level', 'thought_level', thought, thoughtLevels),
    ...(capabilities.booleanOptions
      ? [{ id: 'brief', name: 'Brief answers', type: 'boolean', currentValue: brief }]
      : []),
  ];
};

const select = (
  id: string,
  name: string,
  category: string,
  currentValue: Json | undefined,
  options: Json,
): JsonObject => ({ id, name, category, type: 'select', currentValue, options });

/** A switch takes `type: boolean` with a boolean; a choice takes one of its values. */
const readValue = ({ type, options }: JsonObject, params: JsonObject): string | boolean => {
  const { value } = params;
  if (type === 'boolean') {
    if (params.type === 'boolean' && typeof value === 'boolean') return value;
    throw invalidParams('This option takes type boolean and a boolean value');
  }
  const isKnown = (options as readonly JsonObject[]).some(option => option.value === value);
  if (typeof value === 'string' && isKnown) return value;
  throw invalidParams('value must be one of the values of the option', { value });
};
