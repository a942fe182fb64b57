/**
 * Runs the threads of a script. A thread is a generator that yields while it waits and is resumed after each input to
 * look again. One input is worked off until every thread waits before the next is taken, in the order of arrival:
 * what a script does therefore depends on the order of inputs alone, and a replay of that order does the same.
 */
export type Running<T = void> = Generator<void, T, void>;

export interface Scheduler {
  /** Works off an input; at once, or after the one that is being worked off. */
  input(take: () => void): void;
  start(thread: Running): void;
  /** Waits until `poll` yields something. */
  until<T>(poll: () => T | undefined): Running<T>;
  /** Ends all threads; later inputs are ignored. */
  stop(): void;
}

export interface SchedulerOptions {
  /** Called after each input, when every thread waits. */
  settled(): void;
  /** Called for what a thread or an input throws; a mistake of ours. */
  failed(error: unknown): void;
}

export const createScheduler = ({ settled, failed }: SchedulerOptions): Scheduler => {
  const inputs: (() => void)[] = [];
  const threads = new Set<Running>();
  let isBusy = false;
  let isStopped = false;
  /** Some wait was met in this pass, which may meet the condition of another thread. */
  let hasMoved = false;

  const resumeAll = () => {
    for (const thread of threads) {
      if (thread.next().done) threads.delete(thread);
      if (isStopped) return;
    }
  };
  const workOff = (take: () => void) => {
    take();
    do {
      hasMoved = false;
      resumeAll();
    } while (hasMoved && !isStopped);
    if (!isStopped) settled();
  };

  return {
    input(take) {
      if (isStopped) return;
      inputs.push(take);
      if (isBusy) return;
      isBusy = true;
      try {
        for (let next = inputs.shift(); next && !isStopped; next = inputs.shift()) workOff(next);
      } catch (error) {
        failed(error);
      } finally {
        isBusy = false;
      }
    },
    start(thread) {
      threads.add(thread);
      hasMoved = true;
    },
    *until(poll) {
      let found = poll();
      while (found === undefined) {
        yield;
        found = poll();
      }
      hasMoved = true;
      return found;
    },
    stop() {
      isStopped = true;
      threads.clear();
    },
  };
};
