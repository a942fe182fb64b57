/** One prompt turn as its script sees it: it talks, waits and asks, and every wait ends when the turn is cancelled. */
import { parseDuration } from '../base/index.ts';
import type { Json, JsonObject } from '../wire/index.ts';
import { newId, type Session, tell } from './session.ts';
import type { Agent } from './state.ts';
import { textBlock, type Update } from './updates.ts';

export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled';

/**
 * What a cancelled turn answers its prompt with: the stop reason `cancelled` when the client cancelled the turn, the
 * error -32800 when it cancelled the request, or when the agent itself gives up.
 */
export type CancelAnswer = 'stop-reason' | 'error';

/** What a turn does. Throws what ends it otherwise: a ResponseError becomes the answer. */
export type TurnScript = (turn: Turn, argument: string) => Promise<StopReason>;

export interface Turn {
  readonly agent: Agent;
  readonly session: Session;
  readonly signal: AbortSignal;
  tell(update: Update): void;
  /** Streams one message of the agent, a chunk at a time. */
  say(...chunks: string[]): Promise<void>;
  think(...chunks: string[]): Promise<void>;
  /** The result of work, unless the turn is cancelled first. The work goes on, but nobody waits. */
  until<T>(work: Promise<T>): Promise<T>;
  /** Asks the client something about this session. Rejects with ResponseError when it answers with an error. */
  ask(method: string, params: JsonObject): Promise<Json>;
  /** Waits a moment: `ms`, or the pace of the behaviour. */
  pause(ms?: number): Promise<void>;
  /** An id that is unique in the session. */
  newId(kind: string): string;
}

export const createTurn = (agent: Agent, session: Session, signal: AbortSignal): Turn => {
  const pace = parseDuration(agent.behaviour.pace, 'behaviour.pace');
  const { sessionId } = session.record;
  const cancelled = aborted(signal);

  const until = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await Promise.race([work, cancelled]);
    } finally {
      // Both may have happened in the same moment; then the cancellation counts.
      signal.throwIfAborted();
    }
  };

  const pause = async (ms = pace): Promise<void> => {
    let timer: { cancel(): void } | undefined;
    try {
      await until(
        new Promise<void>(resolve => {
          timer = agent.clock.timer(ms, resolve);
        }),
      );
    } finally {
      timer?.cancel();
    }
  };

  const stream = async (sessionUpdate: string, chunks: readonly string[]): Promise<void> => {
    const messageId = agent.behaviour.messageIds ? { messageId: newId(session, 'message') } : {};
    for (const chunk of chunks) {
      tell(agent, session, { sessionUpdate, content: textBlock(chunk), ...messageId });
      await pause();
    }
  };

  return {
    agent,
    session,
    signal,
    tell: update => tell(agent, session, update),
    say: (...chunks) => stream('agent_message_chunk', chunks),
    think: (...chunks) => stream('agent_thought_chunk', chunks),
    until,
    ask: (method, params) => until(agent.client.request(method, { sessionId, ...params }, signal)),
    pause,
    newId: kind => newId(session, kind),
  };
};

/** Rejects when the signal fires. It may fire while nobody waits. */
const aborted = (signal: AbortSignal): Promise<never> => {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  rejection.catch(() => {});
  return rejection;
};
