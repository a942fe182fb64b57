/**
 * A session with a finished turn can be loaded by a later process of the agent. State: a 64-bit hash of each session
 * with the connection of its last turn.
 */
import { errorCode, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';

export const storedSessions = defineFrameRule({
  name: 'stored-sessions',
  party: 'agent',
  scope: 'run',
  on: ['session/new', 'session/prompt', 'session/load', 'session/delete'],
  requirements: {
    'LOAD-11': 'the answer to session/load in another process than that of the last turn of the session',
  },

  init: () => ({ made: createHashMap(), stored: createHashMap() }),

  step({ made, stored }, seen, judge) {
    const { sessionId, method, message, answer, entry } = seen;
    if (sessionId === undefined) return;
    if (method === 'session/delete') stored.set(sessionId, 0);
    if (answer !== 'first') return;
    if (method === 'session/load') {
      const connection = stored.get(sessionId);
      if (connection === 0 || connection === entry.connection) return;
      const code = message?.type === 'error' ? message.error.code : undefined;
      if (isOtherMatter.has(code)) return;
      judge.exercised('LOAD-11');
      if (code === undefined) return;
      judge.violated(
        'LOAD-11',
        showing(seen, {
          detail: 'A session of an earlier process cannot be loaded',
          after: seen.request!.seq,
          actual: sessionId,
          hint: 'Store a session under the id that session/new gave, when its first turn ends at the latest.',
        }),
      );
    } else if (message?.type === 'result') {
      if (method === 'session/new') made.set(sessionId, 1);
      if (method === 'session/prompt' && made.get(sessionId) !== 0) stored.set(sessionId, entry.connection);
    }
  },
});

/** Refusals for want of a login, of the method, or of patience. */
const isOtherMatter: ReadonlySet<Json | undefined> = new Set([
  errorCode.authRequired,
  errorCode.methodNotFound,
  errorCode.requestCancelled,
]);
