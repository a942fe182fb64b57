/** Cursors of session/list: one that the agent never gave is refused. State: a 64-bit hash of each cursor. */
import { errorCode } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';

export const listCursors = defineFrameRule({
  name: 'list-cursors',
  party: 'agent',
  scope: 'run',
  on: ['session/list'],
  requirements: { 'LIST-06': 'the answer to session/list with a cursor that the agent never gave' },

  init: () => ({ given: createHashMap() }),

  step({ given }, seen, judge) {
    const { answer, request, message, payload } = seen;
    if (answer !== 'first') return;
    const cursor = request?.params?.cursor;
    const isGiven = typeof cursor !== 'string' || given.get(cursor) !== 0;
    if (typeof payload?.nextCursor === 'string') given.set(payload.nextCursor, 1);
    // What an earlier recording gave is not known.
    if (isGiven || seen.facts.initializeResult === undefined) return;
    judge.exercised('LIST-06');
    const code = message?.type === 'error' ? message.error.code : undefined;
    if (code !== undefined && code !== errorCode.internalError) return;
    judge.violated(
      'LIST-06',
      showing(seen, {
        detail:
          code === undefined
            ? 'A page for a cursor that the agent never gave'
            : 'An unknown cursor is an internal error',
        after: request!.seq,
        actual: cursor,
        expected: 'an error, best with code -32602',
      }),
    );
  },
});
