/** Verbs that wait for the counterparty. */
import { blame, type Missed, triggerMissed } from '../blame.ts';
import { alternativesOf, createMatcher } from '../match.ts';
import { asValue, isResponse, type Received, type SentRequest } from '../received.ts';
import { Ending, type Run, type Saved, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Match, Unless } from '../script.ts';
import {
  awaitedExchange,
  exchangeOf,
  filled,
  isOver,
  limitOf,
  type StepOf,
  savedValue,
  triggerFired,
  within,
} from './waiting.ts';

export function* expect(run: Run, thread: Thread, step: StepOf<'expect'>): Running {
  const match = filled(run, thread, step.expect);
  const isWanted = createMatcher(match, run.context(thread));
  const stops = (step.unless ?? []).map(unless => stopOf(run, thread, unless));
  const request = awaitedExchange(run, thread, match);
  const scan = run.mailbox.scan('oldest', item => run.sees(thread, item));
  const wanted = Number(step.count ?? 1);
  const taken: Received[] = [];

  const end = yield* within<Stop | 'met' | Missed['cause'] | { other: Received }>(run, step.within, () => {
    for (let item = scan.next(); item; item = scan.next()) {
      if (run.mailbox.isOpen(item) && isWanted(item)) {
        run.mailbox.take(item);
        taken.push(item);
        if (taken.length === wanted) return 'met';
        continue;
      }
      const stop = stops.find(({ isMet }) => isMet(item));
      if (stop) return { ...stop, item };
      if (answersAnyOf(run, thread, match, item) || floods(item, request)) return { other: item };
    }
    return isOver(run, match) ? 'ended' : undefined;
  });

  if (end === 'met') {
    triggerFired(run, taken);
    for (const requirement of step.checks ?? []) run.decide(requirement);
    if (step.as)
      run.save(thread, step.as, step.count === undefined ? savedItem(taken[0]!) : savedList(taken));
    return;
  }
  const missed = { match, request, within: limitOf(run, step.within) };
  if (typeof end === 'object' && 'unless' in end)
    throw stopped(run, thread, end, { ...missed, cause: 'other', item: end.item }, step.checks);
  throw blame(
    run,
    thread,
    typeof end === 'object' ? { ...missed, cause: 'other', item: end.other } : { ...missed, cause: end },
    step.checks,
  );
}

export function* collect(run: Run, thread: Thread, step: StepOf<'collect'>): Running {
  const match = filled(run, thread, step.collect.match);
  const until = filled(run, thread, step.collect.until);
  const context = run.context(thread);
  const [isWanted, isLast] = [createMatcher(match, context), createMatcher(until, context)];
  const scan = run.mailbox.scan('oldest', item => run.sees(thread, item));
  const taken: Received[] = [];

  const end = yield* within<'met' | Missed['cause']>(run, step.within, () => {
    for (let item = scan.next(); item; item = scan.next()) {
      const ends = run.mailbox.isOpen(item) && isLast(item);
      if (isWanted(item)) taken.push(item);
      else if (!ends) continue;
      run.mailbox.take(item);
      if (ends) return 'met';
    }
    return isOver(run, until) ? 'ended' : undefined;
  });

  run.save(thread, step.collect.as, savedList(taken));
  if (end !== 'met') {
    const request = awaitedExchange(run, thread, until);
    throw blame(
      run,
      thread,
      { cause: end, match: until, request, within: limitOf(run, step.within) },
      step.checks,
    );
  }
  triggerFired(run, taken);
  for (const requirement of step.checks ?? []) run.decide(requirement);
}

export function* quiet(run: Run, thread: Thread, step: StepOf<'quiet'>): Running {
  const match = filled(run, thread, step.quiet.match);
  const isUnwanted = createMatcher(match, run.context(thread));
  const scan = run.mailbox.scan('now', item => run.sees(thread, item));

  const found = yield* within(run, step.quiet.for, () => {
    for (let item = scan.next(); item; item = scan.next()) if (isUnwanted(item)) return item;
    return undefined;
  });

  if (found !== 'timeout') {
    const silence = `silence for ${step.quiet.for}`;
    throw blame(
      run,
      thread,
      { cause: 'other', match: silence, item: found, within: step.quiet.for },
      step.checks,
    );
  }
  for (const requirement of step.checks ?? []) run.decide(requirement);
}

export function* stderr(run: Run, thread: Thread, step: StepOf<'stderr'>): Running {
  if ('write' in step.stderr) {
    run.host.stderr?.(filled(run, thread, step.stderr.write));
    return;
  }
  const text = filled(run, thread, step.stderr.expect);
  const end = yield* within(run, step.within, () => {
    if (run.state.stderr.includes(text)) return 'met';
    return run.state.hasExited ? 'ended' : undefined;
  });
  if (end !== 'met') {
    const match = `${JSON.stringify(text)} on standard error`;
    throw blame(run, thread, { cause: end, match, within: limitOf(run, step.within) }, step.checks);
  }
  for (const requirement of step.checks ?? []) run.decide(requirement);
}

export function* awaitSignal(run: Run, thread: Thread, step: StepOf<'await'>): Running {
  const count = Number(step.count ?? 1);
  const end = yield* within(run, step.within, () => {
    if ((run.state.signals.get(step.await) ?? 0) >= count) return 'met';
    return run.state.hasExited ? 'ended' : undefined;
  });
  if (end !== 'met') {
    const match = `the signal "${step.await}"`;
    throw blame(run, thread, { cause: end, match, within: limitOf(run, step.within) }, undefined);
  }
}

/** Waits until n frames of an exchange were received. */
export function* awaitFrames(
  run: Run,
  thread: Thread,
  { frames, of }: { readonly frames: number | string; readonly of: string },
  time: string | undefined,
): Running {
  const exchange = exchangeOf(run, thread, of);
  const end = yield* within(run, time, () => {
    if (exchange.frames >= Number(frames)) return 'met';
    if (exchange.response) return 'answered';
    return run.state.hasEnded ? 'ended' : undefined;
  });
  if (end === 'answered') {
    const reason = `"${of}" was answered after ${exchange.frames} frames, before frame ${frames}`;
    throw new Ending({ verdict: 'inconclusive', reason });
  }
  if (end !== 'met') {
    const match = `frame ${frames} of ${exchange.method ?? of}`;
    throw blame(run, thread, { cause: end, match, within: limitOf(run, time) }, undefined);
  }
}

export const savedItem = (item: Received): Saved => ({ value: () => asValue(item), item: () => item });

const savedList = (items: readonly Received[]): Saved => savedValue(items.map(asValue));

interface Stop {
  readonly unless: Unless;
  readonly match: Match;
  readonly isMet: (item: Received) => boolean;
  readonly item?: Received;
}

const stopOf = (run: Run, thread: Thread, unless: Unless): Stop => {
  const match = filled(run, thread, unless.match);
  return { unless, match, isMet: createMatcher(match, run.context(thread)) };
};

/** What came instead says which verdict that means; without one it is as any wait that was not met. */
const stopped = (
  run: Run,
  thread: Thread,
  { unless: { verdict, fails, situation } }: Stop,
  missed: Missed,
  checks: readonly string[] | undefined,
): Ending => {
  if (verdict === undefined) return blame(run, thread, { ...missed, situation }, fails ?? checks);
  const { result } = blame(run, thread, { ...missed, situation }, fails);
  if (verdict !== 'not-exercised') return new Ending({ ...result, verdict });
  return new Ending({ ...result, verdict, reason: triggerMissed(run, result.reason ?? '') });
};

/** A line without end before initialize is answered: nothing can follow it that is worth a wait of minutes. */
const floods = (item: Received, request: SentRequest | undefined): boolean =>
  item.kind === 'malformed' && item.line.continues === true && request?.method === 'initialize';

/** A response that was waited for and differs from what was expected of it. */
const answersAnyOf = (run: Run, thread: Thread, match: Match, item: Received): boolean =>
  isResponse(item) &&
  item.request !== undefined &&
  alternativesOf(match).some(
    ({ response }) =>
      response !== undefined && exchangeOf(run, thread, response) === (item.request as SentRequest),
  );
