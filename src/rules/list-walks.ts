/**
 * Walks over the pages of session/list: from a request without cursor on, each with the cursor that came with the page
 * before. A walk ends early when anything else of sessions is asked for, since they may then move between its pages.
 * State: 64-bit hashes of sessions and cwds, and of the cursors of one walk.
 */
import type { Evidence, Judge, RequirementId } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface Walk {
  readonly cwd: string | undefined;
  /** Sessions and cursors that came. */
  readonly met: HashMap;
  /** The cursor that leads on. */
  next: string | undefined;
  /** Known sessions that belong to it, and how many of them came. */
  readonly due: number;
  came: number;
}

type Listed = JsonObject & { readonly sessionId: string };

interface State {
  /** Sessions made on the connection: 1, with a finished turn 2. */
  readonly made: HashMap;
  /** How many have a finished turn. */
  stored: number;
  /** Pairs of cwd and session that a walk without filter met, and for each cwd how many. */
  listed: HashMap;
  walk: Walk | undefined;
}

export const listWalks = defineFrameRule<State>({
  name: 'list-walks',
  party: 'agent',
  on: ['session/new', 'session/load', 'session/resume', 'session/prompt', 'session/delete', 'session/list'],
  requirements: {
    'LIST-04': 'all pages of session/list for the cwd of a session that a walk without filter met',
    'LIST-07': 'all pages of session/list, with a session on one of them',
    'LIST-14': 'the answer to session/list with the cursor of the page before',
    'LIST-15': 'all pages of session/list without filter, after a finished turn',
  },

  init: () => ({ made: createHashMap(), stored: 0, listed: createHashMap(), walk: undefined }),

  step(state, seen, judge) {
    if (seen.method !== 'session/list') {
      state.walk = undefined;
      if (seen.answer === 'first' && seen.message?.type === 'result') note(state, seen);
    } else if (seen.answer === 'first') {
      page(state, seen, judge);
    }
  },
});

const note = (state: State, { method, sessionId }: SeenFrame): void => {
  if (sessionId === undefined) return;
  const { made } = state;
  const standing = made.get(sessionId);
  if (method === 'session/new' && standing === 0) {
    made.set(sessionId, 1);
  } else if (method === 'session/prompt' && standing === 1) {
    made.set(sessionId, 2);
    state.stored++;
  } else if (method === 'session/delete') {
    made.set(sessionId, 0);
    if (standing === 2) state.stored--;
    // Which cwd it was listed with is not kept.
    state.listed = createHashMap();
  }
};

const page = (state: State, seen: SeenFrame, judge: Judge): void => {
  const walk = walkOf(state, seen, judge);
  const { sessions, nextCursor } = seen.payload ?? {};
  state.walk = undefined;
  // Whoever lists what has no id cannot be asked whether a session was left out.
  if (!walk || !Array.isArray(sessions) || !sessions.every(hasId)) return;
  for (const entry of sessions) meet(state, walk, entry, seen, judge);
  if (typeof nextCursor !== 'string') {
    finish(walk, seen, judge);
    return;
  }
  if (isAgain(walk, `cursor ${nextCursor}`, seen))
    tell(
      'LIST-07',
      { detail: 'The walk comes back to a cursor', pointer: '/result/nextCursor' },
      seen,
      judge,
    );
  walk.next = nextCursor;
  state.walk = walk;
};

/** The walk that the answer belongs to; undefined for a cursor that is not of the page before. */
const walkOf = ({ walk, stored, listed }: State, seen: SeenFrame, judge: Judge): Walk | undefined => {
  const { cwd: filter, cursor } = seen.request?.params ?? {};
  const cwd = typeof filter === 'string' ? filter : undefined;
  if (cursor == null) {
    const due = cwd === undefined ? stored : listed.get(`all of ${cwd}`);
    return { cwd, met: createHashMap(), next: undefined, due, came: 0 };
  }
  if (walk?.next === undefined || walk.next !== cursor || walk.cwd !== cwd) return undefined;
  judge.exercised('LIST-14');
  if (seen.message?.type === 'error')
    tell('LIST-14', { detail: 'The cursor of the page before is refused', pointer: '/error' }, seen, judge);
  return walk;
};

const hasId = (entry: Json): entry is Listed => isObject(entry) && typeof entry.sessionId === 'string';

const meet = (state: State, walk: Walk, { sessionId, cwd }: Listed, seen: SeenFrame, judge: Judge): void => {
  if (isAgain(walk, `session ${sessionId}`, seen)) {
    const detail = `The walk comes to ${JSON.stringify(sessionId)} twice`;
    tell('LIST-07', { detail, pointer: '/result/sessions' }, seen, judge);
  } else if (walk.cwd === undefined) {
    if (state.made.get(sessionId) === 2) walk.came++;
    if (typeof cwd === 'string') noteListed(state.listed, sessionId, cwd);
  } else if (state.listed.get(`${walk.cwd} ${sessionId}`) !== 0) {
    walk.came++;
  }
};

const noteListed = (listed: HashMap, sessionId: string, cwd: string): void => {
  if (listed.get(`${cwd} ${sessionId}`) !== 0) return;
  listed.set(`${cwd} ${sessionId}`, 1);
  listed.set(`all of ${cwd}`, listed.get(`all of ${cwd}`) + 1);
};

const isAgain = ({ met }: Walk, what: string, { entry }: SeenFrame): boolean => {
  const earlier = met.get(what);
  met.set(what, entry.seq);
  return earlier !== 0;
};

const finish = ({ cwd, met, due, came }: Walk, seen: SeenFrame, judge: Judge): void => {
  if (met.size > 0) judge.exercised('LIST-07');
  if (due === 0) return;
  const requirement = cwd === undefined ? 'LIST-15' : 'LIST-04';
  judge.exercised(requirement);
  if (came >= due) return;
  const detail =
    cwd === undefined
      ? `${due - came} of ${due} sessions with a finished turn on no page`
      : `${due - came} of ${due} sessions of this directory, which are listed without filter, on no page`;
  tell(requirement, { detail, pointer: '/result/sessions' }, seen, judge);
};

const tell = (
  requirement: RequirementId,
  rest: Pick<Evidence, 'detail' | 'pointer'>,
  seen: SeenFrame,
  judge: Judge,
): void => judge.violated(requirement, showing(seen, { ...rest, after: seen.request!.seq }));
