/** One process and one ACP session of it, and the turns that go through it one after the other. */
import { isObject, type Json } from '../wire/index.ts';
import type { AgentConnection, Closed } from './connection.ts';
import { SessionBusyError } from './harness-error.ts';
import type { Interactions } from './interactions.ts';
import { blocksOf, type ContentBlock } from './prompt.ts';
import type { SessionRecord } from './record.ts';
import type { RunError, TurnResult, TurnStatus } from './result.ts';
import type { SessionFacts } from './start-up.ts';
import { turnResult } from './turn-result.ts';

export interface HarnessSession {
  readonly sessionId: string;
  /**
   * Sends a prompt and waits for its end. One at a time, and none after one that did not complete. What an agent does
   * never makes it reject.
   * @throws SessionBusyError while another is answered
   */
  send(
    prompt: string | readonly ContentBlock[],
    options?: { readonly timeoutMs?: number },
  ): Promise<TurnResult>;
  /** Cancels the turn that runs: tells the agent, then ends it. Does nothing after the end. */
  cancel(): Promise<void>;
  /** Ends the process and removes what was made for it. The second call gives what the first gave. */
  close(): Promise<Closed>;
  /** Why no further turn can begin; undefined while one can. */
  terminal(): RunError | undefined;
}

export interface SessionOptions {
  readonly facts: SessionFacts;
  readonly connection: AgentConnection;
  readonly interactions: Interactions;
  readonly record: SessionRecord;
  readonly timeoutMs: number;
  /** Cancels the turn that runs. */
  readonly signal: AbortSignal | undefined;
  readonly timer: (ms: number, fire: () => void) => { cancel(): void };
  /** Removes what was made for the session; false when something is left. */
  readonly cleanUp: () => Promise<boolean>;
}

export const createSession = (options: SessionOptions): HarnessSession => {
  const { connection, interactions, record, facts } = options;
  const { sessionId } = facts;
  let turns = 0;
  let running: AbortController | undefined;
  let terminal: RunError | undefined;
  let isTold = false;
  let closing: Promise<Closed> | undefined;

  /** The agent hears of it before its process is ended, if it listens at all. */
  const tellCancel = (): void => {
    if (isTold || connection.fault() !== undefined) return;
    isTold = true;
    interactions.cancelTurn();
    connection.notify('session/cancel', { sessionId });
  };

  const close = async (): Promise<Closed> => {
    tellCancel();
    running?.abort(ended.cancelled);
    const closed = await connection.close();
    const isRemoved = await options.cleanUp();
    terminal ??= { code: 'invalid_transition', message: 'ACP session is closed' };
    return { ...closed, isClean: closed.isClean && isRemoved };
  };

  const after = (ms: number): Promise<void> =>
    new Promise(resolve => {
      options.timer(ms, resolve);
    });

  const onAbort = (): void => running?.abort(ended.cancelled);
  options.signal?.addEventListener('abort', onAbort, { once: true });

  return {
    sessionId,
    terminal: () => terminal,

    async send(prompt, { timeoutMs = options.timeoutMs } = {}) {
      if (running) throw new SessionBusyError();
      turns += 1;
      const turn = turns;
      if (terminal)
        return turnResult({
          turn,
          status: 'failed',
          error: terminal,
          entries: [],
          facts,
          interactions,
          record,
        });

      const stop = new AbortController();
      running = stop;
      interactions.beginTurn();
      const timer = options.timer(timeoutMs, () => stop.abort(ended.timed_out));
      const params = { sessionId, prompt: blocksOf(prompt) as unknown as Json };
      const answer = outcomeOf(connection.request('session/prompt', params, undefined, record.endTurn));
      const how = await Promise.race([answer, untilStopped(stop.signal)]);
      timer.cancel();
      if (how.status === 'timed_out' || how.status === 'cancelled') {
        tellCancel();
        // The agent may answer for the turn that it was told to leave; the outcome stays.
        await Promise.race([answer, after(cancelGraceMs)]);
      }
      running = undefined;
      if (how.status !== 'completed') {
        terminal = lost(how.error);
        // What the agent still says belongs to this turn, and so does how it ends.
        await connection.close();
        record.endTurn();
      }
      return turnResult({
        turn,
        ...how,
        entries: record.takeTurn(),
        facts,
        interactions,
        record,
        exit: connection.exit(),
      });
    },

    async cancel() {
      if (!running) return;
      running.abort(ended.cancelled);
    },

    close() {
      closing ??= close().finally(() => options.signal?.removeEventListener('abort', onAbort));
      return closing;
    },
  };
};

interface Ended {
  readonly status: TurnStatus;
  readonly stopReason?: string;
  readonly error?: RunError;
}

/** Why a turn was stopped, as the reason of its signal. */
const ended = {
  timed_out: { status: 'timed_out', error: { code: 'timeout', message: 'ACP turn timed out' } },
  cancelled: { status: 'cancelled', error: { code: 'cancelled', message: 'ACP turn cancelled' } },
} as const satisfies { readonly [how: string]: Ended };

/** How long an agent that was told to cancel may take to answer for the turn. */
const cancelGraceMs = 500;

const untilStopped = (signal: AbortSignal): Promise<Ended> =>
  new Promise(resolve => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });

/** Never rejects: an error of the agent, or its end, is how the turn ended. */
const outcomeOf = async (answer: Promise<Json>): Promise<Ended> => {
  try {
    const result = await answer;
    const stopReason = isObject(result) ? result.stopReason : undefined;
    return typeof stopReason === 'string' ? { status: 'completed', stopReason } : promptFailed;
  } catch {
    return promptFailed;
  }
};

const promptFailed: Ended = {
  status: 'failed',
  error: { code: 'transport_error', message: 'ACP prompt failed' },
};

/** What later turns are told of one that did not complete. */
const lost = (error: RunError | undefined): RunError =>
  error?.code === 'timeout' || error?.code === 'cancelled'
    ? error
    : { code: 'transport_error', message: 'session lost during turn' };
