/**
 * What updates that inform the user should look like: usage numbers, session information.
 * State: counts, and for each session 64-bit hashes of the title and time that it last announced.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, digest, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const advisory = defineFrameRule({
  name: 'advisory',
  party: 'agent',
  on: ['update:usage_update', 'update:session_info_update', 'session/prompt'],
  requirements: {
    'USAGE-01': 'a session/prompt result',
    'USAGE-03': 'a usage_update with cost',
    'USAGE-05': 'a usage_update',
    'USAGE-06': 'a usage_update with used and size',
    'INFO-02': 'a session_info_update after another one of the session',
  },

  init: () => ({ announced: createHashMap() }),

  step({ announced }, seen, judge) {
    if (seen.from !== 'agent') return;
    if (seen.kind === 'usage_update') usage(seen, judge);
    else if (seen.kind === 'session_info_update') info(announced, seen, judge);
    // It may send usage_update in a turn, and need not.
    else if (seen.answer === 'first' && seen.message?.type === 'result') judge.exercised('USAGE-01');
  },
});

const usage = (seen: SeenFrame, judge: Judge): void => {
  const { used, size, cost } = seen.update ?? {};
  judge.exercised('USAGE-05');
  if (size === 0) {
    judge.violated(
      'USAGE-05',
      showing(seen, { detail: 'A size of 0 as a placeholder', pointer: '/params/update/size', actual: 0 }),
    );
  }
  if (typeof used === 'number' && typeof size === 'number' && size > 0) {
    judge.exercised('USAGE-06');
    if (used > size) {
      judge.violated(
        'USAGE-06',
        showing(seen, {
          detail: 'More context used than there is',
          pointer: '/params/update/used',
          actual: used,
          expected: `at most ${size}`,
        }),
      );
    }
  }
  if (!isObject(cost) || typeof cost.currency !== 'string' || /^[A-Z]{3}$/.test(cost.currency)) return;
  judge.violated(
    'USAGE-03',
    showing(seen, {
      detail: 'The currency is no ISO 4217 code',
      pointer: '/params/update/cost/currency',
      actual: cost.currency,
    }),
  );
};

const info = (announced: HashMap, seen: SeenFrame, judge: Judge): void => {
  const { sessionId, update } = seen;
  if (sessionId === undefined || !update) return;
  if (announced.get(sessionId) !== 0) judge.exercised('INFO-02');
  announced.set(sessionId, 1);
  for (const name of ['title', 'updatedAt']) {
    const value = update[name];
    if (value === undefined) continue;
    const now = digest(JSON.stringify(value));
    const key = `${sessionId} ${name}`;
    if (announced.get(key) === now) {
      judge.violated(
        'INFO-02',
        showing(seen, {
          detail: 'A member sent again with the value that it has',
          pointer: `/params/update/${name}`,
          actual: value,
          expected: 'only what changed',
        }),
      );
    }
    announced.set(key, now);
  }
};
