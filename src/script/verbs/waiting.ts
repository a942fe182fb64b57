/** The waits that verbs are made of. */
import { parseDuration } from '../../base/index.ts';
import type { Json } from '../../wire/index.ts';
import { alternativesOf } from '../match.ts';
import type { Received, SentRequest } from '../received.ts';
import { benchError, Ending, type Run, type Saved, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Match, Step } from '../script.ts';
import { fill, MissingValue, type Resolve } from '../values.ts';

/** The step of one verb. */
export type StepOf<Verb extends string> = Extract<Step, Readonly<Record<Verb, unknown>>>;

/** Waits until `poll` yields something, at most the time given. */
export function* within<T>(
  run: Run,
  time: string | undefined,
  poll: () => T | undefined,
): Running<T | 'timeout'> {
  const atOnce = poll();
  if (atOnce !== undefined) return atOnce;
  let isLate = false;
  const timer = run.wakes.after(millisecondsOf(run, time), () =>
    run.scheduler.input(() => {
      isLate = true;
    }),
  );
  const found = yield* run.scheduler.until(() => poll() ?? (isLate ? ('timeout' as const) : undefined));
  timer.cancel();
  return found;
}

export function* pause(run: Run, time: string): Running {
  yield* within(run, time, () => undefined);
}

/** Waits for what happens outside: a write that ends, a connection. */
export function* settle<T>(run: Run, promise: Promise<T>, time?: string): Running<{ value: T } | 'timeout'> {
  let settled: { value: T } | undefined;
  run.wakes.when(promise, value =>
    run.scheduler.input(() => {
      settled = { value };
    }),
  );
  return yield* time === 'unlimited' ? run.scheduler.until(() => settled) : within(run, time, () => settled);
}

const millisecondsOf = (run: Run, time: string | undefined): number =>
  time === undefined ? run.host.timeoutMs : parseDuration(time, run.instance.id);

/** The time limit in words. */
export const limitOf = (run: Run, time: string | undefined): string => {
  if (time !== undefined) return time;
  const { timeoutMs } = run.host;
  return timeoutMs % 1000 === 0 ? `${timeoutMs / 1000}s` : `${timeoutMs}ms`;
};

/**
 * Fills a template in. Where the counterparty left out what the script needs, the script cannot go on.
 * @param as what stands in the text for a value
 * @throws Ending
 */
export const filled = <T extends Json | Match>(
  run: Run,
  thread: Thread,
  template: T,
  as: (value: Json) => Json = value => value,
): T => {
  const resolve: Resolve = path => {
    const value = run.resolve(thread, path);
    return value === undefined ? undefined : as(value);
  };
  try {
    return fill(template as Json, resolve) as T;
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    const [root, name] = error.path;
    if (root === 'trigger') {
      throw new Ending({ verdict: 'not-exercised', reason: `no trigger "${name}" is declared` });
    }
    if (root === 'prompt')
      throw new Ending({ verdict: 'not-exercised', reason: 'no prompt text is declared' });
    throw new Ending({ verdict: 'blocked', reason: error.message });
  }
};

export const exchangeOf = (run: Run, thread: Thread, name: string): SentRequest => {
  const exchange = run.saved(thread, name)?.exchange;
  if (!exchange) throw benchError(`"${name}" is not the name of an exchange`);
  return exchange;
};

/** The exchange whose response a match waits for, if it waits for one. */
export const awaitedExchange = (run: Run, thread: Thread, match: Match): SentRequest | undefined => {
  const name = alternativesOf(match).find(({ response }) => response !== undefined)?.response;
  return name === undefined ? undefined : exchangeOf(run, thread, name);
};

/** Whether nothing can come any more that the match waits for. */
export const isOver = ({ state }: Run, match: Match): boolean =>
  state.hasExited || (state.hasEnded && !alternativesOf(match).some(({ event }) => event === 'exit'));

/** Notes that a trigger did what it should. */
export const triggerFired = (run: Run, taken: readonly Received[]): void => {
  const { trigger } = run.state;
  const isFrame = taken.some(item => item.kind === 'frame' && !item.request);
  if (trigger === undefined || !isFrame) return;
  run.host.note({ event: 'trigger', trigger, fired: true });
  run.state.trigger = undefined;
};

export const savedValue = (value: Json): Saved => ({ value: () => value });
