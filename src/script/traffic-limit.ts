/** How much may go over the connection of one scenario: an agent that never stops fills no disk. */
import type { Ending } from './run-context.ts';
import type { Scheduler } from './scheduler.ts';

/** Bytes of one scenario, both ways and on standard error: far more than the longest turn comes to. */
export const trafficLimit = 64 * 1024 * 1024;

export const tooMuchTraffic: Ending['result'] = {
  verdict: 'blocked',
  reason: 'more than 64 MiB went over the connection, and the scenario was ended there',
};

/** @returns what is told each number of bytes; once they exceed the limit, `reached` is called as an input of its own */
export const createTrafficLimit = (
  limit = trafficLimit,
  { scheduler, reached }: { readonly scheduler: Scheduler; readonly reached: () => void },
): ((bytes: number) => void) => {
  let left = limit;
  return bytes => {
    if (left >= 0 && left < bytes) scheduler.input(reached);
    left -= bytes;
  };
};
