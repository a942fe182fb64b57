/**
 * A clock whose time stands still while anything happens in this process and jumps to the next timer when nothing can
 * happen any more. What is waited for costs nothing, and a slow machine never lets a timer win that would have lost.
 */
import { type Clock, systemClock } from '../../src/wire/index.ts';

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/**
 * Begins at 0. While a child process lives or a socket is open, time passes, but slower than it really does: what they do
 * is not in this process's hands, and takes longer on a busy machine. What is open when the clock is made does not count,
 * so make it before a run begins, and have one run at a time.
 */
export const createVirtualClock = (): Clock => {
  /** In the order in which they fire: by time, then by age. */
  const timers: Timer[] = [];
  const foreign = createForeignActivity();
  let now = 0;
  let isLooking = false;

  const look = async (): Promise<void> => {
    isLooking = true;
    while (timers.length > 0) {
      await stillness(foreign.isBusy);
      const due = timers[0]?.due ?? now;
      if (foreign.isOutside()) {
        await new Promise<void>(resolve => void systemClock.timer(lookMs, resolve));
        now = Math.min(due, now + lookMs / slowness);
      } else now = due;
      if (timers[0] && timers[0].due <= now) timers.shift()?.fire();
    }
    isLooking = false;
  };

  return {
    now: () => now,
    timer(ms, fire) {
      const timer = { due: now + ms, fire };
      const after = timers.findIndex(({ due }) => due > timer.due);
      timers.splice(after === -1 ? timers.length : after, 0, timer);
      if (!isLooking) void look();
      return {
        cancel() {
          const index = timers.indexOf(timer);
          if (index !== -1) timers.splice(index, 1);
        },
      };
    },
  };
};

/** How often to look at what happens outside of this process, in milliseconds. */
const lookMs = 1;

/** How much longer a program may take than where nothing else runs. */
const slowness = 4;

/** Closing a handle takes one more turn of the event loop than what led to it, in which nothing shows. */
const stillTurns = 3;

/** Resolves after some turns of the event loop in which nothing was pending. */
const stillness = async (isBusy: () => boolean): Promise<void> => {
  for (let still = 0; still < stillTurns; still = isBusy() ? 0 : still + 1) await new Promise(setImmediate);
};

/** What keeps the event loop alive beside what did so at the beginning. */
const createForeignActivity = () => {
  const known = count(process.getActiveResourcesInfo());
  const added = (): ReadonlySet<string> => {
    const present = count(process.getActiveResourcesInfo());
    for (const [name, times] of known) known.set(name, Math.min(times, present.get(name) ?? 0));
    return new Set([...present].flatMap(([name, times]) => (times > (known.get(name) ?? 0) ? [name] : [])));
  };
  return {
    /** A later turn of this process is on its way: an immediate, or a request such as reading a file. */
    isBusy: () => [...added()].some(name => name === 'Immediate' || /req/i.test(name)),
    /** Something happens outside, and may come to an end or not. */
    isOutside: () => added().size > 0,
  };
};

const count = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
