/** What the steps that are still to come name, so that nobody else answers it in their place. */
import { alternativesOf } from './match.ts';
import type { EventPattern, Match, Step } from './script.ts';

export interface Named {
  readonly pattern: EventPattern;
  /** The step takes what matches; else it only looks for it. */
  readonly takes: boolean;
}

/** What the steps from `index` on wait for, those of nested steps included. */
export const namedFrom = (steps: readonly Step[], index: number): readonly Named[] => {
  let suffixes = known.get(steps);
  if (!suffixes) {
    suffixes = suffixesOf(steps);
    known.set(steps, suffixes);
  }
  return suffixes[index] ?? [];
};

const known = new WeakMap<readonly Step[], Named[][]>();

const suffixesOf = (steps: readonly Step[]): Named[][] => {
  const suffixes: Named[][] = [[]];
  for (const step of steps.toReversed()) suffixes.unshift([...namedBy(step), ...suffixes[0]!]);
  return suffixes;
};

const namedBy = (step: Step): Named[] => {
  if ('expect' in step) {
    const stops = (step.unless ?? []).flatMap(({ match }) => named(match, false));
    return [...named(step.expect, true), ...stops];
  }
  if ('collect' in step) return [...named(step.collect.match, true), ...named(step.collect.until, true)];
  if ('hold' in step) return step.hold.map(method => ({ pattern: { method }, takes: true }));
  if ('either' in step) {
    return step.either.flatMap(({ when, steps = [] }) => [
      ...(when && 'received' in when ? named(when.received, true) : []),
      ...steps.flatMap(namedBy),
    ]);
  }
  return [];
};

/** All that could become the n-th match is named. */
const named = (match: Match, takes: boolean): Named[] =>
  alternativesOf(match).map(({ nth, ...pattern }) => ({ pattern, takes }));
