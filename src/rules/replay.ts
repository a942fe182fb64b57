/**
 * session/load shows the conversation as it was. Judged when the session is used again or the journal ends, since a
 * replay that comes too late is there all the same, and LOAD-03 says that it is late. State: the records of turns, and the
 * replays that are being compared.
 */
import type { Judge } from '../catalogue/index.ts';
import type { JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createReplayCheck, type ReplayCheck } from './replay-check.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';
import { createTurnRecords, type TurnRecords } from './turn-records.ts';

interface Replay {
  readonly check: ReplayCheck;
  /** The result of the session/load. */
  loaded?: SeenFrame;
  hasUserMessage: boolean;
}

interface State {
  readonly records: TurnRecords;
  readonly replays: Map<string, Replay>;
  /** The agent put an id on a message of a turn. */
  usesIds: boolean;
}

export const replay = defineFrameRule<State>({
  name: 'replay',
  party: 'agent',
  scope: 'run',
  on: [
    'session/prompt',
    'session/load',
    'session/resume',
    'session/close',
    'session/delete',
    'update:user_message_chunk',
    'update:agent_message_chunk',
    'update:tool_call',
    'update:tool_call_update',
  ],
  requirements: {
    'LOAD-02': 'a session/load result for a session with a finished turn',
    'MSGID-04': 'a replayed user message of an agent that put ids on messages of a turn',
  },

  init: () => ({ records: createTurnRecords(), replays: new Map(), usesIds: false }),

  step(state, seen, judge) {
    const { records, replays } = state;
    const { sessionId, method, message, answer } = seen;
    if (sessionId === undefined || !canLoad(seen)) return;
    if (seen.update) {
      const open = replays.get(sessionId);
      if (open) replayed(state, open, seen, judge);
      else live(state, seen);
      return;
    }
    if (message?.type === 'request') settle(state, sessionId, judge);
    if (method === 'session/prompt') records.note(seen);
    else if (method === 'session/delete' && message?.type === 'result') records.forget(sessionId);
    else if (method === 'session/load' && message?.type === 'request') {
      const turns = records.of(sessionId);
      if (turns.length > 0)
        replays.set(sessionId, { check: createReplayCheck(turns), hasUserMessage: false });
    } else if (method === 'session/load' && answer === 'first') {
      const open = replays.get(sessionId);
      if (open && message?.type === 'result') open.loaded = seen;
      else replays.delete(sessionId);
    }
  },

  end(state, judge) {
    for (const sessionId of [...state.replays.keys()]) settle(state, sessionId, judge);
  },
});

/** Of an agent that cannot load, nothing has to be remembered. */
const canLoad = ({ facts: { initializeResult } }: SeenFrame): boolean =>
  (initializeResult?.agentCapabilities as JsonObject | undefined)?.loadSession === true;

const live = (state: State, seen: SeenFrame): void => {
  if (seen.turns.length === 0) return;
  if (typeof seen.update?.messageId === 'string') state.usesIds = true;
  state.records.note(seen);
};

const replayed = ({ usesIds }: State, open: Replay, seen: SeenFrame, judge: Judge): void => {
  open.check.note(seen);
  if (seen.kind !== 'user_message_chunk' || !usesIds || open.hasUserMessage) return;
  open.hasUserMessage = true;
  judge.exercised('MSGID-04');
  if (typeof seen.update?.messageId === 'string') return;
  judge.violated(
    'MSGID-04',
    showing(seen, {
      detail: 'A replayed user message without an id, although messages of the turn had one',
      pointer: '/params/update/messageId',
    }),
  );
};

const settle = ({ replays }: State, sessionId: string, judge: Judge): void => {
  const open = replays.get(sessionId);
  replays.delete(sessionId);
  if (!open?.loaded) return;
  judge.exercised('LOAD-02');
  const missing = open.check.missing();
  if (!missing) return;
  judge.violated(
    'LOAD-02',
    showing(open.loaded, {
      ...missing,
      expected: 'the prompt, the answer and the tool calls of each turn, in order',
      hint: 'Send the whole conversation as session/update notifications before answering session/load.',
    }),
  );
};
