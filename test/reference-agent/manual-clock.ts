import type { Clock } from '../../src/wire/index.ts';

/** A clock that stands still: timers fire when the test says so, in the order in which they were set. */
export const manualClock = (): Clock & { readonly pending: number; fire(): void } => {
  const timers: (() => void)[] = [];
  return {
    now: () => 0,
    timer(_, fire) {
      timers.push(fire);
      return {
        cancel() {
          const index = timers.indexOf(fire);
          if (index !== -1) timers.splice(index, 1);
        },
      };
    },
    get pending() {
      return timers.length;
    },
    fire: () => timers.shift()?.(),
  };
};
