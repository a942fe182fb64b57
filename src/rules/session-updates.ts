/**
 * Updates name a session that exists. While a session/new is in flight, updates of an unknown session are held back
 * until its result tells whether they were meant for it. Sessions of an earlier connection count as known.
 * Judged only where the connection was recorded from its initialize on. State: a count, and at most 64 held updates.
 */
import { type Evidence, isTurnContent, type Judge } from '../catalogue/index.ts';
import { reportCounts, showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';
import { making } from './session-table.ts';

interface State {
  replayed: number;
  /** Updates of sessions that nobody knows yet, by session id. */
  readonly held: Map<string, Evidence>;
}

const maxHeld = 64;

export const sessionUpdates = defineFrameRule<State>({
  name: 'session-updates',
  party: 'agent',
  on: [
    'stray-update',
    'update-request',
    'session/new',
    'session/fork',
    'fs/read_text_file',
    'fs/write_text_file',
  ],
  requirements: {
    'UPD-02': 'a session/update',
    'UPD-05': 'a session/update after initialize',
    'SESS-11': 'a session/new result',
    'PROMPT-20': 'a turn content update while a turn runs',
    'LOAD-07': 'an update between a session/load request and its response',
    'FS-13': 'counted with the member sessionId of an fs request',
  },

  counts: () => ({ 'UPD-02': ['begun-update'], 'UPD-05': ['begun-update'], 'PROMPT-20': ['turn-update'] }),

  init: () => ({ replayed: 0, held: new Map() }),

  step(state, seen, judge) {
    if (seen.facts.initializeParams === undefined) return;
    if (seen.method === 'session/update') update(state, seen, judge);
    else if (seen.answer === 'first') opened(state, seen, judge);
    else if (seen.from === 'agent' && seen.standing === 'unknown') unknownSession('FS-13', seen, judge);
  },

  end({ replayed, held }, judge) {
    reportCounts(judge, { 'LOAD-07': replayed });
    for (const evidence of held.values()) judge.violated('UPD-05', evidence);
  },
});

const update = (state: State, seen: SeenFrame, judge: Judge): void => {
  if (seen.from !== 'agent') return;
  if (seen.message?.type === 'request') {
    judge.violated('UPD-02', showing(seen, { detail: 'session/update with an id', pointer: '/id' }));
  }
  const { standing, sessionId } = seen;
  if (standing === 'opening') {
    state.replayed++;
  } else if (standing === 'perhaps' && sessionId !== undefined) {
    if (!state.held.has(sessionId) && state.held.size < maxHeld)
      state.held.set(sessionId, unknownEvidence(seen));
  } else if (standing === 'unknown') {
    judgeUnknown(seen, judge);
  }
};

const judgeUnknown = (seen: SeenFrame, judge: Judge): void => {
  unknownSession('UPD-05', seen, judge);
  if (!isTurnContent(seen.kind)) return;
  const open = [...seen.open.client.values()];
  if (open.some(({ method }) => method === 'session/prompt')) {
    unknownSession('PROMPT-20', seen, judge);
  } else if (open.some(({ method }) => method === 'session/load')) {
    unknownSession('LOAD-07', seen, judge);
  }
};

/** A session/new or fork was answered: what was held for it came too early, and the rest belongs to nothing. */
const opened = ({ held }: State, seen: SeenFrame, judge: Judge): void => {
  if (seen.method === 'session/new' && seen.message?.type === 'result') judge.exercised('SESS-11');
  const early = seen.sessionId === undefined ? undefined : held.get(seen.sessionId);
  if (early && seen.sessionId !== undefined) {
    held.delete(seen.sessionId);
    judge.violated('SESS-11', {
      ...early,
      after: seen.request!.seq,
      detail: 'An update of the session before the result that tells its id',
      hint: 'Send what the session announces after its session/new result; clients drop what names an unknown id.',
    });
  }
  if ([...seen.open.client.values()].some(({ method }) => making.has(method))) return;
  for (const evidence of held.values()) judge.violated('UPD-05', evidence);
  held.clear();
};

const unknownSession = (requirement: string, seen: SeenFrame, judge: Judge): void =>
  judge.violated(requirement, unknownEvidence(seen));

const unknownEvidence = (seen: SeenFrame): Evidence =>
  showing(seen, {
    detail: 'The session does not exist on this connection',
    pointer: '/params/sessionId',
    expected: 'the id of a session that was made, loaded or resumed',
    ...(seen.sessionId !== undefined && { actual: seen.sessionId }),
  });
