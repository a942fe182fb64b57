/** How an agent is ended: by the end of its input, then by signals, each with a grace; then whatever it left behind. */
import type { Clock } from '../wire/index.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What happened on the way, in the words of the journal's process entries. */
export type StopEvent =
  | { readonly event: 'input-closed' }
  | { readonly event: 'signal-sent'; readonly signal: string }
  | { readonly event: 'left-behind'; readonly pids: readonly number[] };

export type Rung = 'eof' | 'SIGTERM' | 'SIGKILL';

export interface StopOptions {
  /** The rung to begin with. Default `eof`. */
  readonly from?: Rung;
  /** Grace after each rung in milliseconds. Default 2000 each. */
  readonly graceMs?: Partial<Readonly<Record<Rung, number>>>;
  /** What the agent started may end this much later than the agent before it counts as left behind. Default 500. */
  readonly settleMs?: number;
  /** Called at the moment of each event. */
  readonly onEvent?: (event: StopEvent) => void;
}

export interface StopReport {
  /** Undefined when not even SIGKILL ended it in time. */
  readonly exit: Exit | undefined;
  /** From the first rung to the exit, in milliseconds; 0 when it had ended before. */
  readonly latencyMs: number | undefined;
  /** The rung that ended it; `exited` when it had ended before, `none` when nothing did. */
  readonly ladder: Rung | 'exited' | 'none';
  /** Processes that outlived the agent by more than `settleMs` and were then ended. */
  readonly leftBehind: readonly number[];
}

/** What the ladder needs of an agent. */
export interface Stoppable {
  /** How it ended; undefined while it runs. */
  exit(): Exit | undefined;
  readonly exited: Promise<Exit>;
  /** Says whether the input was open until now. */
  closeInput(): boolean;
  /** Signals the agent and its group; called only while the agent runs. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Pids of what the agent started and that still runs. */
  survivors(): readonly number[];
  /** Kills those, each after a second look. */
  killSurvivors(): void;
}

const defaultGraceMs = 2000;
const defaultSettleMs = 500;
const pollMs = 20;

export const climbStopLadder = async (
  agent: Stoppable,
  { from = 'eof', graceMs = {}, settleMs = defaultSettleMs, onEvent = () => {} }: StopOptions,
  clock: Clock,
): Promise<StopReport> => {
  const rungs: readonly Rung[] = ['eof', 'SIGTERM', 'SIGKILL'];
  const began = clock.now();
  let ladder: StopReport['ladder'] = agent.exit() ? 'exited' : 'none';
  for (const rung of rungs.slice(rungs.indexOf(from))) {
    if (agent.exit()) break;
    if (rung !== 'eof') {
      agent.signal(rung);
      onEvent({ event: 'signal-sent', signal: rung });
    } else if (agent.closeInput()) onEvent({ event: 'input-closed' });
    if (await settlesWithin(agent.exited, graceMs[rung] ?? defaultGraceMs, clock)) ladder = rung;
  }
  const exit = agent.exit();
  const latencyMs = ladder === 'exited' ? 0 : exit && clock.now() - began;
  const leftBehind = await endSurvivors(agent, settleMs, graceMs.SIGKILL ?? defaultGraceMs, onEvent, clock);
  return { exit, latencyMs, ladder, leftBehind };
};

/** True when the promise resolves before `ms` milliseconds of the clock have passed. */
export const settlesWithin = (promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> =>
  new Promise(resolve => {
    const timer = clock.timer(ms, () => resolve(false));
    void promise.then(() => {
      timer.cancel();
      resolve(true);
    });
  });

const endSurvivors = async (
  agent: Stoppable,
  settleMs: number,
  killMs: number,
  onEvent: (event: StopEvent) => void,
  clock: Clock,
): Promise<readonly number[]> => {
  const isClear = (): boolean => agent.survivors().length === 0;
  if (await becomesTrue(isClear, settleMs, clock)) return [];
  const pids = agent.survivors();
  if (pids.length === 0) return [];
  onEvent({ event: 'left-behind', pids });
  await becomesTrue(
    () => {
      agent.killSurvivors();
      return isClear();
    },
    killMs,
    clock,
  );
  return pids;
};

const becomesTrue = async (condition: () => boolean, ms: number, clock: Clock): Promise<boolean> => {
  for (const began = clock.now(); ; ) {
    if (condition()) return true;
    if (clock.now() - began >= ms) return false;
    await new Promise<void>(resolve => void clock.timer(pollMs, resolve));
  }
};
