/**
 * A Port carries frames to one counterparty and events back: a process's pipes, an in-memory pair, or a journal being
 * replayed. Whoever holds a Port cannot tell which, and must not need to.
 */
import type { Line } from './line.ts';

/** What a counterparty does, in the order in which it was observed. */
export type PortEvent =
  | {
      readonly type: 'line';
      readonly line: Line;
      /** Journal sequence of the line; only a recording Port knows it. */
      readonly seq?: number;
    }
  | { readonly type: 'stderr'; readonly bytes: Uint8Array }
  /** The counterparty closed its output. */
  | { readonly type: 'eof' }
  /** The counterparty's process ended; never sent by a Port without a process. Comes after `eof`. */
  | { readonly type: 'exit'; readonly code: number | null; readonly signal: string | null }
  /** The counterparty no longer takes input (EPIPE and the like). */
  | { readonly type: 'broken'; readonly reason: string };

/** Who in the bench sends: a step of the script, the actor behind it, or a foreign program that is recorded. */
export type Sender = 'script' | 'fixture' | 'foreign';

/** What a recorder should note beside bytes that are sent. */
export interface SendMark {
  readonly by: Sender;
  /** The script declares these bytes faulty, so that they are not held against the bench. */
  readonly declaredFault?: true;
  /** Called by a recording Port with the journal sequence of each line that the bytes complete. */
  readonly recorded?: (seq: number) => void;
}

export interface Port {
  /**
   * Writes bytes exactly as given (a whole line with its LF, a part of one, or rubbish).
   * Resolves when the transport took them, also after a failure, which arrives as `broken`. Never rejects.
   * Carriers ignore `mark`; a recording Port writes it down.
   */
  send(bytes: Uint8Array, mark?: SendMark): Promise<void>;
  /** Ends the counterparty's input. Idempotent. */
  end(): void;
  /** Calls `listener` for each event from now on; one listener at a time. Events before the first call are kept for it. */
  listen(listener: (event: PortEvent) => void): void;
  /**
   * Leaves what the counterparty writes where it is, as a reader does that is busy: pipes fill up. Nothing is lost, and
   * the order of events stays. Absent where there is nothing to read from, as in a replay.
   */
  pauseReading?(): void;
  resumeReading?(): void;
}

/** Time as scripts see it. The live clock is the system's; the replay clock follows a journal. */
export interface Clock {
  /** Milliseconds on the system's monotonic clock. */
  now(): number;
  /** Calls `fire` once after `ms` milliseconds unless cancelled. */
  timer(ms: number, fire: () => void): { cancel(): void };
}
