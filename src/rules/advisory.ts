/**
 * What updates that inform the user should look like: command names, usage numbers, session information.
 * State: counts, and for each session 64-bit hashes of the title and time that it last announced.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, digest, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const advisory = defineFrameRule({
  name: 'advisory',
  party: 'agent',
  on: ['update:available_commands_update', 'update:usage_update', 'update:session_info_update'],
  requirements: {
    'CMD-02': 'an available_commands_update with a command',
    'USAGE-03': 'a usage_update with cost',
    'USAGE-05': 'a usage_update',
    'USAGE-06': 'a usage_update with used and size',
    'INFO-02': 'a session_info_update after another one of the session',
  },

  init: () => ({ announced: createHashMap() }),

  step({ announced }, seen, judge) {
    if (seen.from !== 'agent') return;
    if (seen.kind === 'available_commands_update') commands(seen, judge);
    else if (seen.kind === 'usage_update') usage(seen, judge);
    else info(announced, seen, judge);
  },
});

const commands = (seen: SeenFrame, judge: Judge): void => {
  const list = seen.update?.availableCommands;
  if (!Array.isArray(list)) return;
  list.forEach((command: Json, index) => {
    if (!isObject(command) || typeof command.name !== 'string' || !command.name.startsWith('/')) return;
    judge.violated(
      'CMD-02',
      showing(seen, {
        detail: 'A command name with a slash before it, which clients add',
        pointer: `/params/update/availableCommands/${index}/name`,
        actual: command.name,
        situation: 'slash-in-command-name',
      }),
    );
  });
};

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
