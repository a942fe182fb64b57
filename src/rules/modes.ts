/**
 * Modes of a session: the current one, and those that are set, are among those offered. State: a 64-bit hash of each
 * session and of each of its modes.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject, type Party } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  readonly subject: Party;
  /** 1 with modes, 2 without, by session. */
  readonly sessions: HashMap;
  readonly modes: HashMap;
}

export const modes = defineFrameRule<State>({
  name: 'modes',
  on: ['session/new', 'session/load', 'session/resume', 'session/set_mode', 'update:current_mode_update'],
  requirements: {
    'MODE-01': 'a session/new, load or resume result with modes',
    'MODE-02': 'a session/set_mode request for a session whose opening was seen',
    'MODE-05': 'a current_mode_update of a session with modes',
  },

  init: ({ subject }) => ({ subject, sessions: createHashMap(), modes: createHashMap() }),

  step(state, seen, judge) {
    const { sessionId, update, payload, message } = seen;
    if (sessionId === undefined) return;
    if (seen.answer === 'first' && message?.type === 'result' && seen.method !== 'session/set_mode') {
      offered(state, sessionId, seen, judge);
    } else if (update && state.subject === 'agent') {
      if (state.sessions.get(sessionId) !== 1) return;
      judge.exercised('MODE-05');
      isMember(
        state,
        sessionId,
        update.currentModeId,
        'MODE-05',
        '/params/update/currentModeId',
        seen,
        judge,
      );
    } else if (
      message?.type === 'request' &&
      seen.method === 'session/set_mode' &&
      state.subject === 'client'
    ) {
      if (state.sessions.get(sessionId) === 0) return;
      judge.exercised('MODE-02');
      isMember(state, sessionId, payload?.modeId, 'MODE-02', '/params/modeId', seen, judge);
    }
  },
});

const offered = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const given = seen.payload?.modes;
  if (!isObject(given)) {
    if (state.sessions.get(sessionId) === 0) state.sessions.set(sessionId, 2);
    return;
  }
  state.sessions.set(sessionId, 1);
  const ids = idsOf(given);
  for (const id of ids) state.modes.set(`${sessionId} ${id}`, 1);
  if (state.subject !== 'agent') return;
  const at = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (at >= 0) {
    judge.violated(
      'MODE-01',
      showing(seen, { detail: 'Two modes with one id', pointer: `/result/modes/availableModes/${at}/id` }),
    );
  }
  isMember(state, sessionId, given.currentModeId, 'MODE-01', '/result/modes/currentModeId', seen, judge);
};

const idsOf = ({ availableModes }: JsonObject): readonly string[] =>
  Array.isArray(availableModes)
    ? availableModes.flatMap((mode: Json) => (isObject(mode) && typeof mode.id === 'string' ? [mode.id] : []))
    : [];

const isMember = (
  { modes }: State,
  sessionId: string,
  mode: Json | undefined,
  requirement: string,
  pointer: string,
  seen: SeenFrame,
  judge: Judge,
): void => {
  if (typeof mode !== 'string' || modes.get(`${sessionId} ${mode}`) !== 0) return;
  judge.violated(
    requirement,
    showing(seen, { detail: 'A mode that the session does not offer', pointer, actual: mode }),
  );
};
