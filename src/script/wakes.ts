/**
 * Everything that resumes a script beside what the counterparty and the actor do: timers, writes that ended, new
 * connections, and that more was said than is recorded. Each has a number and is noted when it happens, so that a
 * replay can let it happen at the same place.
 */
import type { BenchEvent } from '../journal/index.ts';
import type { Clock } from '../wire/index.ts';

export interface Wakes {
  after(ms: number, wake: () => void): { cancel(): void };
  /** `promise` must not reject. */
  when<T>(promise: Promise<T>, wake: (value: T) => void): void;
  /** For what the run itself finds: happens when the run calls what this returns; in a replay, when the journal says. */
  told(wake: () => void): () => void;
}

/** Number of what is told; the others count from 1. */
export const toldId = 0;

export const liveWakes = (clock: Clock, note: (event: BenchEvent) => void): Wakes => {
  let count = 0;
  return {
    after(ms, wake) {
      count += 1;
      const id = count;
      return clock.timer(ms, () => {
        note({ event: 'timer', id });
        wake();
      });
    },
    when(promise, wake) {
      count += 1;
      const id = count;
      void promise.then(value => {
        note({ event: 'timer', id });
        wake(value);
      });
    },
    told: wake => () => {
      note({ event: 'timer', id: toldId });
      wake();
    },
  };
};
