/**
 * The mode and the config option for the mode say the same. After a change through one of them, the other follows
 * with a notification or with the next full state. A notification tells against the agent only while the session has done
 * nothing since, since the agent may change the mode itself. State: 64-bit hashes of each session's mode, of the value of
 * its option, and of what that offers.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, digest, type HashMap } from './hash-map.ts';
import { valuesOf } from './known-options.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

/** What was changed last, so that the other is to follow; 0 when both say the same. */
const modeAhead = 1;
const optionAhead = 2;
/** Added when a turn has begun since. */
const worked = 4;

interface State {
  readonly modes: HashMap;
  readonly values: HashMap;
  readonly offered: HashMap;
  readonly ahead: HashMap;
}

export const modeAgreement = defineFrameRule<State>({
  name: 'mode-agreement',
  party: 'agent',
  on: [
    'session/new',
    'session/load',
    'session/resume',
    'session/prompt',
    'session/set_mode',
    'session/set_config_option',
    'update:current_mode_update',
    'update:config_option_update',
  ],
  requirements: {
    'MODE-06': 'a notification or full state after session/set_mode, or after the mode option was set',
  },

  init: () => ({
    modes: createHashMap(),
    values: createHashMap(),
    offered: createHashMap(),
    ahead: createHashMap(),
  }),

  step(state, seen, judge) {
    const { sessionId, method, message, answer } = seen;
    if (sessionId === undefined) return;
    const { ahead } = state;
    if (seen.update) {
      if (seen.from === 'agent') notified(state, sessionId, seen, judge);
    } else if (method === 'session/prompt') {
      const now = ahead.get(sessionId);
      if (message?.type === 'request' && now !== 0) ahead.set(sessionId, now | worked);
    } else if (answer !== 'first' || message?.type !== 'result') {
      return;
    } else if (method === 'session/set_mode') {
      modeSet(state, sessionId, seen);
    } else if (method === 'session/set_config_option') {
      optionSet(state, sessionId, seen, judge);
    } else {
      opened(state, sessionId, seen, judge);
    }
  },
});

const opened = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const { modes, configOptions } = seen.payload ?? {};
  const option = modeOption(configOptions);
  const mode = isObject(modes) ? modes.currentModeId : undefined;
  state.modes.set(sessionId, digestOf(mode));
  state.ahead.set(sessionId, 0);
  keep(state, sessionId, option);
  if (option && mode !== undefined && isContrary(state, sessionId)) told(seen, option.currentValue, judge);
};

const modeSet = ({ modes, values, ahead }: State, sessionId: string, { request }: SeenFrame): void => {
  const mode = digestOf(request?.params?.modeId);
  modes.set(sessionId, mode);
  ahead.set(sessionId, values.get(sessionId) === mode ? 0 : modeAhead);
};

const optionSet = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const option = modeOption(seen.payload?.configOptions);
  if (!option) return;
  const isItself = seen.request?.params?.configId === option.id;
  keep(state, sessionId, option);
  if (isItself) {
    state.ahead.set(sessionId, isContrary(state, sessionId) ? optionAhead : 0);
  } else if ((state.ahead.get(sessionId) & modeAhead) !== 0) {
    judge.exercised('MODE-06');
    state.ahead.set(sessionId, 0);
    if (isContrary(state, sessionId)) told(seen, option.currentValue, judge);
  }
};

const notified = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const { modes, values, ahead } = state;
  const option = seen.kind === 'config_option_update' ? modeOption(seen.update?.configOptions) : undefined;
  const said = option ? option.currentValue : seen.update?.currentModeId;
  if (typeof said !== 'string') return;
  const before = ahead.get(sessionId);
  const own = option ? values : modes;
  const isOld = own.get(sessionId) === digestOf(said);
  if (option) keep(state, sessionId, option);
  else modes.set(sessionId, digestOf(said));
  const isFollowing = before === (option ? modeAhead : optionAhead) && seen.turns.length === 0;
  const differs = modes.get(sessionId) !== values.get(sessionId);
  ahead.set(sessionId, differs ? (option ? optionAhead : modeAhead) : 0);
  if (!isFollowing) return;
  if (!differs) judge.exercised('MODE-06');
  else if (isOld && isContrary(state, sessionId)) told(seen, said, judge);
};

const keep = ({ values, offered }: State, sessionId: string, option: JsonObject | undefined): void => {
  values.set(sessionId, digestOf(option?.currentValue));
  if (option) for (const value of valuesOf(option)) offered.set(`${sessionId} ${digestOf(value)}`, 1);
};

/** Whether both are known, differ, and speak of the same modes. */
const isContrary = ({ modes, values, offered }: State, sessionId: string): boolean => {
  const mode = modes.get(sessionId);
  const value = values.get(sessionId);
  return mode !== 0 && value !== 0 && mode !== value && offered.get(`${sessionId} ${mode}`) !== 0;
};

const told = (seen: SeenFrame, actual: Json | undefined, judge: Judge): void =>
  judge.violated(
    'MODE-06',
    showing(seen, {
      detail: 'The mode and the config option for the mode differ',
      ...(actual !== undefined && { actual }),
      expected: 'the mode that the other of the two tells',
    }),
  );

const modeOption = (list: Json | undefined): JsonObject | undefined =>
  Array.isArray(list) ? list.filter(isObject).find(({ category }) => category === 'mode') : undefined;

const digestOf = (value: Json | undefined): number => (typeof value === 'string' ? digest(value) : 0);
