/**
 * Terminals that the agent made: not used after their release, released when the turn that made them ends, and known
 * where a tool call shows them. State: a 64-bit hash of each terminal id with what became of it; of a running turn, at
 * most 256 ids that are not released.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';
import { createUnfinishedCalls, type UnfinishedCalls } from './unfinished-calls.ts';

const made = 1;
const released = 2;

interface State {
  readonly terminals: HashMap;
  readonly unreleased: UnfinishedCalls;
}

export const terminals = defineFrameRule<State>({
  name: 'terminals',
  party: 'agent',
  on: [
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
    'session/prompt',
    'update:tool_call',
    'update:tool_call_update',
  ],
  requirements: {
    'TERM-02': 'a session/prompt result of a turn in which a terminal was made',
    'TERM-04': 'a terminal/release request',
    'TOOL-13': 'a terminal content item',
  },

  init: () => ({
    terminals: createHashMap(),
    unreleased: createUnfinishedCalls(),
  }),

  step(state, seen, judge) {
    const { method, message, answer } = seen;
    if (method === 'session/update') shown(state, seen, judge);
    else if (method === 'session/prompt') turn(state, seen, judge);
    else if (message?.type === 'request') used(state, seen, judge);
    else if (method === 'terminal/create' && answer === 'first') created(state, seen);
  },
});

const created = ({ terminals, unreleased }: State, { payload, sessionId, entry, turns }: SeenFrame): void => {
  const id = payload?.terminalId;
  if (typeof id !== 'string') return;
  terminals.set(id, made);
  if (sessionId !== undefined && turns.length > 0) unreleased.note(sessionId, id, false, entry.seq);
};

const used = ({ terminals, unreleased }: State, seen: SeenFrame, judge: Judge): void => {
  const id = seen.payload?.terminalId;
  if (typeof id !== 'string') return;
  const isRelease = seen.method === 'terminal/release';
  if (isRelease) judge.exercised('TERM-04');
  if (terminals.get(id) === released) {
    judge.violated(
      'TERM-04',
      showing(seen, {
        detail: `${seen.method} for a terminal that was released`,
        pointer: '/params/terminalId',
        actual: id,
      }),
    );
  }
  if (!isRelease) return;
  terminals.set(id, released);
  if (seen.sessionId !== undefined) unreleased.finish(seen.sessionId, id);
};

const turn = ({ unreleased }: State, seen: SeenFrame, judge: Judge): void => {
  const { sessionId, message, answer, turns } = seen;
  if (sessionId === undefined) return;
  if (message?.type === 'request' && turns.length === 1) unreleased.begin(sessionId);
  if (answer !== 'first' || turns.length > 0) return;
  const left = unreleased.end(sessionId);
  if (message?.type !== 'result' || !left?.hasCalls) return;
  judge.exercised('TERM-02');
  if (left.first === undefined) return;
  judge.violated(
    'TERM-02',
    showing(seen, {
      detail: `${left.count} terminal(s) of the turn not released: ${left.names.join(', ')}`,
      after: left.first,
      expected: 'terminal/release for each terminal before the turn ends',
    }),
  );
};

const shown = ({ terminals }: State, seen: SeenFrame, judge: Judge): void => {
  const items = seen.update?.content;
  if (!Array.isArray(items)) return;
  items.forEach((item: Json, index) => {
    if (!isObject(item) || item.type !== 'terminal' || typeof item.terminalId !== 'string') return;
    judge.exercised('TOOL-13');
    const status = terminals.get(item.terminalId);
    // A load replays terminals of the past.
    if (status === made || (status === 0 && seen.standing === 'opening')) return;
    judge.violated(
      'TOOL-13',
      showing(seen, {
        detail:
          status === 0
            ? 'A terminal that was never made'
            : 'A terminal that was released before it was shown',
        pointer: `/params/update/content/${index}/terminalId`,
        actual: item.terminalId,
      }),
    );
  });
};
