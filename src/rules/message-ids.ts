/**
 * Chunks of one message share an id, and no other message has it. In a replay, a message of the user ends that of the
 * agent before it. A session/load starts anew, since ids need not be the same in a replay. State: for each session,
 * kind and message a 64-bit hash and a count; the message of the last chunk.
 */
import { reportCounts, showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';

const chunks = ['update:user_message_chunk', 'update:agent_message_chunk', 'update:agent_thought_chunk'];
const answers = ['agent_message_chunk', 'agent_thought_chunk'];

interface State {
  /** How often a session was loaded. */
  readonly pages: HashMap;
  /** Which message of its kind is the latest, counted from 1. */
  readonly latest: HashMap;
  /** Which message of its kind an id is. */
  readonly ordinals: HashMap;
  /** The message of the last chunk, where it is the newest of its kind. */
  current: Current | undefined;
  later: number;
}

interface Current {
  readonly sessionId: string;
  readonly kind: string;
  readonly id: string;
}

export const messageIds = defineFrameRule<State>({
  name: 'message-ids',
  party: 'agent',
  on: [...chunks, 'session/load'],
  requirements: { 'MSGID-02': 'a chunk with messageId after another one of the session' },

  init: () => ({
    pages: createHashMap(),
    latest: createHashMap(),
    ordinals: createHashMap(),
    current: undefined,
    later: 0,
  }),

  step(state, seen, judge) {
    const { pages, latest, ordinals, current } = state;
    const { sessionId, update, kind } = seen;
    if (sessionId === undefined) return;
    if (!update || kind === undefined) {
      if (seen.message?.type === 'request') pages.set(sessionId, pages.get(sessionId) + 1);
      state.current = undefined;
      return;
    }
    if (kind === 'user_message_chunk' && seen.turns.length === 0) endAnswers(state, sessionId);
    const id = update.messageId;
    if (typeof id !== 'string') return;
    // Nearly all chunks go on with the message of the one before.
    if (current?.kind === kind && current.sessionId === sessionId && current.id === id) {
      state.later++;
      return;
    }
    const page = `${pages.get(sessionId)} ${sessionId}`;
    const stream = `${page} ${kind}`;
    const newest = latest.get(stream);
    const ordinal = ordinals.get(`${stream} ${id}`);
    if (latest.get(page) !== 0) state.later++;
    latest.set(page, 1);
    const opposite = kind === 'user_message_chunk' ? 'agent_message_chunk' : 'user_message_chunk';
    const isShared =
      kind !== 'agent_thought_chunk' && ordinal === 0 && ordinals.get(`${page} ${opposite} ${id}`) !== 0;
    if (ordinal === 0) {
      ordinals.set(`${stream} ${id}`, newest + 1);
      latest.set(stream, newest + 1);
    }
    state.current = ordinal === 0 || ordinal === newest ? { sessionId, kind, id } : undefined;
    if (!isShared && (ordinal === 0 || ordinal === newest)) return;
    judge.violated(
      'MSGID-02',
      showing(seen, {
        detail: isShared
          ? 'A user and an agent message with one id'
          : 'An id of a message that another came after',
        pointer: '/params/update/messageId',
        actual: id,
        expected: 'a new id for each message',
      }),
    );
  },

  end({ later }, judge) {
    reportCounts(judge, { 'MSGID-02': later });
  },
});

/** In a replay; while a turn runs, a message of the user may be shown in the middle of the answer to another. */
const endAnswers = (state: State, sessionId: string): void => {
  const page = `${state.pages.get(sessionId)} ${sessionId}`;
  state.current = undefined;
  for (const kind of answers) {
    const newest = state.latest.get(`${page} ${kind}`);
    if (newest !== 0) state.latest.set(`${page} ${kind}`, newest + 1);
  }
};
