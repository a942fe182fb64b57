/** Verbs that judge what was received. */
import type { Evidence } from '../../catalogue/index.ts';
import { type Json, valueAt } from '../../wire/index.ts';
import { evidenceOf, triggerMissed, undecided } from '../blame.ts';
import { cut, cutValue, describe } from '../explain.ts';
import { alternativesOf, compare, createMatcher, matches } from '../match.ts';
import type { Received, SentRequest } from '../received.ts';
import { benchError, Ending, type Run, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Branch, Match, ValuePattern } from '../script.ts';
import { savedItem } from './receive.ts';
import { exchangeOf, filled, isOver, limitOf, type StepOf, triggerFired, within } from './waiting.ts';

/** A failed check is blamed, and the script goes on: the frame is there all the same. */
export const assert = (run: Run, thread: Thread, step: StepOf<'assert'>): undefined => {
  const { of, is, checks = [] } = step.assert;
  const pattern = filled(run, thread, is);
  const subject = subjectOf(run, thread, of);
  const { differs } = compare(pattern, subject.value, run.context(thread).fits);
  if (!differs) {
    for (const requirement of checks) run.decide(requirement);
    return;
  }
  const actual = differs.actual === undefined ? 'missing' : cut(JSON.stringify(differs.actual), 200);
  const detail = `in "${of}", ${differs.pointer || 'the value'} is ${actual}, expected ${cut(JSON.stringify(differs.expected), 200)}`;
  if (checks.length === 0) throw new Ending({ verdict: 'blocked', reason: detail });
  const evidence = {
    ...evidenceOfSubject(subject, detail),
    pointer: differs.pointer,
    expected: cut(JSON.stringify(pattern)),
  };
  for (const requirement of checks) run.decide(requirement, evidence);
};

/** The first branch that holds is taken; `else` when none can hold any more, or the time is over. */
export function* either(run: Run, thread: Thread, step: StepOf<'either'>): Running {
  const tests = step.either.map(branch => testOf(run, thread, branch));
  const taken = yield* within<Taken | 'ended'>(run, step.within, () => {
    for (const test of tests) {
      const item = test.poll();
      if (item) return { branch: test.branch, item };
    }
    const waiting = tests.filter(test => test.canCome());
    if (waiting.length === 0) return { branch: undefined };
    return waiting.every(test => isOver(run, test.match)) ? 'ended' : undefined;
  });

  const cause = typeof taken === 'string' ? taken : undefined;
  const branch = typeof taken === 'string' ? undefined : taken.branch;
  const chosen = branch ?? step.either.find(candidate => candidate.else);
  if (!chosen) throw benchError('no branch of "either" holds, and there is no else');
  const item = typeof taken === 'object' && branch ? taken.item : undefined;
  yield* take(run, thread, chosen, () =>
    branchEvidence(run, thread, step, chosen, item === 'value' ? undefined : item, cause),
  );
}

interface Taken {
  readonly branch: Branch | undefined;
  /** What was received, or that a saved value matches. */
  readonly item?: Received | 'value' | undefined;
}

interface Test {
  readonly branch: Branch;
  readonly match: Match;
  poll(): Received | 'value' | undefined;
  /** Whether what it looks at may still come. */
  canCome(): boolean;
}

const testOf = (run: Run, thread: Thread, branch: Branch): Test => {
  const { when } = branch;
  if (when === undefined) return { branch, match: {}, poll: () => undefined, canCome: () => false };
  if ('received' in when) {
    const match = filled(run, thread, when.received);
    const isMatch = createMatcher(match, run.context(thread));
    const scan = run.mailbox.scan('oldest', item => run.sees(thread, item));
    return {
      branch,
      match,
      // The response of an exchange that has it already does not come again.
      canCome: () =>
        !alternativesOf(match).every(
          ({ response }) => response !== undefined && exchangeOf(run, thread, response).response,
        ),
      poll() {
        for (let item = scan.next(); item; item = scan.next()) {
          if (!run.mailbox.isOpen(item) || !isMatch(item)) continue;
          run.mailbox.take(item);
          triggerFired(run, [item]);
          if (when.as) run.save(thread, when.as, savedItem(item));
          return item;
        }
        return undefined;
      },
    };
  }
  const pattern = filled(run, thread, when.is);
  return {
    branch,
    match: {},
    canCome: () => subjectOf(run, thread, when.of).value === undefined,
    poll() {
      const { value, item } = subjectOf(run, thread, when.of);
      return matches(pattern, value, run.context(thread).fits) ? (item ?? 'value') : undefined;
    },
  };
};

function* take(run: Run, thread: Thread, branch: Branch, evidence: () => Evidence): Running {
  for (const requirement of branch.passes ?? []) run.decide(requirement);
  if (branch.fails?.length) {
    const violation = evidence();
    for (const requirement of branch.fails) run.decide(requirement, violation);
  }
  if (branch.verdict) {
    const { verdict } = branch;
    const { detail } = evidence();
    const reason =
      verdict === 'not-exercised'
        ? triggerMissed(run, detail)
        : verdict === 'inconclusive'
          ? undecided(run, detail)
          : detail;
    throw new Ending({ verdict, reason });
  }
  // Only this branch is still to come, not the others.
  thread.levels.at(-1)!.index += 1;
  yield* run.runSteps(thread, branch.steps ?? [], 'either');
}

/** What the branch saw, and what the branches beside it would have accepted. */
const branchEvidence = (
  run: Run,
  thread: Thread,
  step: StepOf<'either'>,
  chosen: Branch,
  item: Received | undefined,
  cause: 'timeout' | 'ended' | undefined,
): Evidence => {
  const accepted = step.either.flatMap(({ when, fails, verdict }) =>
    when === undefined || fails?.length || verdict ? [] : [acceptedBy(run, thread, when)],
  );
  const expected = cut(accepted.join(' or ')) || otherThan(run, thread, chosen.when);
  const of = (chosen.when ?? step.either.find(({ when }) => when && 'of' in when)?.when) as
    | { of?: string }
    | undefined;
  const subject = of?.of === undefined ? undefined : subjectOf(run, thread, of.of);
  const awaited = awaitedBy(run, thread, step);
  const seen = item ?? subject?.item ?? (subject ? undefined : awaited?.response);
  if (seen || subject?.value !== undefined) {
    const base = evidenceOfSubject(
      { value: undefined, item: seen, ...subject },
      `got ${shortly(subject, seen)}, expected ${expected}`,
    );
    return { ...base, expected, ...(chosen.situation && { situation: chosen.situation }) };
  }
  const request = subject?.exchange ?? awaited;
  const limit = limitOf(run, step.within);
  const base = evidenceOf(run, thread, {
    cause: cause ?? 'timeout',
    match: request ? `the response to ${request.method ?? 'that request'}` : expected,
    request,
    within: limit,
    situation: chosen.situation,
  });
  return { ...base, expected };
};

/** For a branch beside which only `else` stands. */
const otherThan = (run: Run, thread: Thread, when: Branch['when']): string =>
  when ? `nothing like ${acceptedBy(run, thread, when)}` : 'another branch';

const acceptedBy = (run: Run, thread: Thread, when: NonNullable<Branch['when']>): string =>
  'received' in when
    ? describe(filled(run, thread, when.received))
    : `${when.of} = ${cut(JSON.stringify(filled(run, thread, when.is as ValuePattern)))}`;

const awaitedBy = (run: Run, thread: Thread, step: StepOf<'either'>): SentRequest | undefined => {
  for (const { when } of step.either) {
    if (!when || !('received' in when)) continue;
    const names = [when.received].flat().map(pattern => pattern.response);
    const name = names.find(response => response !== undefined);
    if (name !== undefined) return run.saved(thread, name)?.exchange;
  }
  return undefined;
};

interface Subject {
  readonly value: Json | undefined;
  readonly item: Received | undefined;
  readonly exchange?: SentRequest | undefined;
}

/** `of: x`: the response of an exchange, or the saved value; `of: x.params.y` a member of it. */
const subjectOf = (run: Run, thread: Thread, of: string): Subject => {
  const [name = '', ...path] = of.split('.');
  const saved = run.saved(thread, name);
  if (!saved) throw benchError(`nothing is saved as "${name}"`);
  const item = saved.item?.();
  if (saved.exchange && path.length === 0) {
    return { value: saved.exchange.response?.frame, item, exchange: saved.exchange };
  }
  return { value: valueAt(saved.value(), path), item, exchange: saved.exchange };
};

const evidenceOfSubject = ({ value, item, exchange }: Subject, detail: string): Evidence => {
  const after = exchange?.seq ?? (item?.kind === 'frame' ? item.request?.seq : undefined);
  const actual = item?.kind === 'frame' ? item.frame : value;
  return {
    detail,
    ...(item?.seq !== undefined && { seq: item.seq }),
    ...(after !== undefined && { after }),
    ...(item?.kind === 'frame' && { message: item.message }),
    ...(actual !== undefined && { actual: cutValue(actual) }),
  };
};

const shortly = (subject: Subject | undefined, item: Received | undefined): string =>
  cut(JSON.stringify((item?.kind === 'frame' ? item.frame : (subject?.value ?? item?.kind)) ?? null), 1000);
