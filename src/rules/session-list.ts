/**
 * What session/list says of a session agrees with what is known of it: where it works, its extra roots, the title that
 * was pushed, that it was deleted. Paths are compared as texts, but for a separator at the end. State: 64-bit hashes.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, digest } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

const createState = () => ({
  /** Session -> hash of the cwd that it was opened with. */
  cwds: createHashMap(),
  /** One entry for each cwd. */
  places: createHashMap(),
  /** Session -> hash of its extra roots; none without any. */
  roots: createHashMap(),
  /** Session -> hash of the title that was pushed last, and the sequence of that update. */
  titles: createHashMap(),
  pushed: createHashMap(),
  listed: createHashMap(),
  /** Session -> sequence of the answer to its session/delete. */
  deleted: createHashMap(),
  /** A session that was listed has been deleted. */
  canReturn: false,
});
type State = ReturnType<typeof createState>;

export const sessionList = defineFrameRule<State>({
  name: 'session-list',
  party: 'agent',
  scope: 'run',
  on: [
    'session/new',
    'session/load',
    'session/resume',
    'session/delete',
    'session/list',
    'update:session_info_update',
  ],
  requirements: {
    'LIST-04': 'a session/list result for a cwd, when sessions were opened in two',
    'INFO-03': 'a session/list entry of a session whose title was pushed before',
    'INFO-04': 'a session/list entry of a session whose opening was seen',
    'DIR-08': 'a session/list entry with additionalDirectories of a session whose opening was seen',
    'DEL-03': 'the last page of session/list, asked for after a listed session was deleted',
    'DEL-06': 'the answer to session/delete of an open session, or to session/load of a deleted one',
  },

  init: createState,

  step(state, seen, judge) {
    const { method, sessionId, message } = seen;
    if (seen.update) titled(state, seen);
    if (seen.answer !== 'first') return;
    if (sessionId !== undefined && isLeftToAgents(state, seen, sessionId)) judge.exercised('DEL-06');
    if (message?.type !== 'result') return;
    if (method === 'session/list') listed(state, seen, judge);
    else if (sessionId === undefined) return;
    else if (method === 'session/delete') gone(state, seen, sessionId);
    else opened(state, seen, sessionId);
  },
});

const isLeftToAgents = ({ deleted }: State, { method, standing }: SeenFrame, sessionId: string): boolean =>
  method === 'session/delete'
    ? standing === 'open'
    : method === 'session/load' && deleted.get(sessionId) !== 0;

const titled = ({ titles, pushed }: State, { from, sessionId, update, entry }: SeenFrame): void => {
  const title = update?.title;
  if (from !== 'agent' || sessionId === undefined || (typeof title !== 'string' && title !== null)) return;
  titles.set(sessionId, digest(JSON.stringify(title)));
  pushed.set(sessionId, entry.seq);
};

const gone = (state: State, { entry }: SeenFrame, sessionId: string): void => {
  state.deleted.set(sessionId, entry.seq);
  if (state.listed.get(sessionId) !== 0) state.canReturn = true;
};

const opened = (state: State, { method, request }: SeenFrame, sessionId: string): void => {
  const { cwd, additionalDirectories: roots } = request?.params ?? {};
  state.deleted.set(sessionId, 0);
  state.roots.set(sessionId, Array.isArray(roots) && roots.length > 0 ? digestOf(roots) : 0);
  if (typeof cwd !== 'string') return;
  const place = digestOf(cwd);
  state.places.set(bare(cwd), 1);
  // A session that is reopened elsewhere is left alone: nothing says which of the two is to be listed.
  const isMoved = method !== 'session/new' && state.cwds.get(sessionId) !== place;
  state.cwds.set(sessionId, isMoved ? 0 : place);
};

const listed = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { sessions, nextCursor } = seen.payload ?? {};
  if (!Array.isArray(sessions)) return;
  const filter = seen.request?.params?.cwd;
  if (typeof filter === 'string' && state.places.size > 1) judge.exercised('LIST-04');
  if (state.canReturn && nextCursor == null) judge.exercised('DEL-03');
  sessions.forEach((entry: Json, index) => {
    if (!isObject(entry)) return;
    const pointer = `/result/sessions/${index}`;
    if (typeof filter === 'string') filtered(filter, entry, pointer, seen, judge);
    if (typeof entry.sessionId === 'string') known(state, entry.sessionId, entry, pointer, seen, judge);
  });
};

const filtered = (
  filter: string,
  { cwd }: JsonObject,
  pointer: string,
  seen: SeenFrame,
  judge: Judge,
): void => {
  if (typeof cwd !== 'string' || bare(cwd) === bare(filter)) return;
  judge.violated(
    'LIST-04',
    showing(seen, {
      detail: 'A session of another directory than the one that was asked for',
      after: seen.request!.seq,
      pointer: `${pointer}/cwd`,
      expected: filter,
      actual: cwd,
    }),
  );
};

const known = (
  state: State,
  sessionId: string,
  entry: JsonObject,
  pointer: string,
  seen: SeenFrame,
  judge: Judge,
): void => {
  const asked = seen.request!.seq;
  const violated = (requirement: string, member: string, detail: string, after: number = asked): void =>
    judge.violated(
      requirement,
      showing(seen, {
        detail,
        after,
        pointer: `${pointer}${member}`,
        actual: (member === '' ? entry : entry[member.slice(1)]) ?? null,
      }),
    );

  state.listed.set(sessionId, 1);
  const deleted = state.deleted.get(sessionId);
  if (deleted !== 0 && deleted < asked) violated('DEL-03', '', 'The session was deleted', deleted);

  const cwd = state.cwds.get(sessionId);
  if (cwd === 0) return;
  judge.exercised('INFO-04');
  if (typeof entry.cwd === 'string' && digestOf(entry.cwd) !== cwd) {
    violated('INFO-04', '/cwd', 'Another cwd than the one that the session was opened with');
  }
  const { additionalDirectories: roots } = entry;
  if (Array.isArray(roots)) judge.exercised('DIR-08');
  if (Array.isArray(roots) && roots.length > 0 && digestOf(roots) !== state.roots.get(sessionId)) {
    violated('DIR-08', '/additionalDirectories', 'Other roots than those that the session was opened with');
  }
  const pushed = state.pushed.get(sessionId);
  if (pushed === 0 || pushed > asked) return;
  judge.exercised('INFO-03');
  if (digest(JSON.stringify(entry.title ?? null)) !== state.titles.get(sessionId)) {
    violated('INFO-03', '/title', 'Another title than the one that was announced', pushed);
  }
};

/** Hash of a path, or of a list of paths. */
const digestOf = (paths: Json): number =>
  digest(JSON.stringify(Array.isArray(paths) ? paths.map(bare) : bare(paths)));

/** A path without the separator at its end. */
const bare = <T extends Json>(path: T): T | string =>
  typeof path === 'string' ? path.replace(/(?<=[^\\/])[\\/]+$/, '') : path;
