/**
 * Slash commands as the agent announces them: names without the slash, and each time the whole list. A list that shares no
 * name with the one before, although nothing in the session changed what there could be, was meant as an addition to it.
 * State: for each session a 64-bit hash of each name with the list in which it came last, and the number of that list.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const commands = defineFrameRule({
  name: 'commands',
  party: 'agent',
  on: [
    'session/new',
    'update:available_commands_update',
    'update:current_mode_update',
    'update:config_option_update',
    'session/set_mode',
    'session/set_config_option',
  ],
  requirements: {
    'CMD-01': 'a session/new result',
    'CMD-02': 'an available_commands_update with a command',
    'CMD-03': 'an available_commands_update with commands after another one of the session',
  },

  init: () => ({
    /** How many lists with commands a session has announced. */
    lists: createHashMap(),
    /** Number of the list in which the session named a command last. */
    named: createHashMap(),
    /** Sessions in which something changed since their last list. */
    changed: createHashMap(),
  }),

  step({ lists, named, changed }, seen, judge) {
    const { sessionId, kind, update } = seen;
    if (sessionId === undefined) return;
    if (kind !== 'available_commands_update') {
      if (seen.method !== 'session/new') changed.set(sessionId, 1);
      // It may announce commands, and need not.
      else if (seen.answer === 'first' && seen.message?.type === 'result') judge.exercised('CMD-01');
      return;
    }
    const names = namesIn(update?.availableCommands);
    withoutSlash(names, seen, judge);
    if (names.length === 0) changed.set(sessionId, 1);
    if (names.length === 0 || seen.from !== 'agent') return;
    const before = lists.get(sessionId);
    const isNamed = names.some(name => named.get(`${sessionId} ${name}`) === before);
    if (before > 0) judge.exercised('CMD-03');
    if (before > 0 && !isNamed && changed.get(sessionId) === 0) {
      judge.violated(
        'CMD-03',
        showing(seen, {
          detail: 'A list without any command of the list before',
          pointer: '/params/update/availableCommands',
          actual: names,
          expected: 'all commands that there are now',
          hint: 'Clients replace the list that they have by each new one.',
        }),
      );
    }
    for (const name of names) named.set(`${sessionId} ${name}`, before + 1);
    lists.set(sessionId, before + 1);
    changed.set(sessionId, 0);
  },
});

const namesIn = (list: Json | undefined): readonly string[] =>
  Array.isArray(list)
    ? list.map((command: Json) => (isObject(command) && typeof command.name === 'string' ? command.name : ''))
    : [];

const withoutSlash = (names: readonly string[], seen: SeenFrame, judge: Judge): void => {
  for (const [index, name] of names.entries()) {
    if (!name.startsWith('/')) continue;
    judge.violated(
      'CMD-02',
      showing(seen, {
        detail: 'A command name with a slash before it, which clients add',
        pointer: `/params/update/availableCommands/${index}/name`,
        actual: name,
        situation: 'slash-in-command-name',
      }),
    );
  }
};
