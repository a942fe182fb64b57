import type { Clock } from './port.ts';

/** Real time: milliseconds on the system's monotonic clock, comparable between processes of one machine. */
export const systemClock: Clock = {
  now: () => Number(process.hrtime.bigint()) / 1e6,
  timer(ms, fire) {
    const timeout = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(timeout) };
  },
};
