/** Ids that session/new gives, over all connections of a run. State: a 64-bit hash of each id. */
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';

export const sessionIds = defineFrameRule({
  name: 'session-ids',
  party: 'agent',
  on: ['session/new'],
  scope: 'run',
  requirements: {
    'SESS-03': 'a session/new result after an earlier one of the run',
    'SESS-13': 'a session/new result with a sessionId',
  },

  init: () => ({ made: createHashMap() }),

  step({ made }, seen, judge) {
    const { answer, sessionId, message } = seen;
    if (answer !== 'first' || message?.type !== 'result' || sessionId === undefined) return;
    const pointer = '/result/sessionId';
    judge.exercised('SESS-13');
    if (sessionId === '')
      judge.violated('SESS-13', showing(seen, { detail: 'The sessionId is empty', pointer }));
    if (made.size > 0) judge.exercised('SESS-03');
    const earlier = made.get(sessionId);
    if (earlier !== 0) {
      judge.violated(
        'SESS-03',
        showing(seen, {
          detail: 'The sessionId is that of an earlier session',
          after: earlier,
          pointer,
          actual: sessionId,
        }),
      );
    }
    made.set(sessionId, seen.entry.seq);
  },
});
