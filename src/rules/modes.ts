/**
 * Modes of a session: the current one, and those that are set, are among those offered, and session/set_mode is answered
 * accordingly. State: a 64-bit hash of each session and of each of its modes.
 */
import type { Judge } from '../catalogue/index.ts';
import { errorCode, isObject, type Json, type JsonObject, type Party } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

const withModes = 1;
/** Opened without modes by another method than session/new, whose result may leave them out. */
const unknownModes = 2;
const withoutModes = 3;

interface State {
  readonly subject: Party;
  /** Which of the three it is; 0 for a session that was closed, too. */
  readonly sessions: HashMap;
  readonly modes: HashMap;
}

export const modes = defineFrameRule<State>({
  name: 'modes',
  on: [
    'session/new',
    'session/load',
    'session/resume',
    'session/close',
    'session/delete',
    'session/set_mode',
    'update:current_mode_update',
  ],
  requirements: {
    'MODE-01': 'a session/new, load or resume result with modes',
    'MODE-02': 'a session/set_mode request for a session whose opening was seen',
    'MODE-03': 'the answer to session/set_mode with a mode of the session',
    'MODE-04': 'the answer to session/set_mode with another mode than those of the session',
    'MODE-05': 'a current_mode_update of a session with modes',
    'MODE-07': 'the answer to session/set_mode in a session whose session/new result had no modes',
  },

  init: ({ subject }) => ({ subject, sessions: createHashMap(), modes: createHashMap() }),

  step(state, seen, judge) {
    const { sessionId, update, payload, message } = seen;
    if (sessionId === undefined) return;
    if (seen.method === 'session/close' || seen.method === 'session/delete') {
      state.sessions.set(sessionId, 0);
    } else if (seen.method === 'session/set_mode' && seen.answer === 'first') {
      if (state.subject === 'agent') answered(state, sessionId, seen, judge);
    } else if (seen.answer === 'first' && message?.type === 'result') {
      offered(state, sessionId, seen, judge);
    } else if (update && state.subject === 'agent') {
      if (state.sessions.get(sessionId) !== withModes) return;
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
    const isNew = seen.method === 'session/new';
    if (state.sessions.get(sessionId) === 0)
      state.sessions.set(sessionId, isNew ? withoutModes : unknownModes);
    return;
  }
  state.sessions.set(sessionId, withModes);
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

const answered = (state: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const { request, message } = seen;
  const mode = request?.params?.modeId;
  const standing = state.sessions.get(sessionId);
  if (!request || typeof mode !== 'string' || standing === 0 || standing === unknownModes) return;
  const code = message?.type === 'error' ? message.error.code : undefined;
  const violated = (requirement: string, detail: string): void =>
    judge.violated(requirement, showing(seen, { detail, after: request.seq, actual: mode }));

  if (standing === withoutModes) {
    judge.exercised('MODE-07');
    if (code === undefined) violated('MODE-07', 'A mode is set although the session has none');
  } else if (state.modes.get(`${sessionId} ${mode}`) === 0) {
    judge.exercised('MODE-04');
    if (code === undefined) violated('MODE-04', 'A mode is set that the session does not offer');
    if (code === errorCode.internalError) violated('MODE-04', 'An unknown mode is an internal error');
  } else if (code !== errorCode.authRequired && code !== errorCode.requestCancelled) {
    judge.exercised('MODE-03');
    if (code !== undefined) violated('MODE-03', 'A mode that the session offers is refused');
  }
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
