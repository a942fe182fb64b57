/**
 * Plans of a turn: each update is the whole list. That an entry is left out shows only when it comes back; one
 * that stays away may have been dropped, which is allowed. State: for each session a count of turns and of plans, and a
 * 64-bit hash of each entry with the last plan that held it.
 */
import { isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';

export const plan = defineFrameRule({
  name: 'plan',
  party: 'agent',
  on: ['update:plan', 'session/prompt', 'session/load'],
  requirements: {
    'PLAN-02': 'a plan update after another one of the same turn',
    'PLAN-06': 'a plan update after another one of the same turn',
  },

  init: () => ({ turns: createHashMap(), plans: createHashMap(), latest: createHashMap() }),

  step({ turns, plans, latest }, seen, judge) {
    const { sessionId, message, update } = seen;
    if (sessionId === undefined) return;
    if (!update) {
      // A new turn makes a new plan; a replay repeats old ones.
      if (message?.type === 'request') turns.set(sessionId, turns.get(sessionId) + 1);
      return;
    }
    if (seen.from !== 'agent' || !Array.isArray(update.entries)) return;
    const turn = `${turns.get(sessionId)} ${sessionId}`;
    const number = plans.get(turn) + 1;
    plans.set(turn, number);
    if (number > 1) {
      judge.exercised('PLAN-02');
      judge.exercised('PLAN-06');
    }
    update.entries.forEach((entry: Json, index) => {
      if (!isObject(entry) || typeof entry.content !== 'string') return;
      const key = `${turn} ${entry.content}`;
      const last = latest.get(key);
      latest.set(key, number);
      if (last === 0 || last >= number - 1) return;
      judge.violated(
        'PLAN-02',
        showing(seen, {
          detail: 'An entry of the plan was missing in the update before, and is back',
          pointer: `/params/update/entries/${index}`,
          actual: entry.content,
          expected: 'all entries in every update',
          hint: 'Clients replace the plan by each update; send the whole list, not only what changed.',
        }),
      );
    });
  },
});
