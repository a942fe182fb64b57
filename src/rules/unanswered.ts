/**
 * What must not be answered. A response without an id, or an error with id null, names nothing: it is held against the
 * party only where nothing but notifications can have provoked it. State: counts, and the last provocations.
 */
import type { Judge } from '../catalogue/index.ts';
import { showing } from './evidence.ts';
import { defineRule } from './rule.ts';
import { isFrame, type SeenFrame } from './seen.ts';

interface State {
  readonly subject: string;
  /** Unreadable or invalid lines sent to the party that may still be answered with a null id. */
  excuses: number;
  excuse: SeenFrame | undefined;
  /** Sequence of an error with id null, sent to the party, that no answer to a later request has followed yet. */
  refusal: number | undefined;
  /** Notifications that were not answered so far; of a longer list, the latest. */
  readonly notifications: Provocation[];
  lastNotification: number;
  /** Notifications that no later answer of the party has followed yet. */
  unproved: number;
  unprovedIdleCancels: number;
}

interface Provocation {
  readonly seq: number;
  readonly method: string;
  /** A session/cancel without a running turn. */
  readonly isIdleCancel: boolean;
}

/** What an answer to an error with id null is: two parties that both did that would never come to an end. */
const loop = {
  detail: 'A response to an error with id null, which is itself no request',
  expected: 'no answer to a response',
};

/** How many provocations are remembered. */
const maxKept = 16;

export const unanswered = defineRule<State>({
  name: 'unanswered',
  on: ['peer', 'result', 'error', 'other'],
  everyVersion: true,
  requirements: {
    'RPC-06':
      'a notification sent to the party, followed by an answer to a later request or by the end of its output',
    'RPC-05': 'counted by the rule answers',
    'RPC-11': 'an answer of the party to a line that is no message',
    'CANCEL-06': 'a session/cancel sent while no prompt is open, followed as for RPC-06',
  },

  init: ({ subject }) => ({
    subject,
    excuses: 0,
    excuse: undefined,
    refusal: undefined,
    notifications: [],
    lastNotification: 0,
    unproved: 0,
    unprovedIdleCancels: 0,
  }),

  step(state, seen, judge) {
    if (!isFrame(seen)) {
      if (seen.entry.channel === 'process' && seen.entry.what.event === 'eof') prove(state, judge);
      return;
    }
    if (seen.from !== state.subject) return provoke(state, seen);
    const answered = seen.answer === 'first' ? (seen.request?.seq ?? 0) : 0;
    if (answered > state.lastNotification) prove(state, judge);
    if (state.refusal !== undefined && answered > state.refusal) state.refusal = undefined;
    if (seen.answer === 'unaddressed') unaddressed(state, seen, judge);
  },
});

const provoke = (state: State, seen: SeenFrame): void => {
  const { message, entry } = seen;
  if (seen.answer === 'unaddressed' && entry.message?.type === 'error') {
    state.refusal = entry.seq;
  } else if (entry.message === undefined || entry.message.type === 'invalid') {
    state.excuses++;
    state.excuse = seen;
  } else if (message?.type === 'notification') {
    const { method } = message;
    const isIdleCancel = method === 'session/cancel' && seen.from === 'client' && seen.turns.length === 0;
    state.notifications.push({ seq: entry.seq, method, isIdleCancel });
    if (state.notifications.length > maxKept) state.notifications.shift();
    state.unproved++;
    if (isIdleCancel) state.unprovedIdleCancels++;
    state.lastNotification = entry.seq;
  } else if (seen.answer === 'unaddressed' || seen.answer === 'unsolicited' || seen.answer === 'duplicate') {
    // What answers nothing may itself be refused.
    state.excuses++;
    state.excuse = seen;
  }
};

const prove = (state: State, judge: Judge): void => {
  if (state.unproved > 0) judge.exercised('RPC-06', state.unproved);
  if (state.unprovedIdleCancels > 0) judge.exercised('CANCEL-06', state.unprovedIdleCancels);
  state.unproved = 0;
  state.unprovedIdleCancels = 0;
};

const unaddressed = (state: State, seen: SeenFrame, judge: Judge): void => {
  if (state.excuses > 0) {
    judgeRefusal(state, seen, judge);
    return;
  }
  if (state.refusal !== undefined) {
    judge.violated('RPC-05', showing(seen, { ...loop, after: state.refusal, pointer: '/id' }));
    state.refusal = undefined;
    return;
  }
  const { notifications } = state;
  if (notifications.length === 0) return;
  const answered = provocationOf(seen, notifications);
  const evidence = showing(seen, {
    detail: 'A response that answers no request, after a notification',
    after: answered.seq,
    expected: 'no answer to a notification',
    hint: 'Some SDKs answer a notification that they do not know with an error; drop it instead.',
  });
  judge.violated('RPC-06', evidence);
  if (notifications.every(({ isIdleCancel }) => isIdleCancel)) judge.violated('CANCEL-06', evidence);
  notifications.splice(notifications.indexOf(answered), 1);
  state.unproved = 0;
  state.unprovedIdleCancels = 0;
};

/** The oldest notification whose method the error names, else the latest. */
const provocationOf = ({ message }: SeenFrame, notifications: readonly Provocation[]): Provocation => {
  const text = message?.type === 'error' ? JSON.stringify(message.error) : '';
  return (
    notifications.find(({ method }) => text.includes(JSON.stringify(method).slice(1, -1))) ??
    notifications.at(-1)!
  );
};

/** The answer to a line that could not be read; its id is null, not absent. */
const judgeRefusal = (state: State, seen: SeenFrame, judge: Judge): void => {
  state.excuses--;
  if (state.excuse?.entry.line.kind !== 'malformed') return;
  judge.exercised('RPC-11');
  if (seen.entry.message?.type !== 'invalid') return;
  judge.violated(
    'RPC-11',
    showing(seen, {
      detail: 'The error response to an unreadable line has no id',
      after: state.excuse.entry.seq,
      pointer: '/id',
      expected: 'an error with code -32700 and id null, or silence',
    }),
  );
};
