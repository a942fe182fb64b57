/** Errors of the harness. Their messages are constants, so that nothing of an agent or a secret leaks through them. */
import type { StartupCause } from './result.ts';

/** The agent could not be brought to its first prompt. */
export class HarnessStartupError extends Error {
  override readonly name = 'HarnessStartupError';
  /** Why, in bounded words of ours. */
  override readonly cause: StartupCause;
  readonly how: 'failed' | 'timed_out' | 'cancelled';

  constructor(
    cause: StartupCause,
    message = 'ACP harness could not start',
    how: HarnessStartupError['how'] = 'failed',
  ) {
    super(message);
    this.cause = cause;
    this.how = how;
  }
}

/** A start that went wrong, with a reason that is no longer than anybody reads. */
export const startupFailure = (stage: string, reason: string, message?: string): HarnessStartupError =>
  new HarnessStartupError({ stage, reason: bounded(reason) }, message);

const longestReason = 500;

const bounded = (text: string): string =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason - 1)}…`;

/**
 * Why a signal was aborted that did not cancel the run for its own sake: the program around it is told to end. The
 * outcome is `interrupted` then, not `cancelled`.
 */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

/** A second prompt while one is answered. */
export class SessionBusyError extends Error {
  override readonly name = 'SessionBusyError';
  readonly code = 'session_busy';
  constructor() {
    super('session busy');
  }
}
