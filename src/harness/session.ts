/** One process and one ACP session of it, and the turns that go through it one after the other. */
import { isObject, type Json } from '../wire/index.ts';
import { type AgentConnection, type Closed, FrameTooLong } from './connection.ts';
import { SessionBusyError } from './harness-error.ts';
import type { Interactions } from './interactions.ts';
import { blocksOf, type ContentBlock } from './prompt.ts';
import type { SessionRecord } from './record.ts';
import type { RunError, TurnResult, TurnStatus } from './result.ts';
import type { SessionFacts } from './start-up.ts';
import { timeLimit } from './time-limit.ts';
import { turnResult } from './turn-result.ts';

export interface HarnessSession {
  readonly sessionId: string;
  /**
   * Sends a prompt and waits for its end. One at a time, and none after one that did not complete. What an agent does
   * never makes it reject.
   * @throws SessionBusyError while another is answered; UserError for a time limit that is none
   */
  send(
    prompt: string | readonly ContentBlock[],
    options?: { readonly timeoutMs?: number },
  ): Promise<TurnResult>;
  /** Cancels the turn that runs: tells the agent, then ends it. Resolves when it has ended; does nothing between turns. */
  cancel(): Promise<void>;
  /** Cancels what runs, ends the process and removes what was made for it. The second call gives what the first gave. */
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
  const { connection, interactions, record, facts, signal } = options;
  const { sessionId } = facts;
  let turns = 0;
  let running: { readonly stop: AbortController; readonly end: Promise<unknown> } | undefined;
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

  const cancel = async (): Promise<void> => {
    running?.stop.abort(ended.cancelled);
    await running?.end;
  };
  const onAbort = (): void => void cancel();
  signal?.addEventListener('abort', onAbort, { once: true });

  const close = async (): Promise<Closed> => {
    terminal = closed;
    await cancel();
    terminal = closed;
    signal?.removeEventListener('abort', onAbort);
    tellCancel();
    // What the agent has asked and nobody answered is answered now, before its input ends.
    await new Promise(setImmediate);
    const report = await connection.close();
    const isRemoved = await options.cleanUp();
    return { ...report, isClean: report.isClean && isRemoved };
  };

  const after = (ms: number): Promise<void> =>
    new Promise(resolve => {
      options.timer(ms, resolve);
    });

  /** How a prompt ended; its answer, when one came, is the last that belongs to the turn. */
  const ask = async (prompt: Json, timeoutMs: number, stop: AbortController): Promise<Ended> => {
    interactions.beginTurn();
    const timer = options.timer(timeoutMs, () => stop.abort(ended.timed_out));
    const params = { sessionId, prompt };
    const answer = outcomeOf(connection.request('session/prompt', params, undefined, record.endTurn));
    const how = await Promise.race([answer, untilStopped(stop.signal)]);
    timer.cancel();
    if (how.status !== 'timed_out' && how.status !== 'cancelled') return how;
    tellCancel();
    // The agent may answer for the turn that it was told to leave; the outcome stays.
    await Promise.race([answer, after(cancelGraceMs)]);
    return how;
  };

  const turn = async (prompt: readonly ContentBlock[], timeoutMs: number, stop: AbortController) => {
    turns += 1;
    const told = { turn: turns, facts, interactions, record };
    const refusal = terminal ?? (prompt.every(({ type }) => type === 'text') ? undefined : onlyText);
    if (refusal) return turnResult({ ...told, status: 'failed', error: refusal, entries: [] });
    if (signal?.aborted) {
      terminal = ended.cancelled.error;
      return turnResult({ ...told, ...ended.cancelled, entries: [] });
    }
    const how = await ask(prompt as unknown as Json, timeoutMs, stop);
    const isLost = connection.hasLeft();
    if (how.status !== 'completed') {
      terminal = lost(how.error);
      // What the agent still says belongs to this turn, and so does how it ends.
      await connection.close();
      record.endTurn();
    }
    return turnResult({ ...told, ...how, entries: record.takeTurn(), isLost });
  };

  return {
    sessionId,
    terminal: () => terminal,
    async send(prompt, { timeoutMs = options.timeoutMs } = {}) {
      if (running) throw new SessionBusyError();
      const stop = new AbortController();
      const result = turn(blocksOf(prompt), timeLimit(timeoutMs), stop).finally(() => {
        running = undefined;
      });
      running = { stop, end: result };
      return result;
    },
    cancel,
    close() {
      closing ??= close();
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
  } catch (error) {
    return error instanceof FrameTooLong ? promptTooLong : promptFailed;
  }
};

const promptFailed: Ended = {
  status: 'failed',
  error: { code: 'transport_error', message: 'ACP prompt failed' },
};

const promptTooLong: Ended = {
  status: 'failed',
  error: { code: 'invalid_argument', message: 'the prompt is longer than a frame may be' },
};

/** Nothing is sent, and other prompts may follow. */
const onlyText: RunError = { code: 'unsupported', message: 'attachment_unsupported' };

const closed: RunError = { code: 'invalid_transition', message: 'ACP session is closed' };

/** What later turns are told of one that did not complete. */
const lost = (error: RunError | undefined): RunError =>
  error?.code === 'timeout' || error?.code === 'cancelled'
    ? error
    : { code: 'transport_error', message: 'session lost during turn' };
