/**
 * What needs initialization is refused before it. Judged where the connection was recorded from its start on.
 * State: two flags.
 */
import { showing } from './evidence.ts';
import { defineRule } from './rule.ts';
import { isFrame } from './seen.ts';

export const beforeInitialize = defineRule({
  name: 'before-initialize',
  party: 'agent',
  on: ['unagreed', 'other'],
  requirements: { 'INIT-18': 'the answer to a session method that was asked for before initialize' },

  init: () => ({ isFromStart: false }),

  step(state, seen, judge) {
    if (!isFrame(seen)) {
      if (seen.entry.channel === 'process' && seen.entry.what.event === 'start') state.isFromStart = true;
      return;
    }
    const { answer, method, message, facts } = seen;
    if (!state.isFromStart || answer !== 'first' || facts.initializeParams !== undefined) return;
    if (!method?.startsWith('session/')) return;
    judge.exercised('INIT-18');
    if (message?.type !== 'result') return;
    judge.violated(
      'INIT-18',
      showing(seen, {
        detail: `${method} succeeds before initialize`,
        after: seen.request!.seq,
        expected: 'an error',
      }),
    );
  },
});
