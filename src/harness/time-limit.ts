import { UserError } from '../base/index.ts';

/** Timers hold no more: about 24.8 days. */
const longestMs = 2 ** 31 - 1;

/** @throws UserError for what is no number of milliseconds that a timer can wait */
export const timeLimit = (ms: number): number => {
  if (ms > 0 && ms <= longestMs) return ms;
  throw new UserError(`${ms} is no time limit; give 1 to ${longestMs} milliseconds`, { place: 'timeoutMs' });
};
