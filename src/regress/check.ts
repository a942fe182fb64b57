/** Holds what came of a case against what must come of it. */

import { pointerNames } from '../base/index.ts';
import { compare, type SchemaTest } from '../script/index.ts';
import { type Json, valueAt } from '../wire/index.ts';
import type { Expectation } from './case.ts';
import { createFrameMatcher, firstMissing } from './frames.ts';
import type { Performed } from './perform.ts';

export interface Mistake {
  /** JSON pointer into the outcome, `frames`, `never`, `nowhere`. */
  readonly where: string;
  readonly expected: Json;
  /** Null where there is nothing. */
  readonly actual: Json;
}

/** @param journal text of the journal, empty where none was written */
export const mistakesIn = (
  { outcome, frames }: Performed,
  expect: Expectation,
  journal: string,
  fits: SchemaTest,
): readonly Mistake[] => {
  const mistakes: Mistake[] = [];
  const add = (where: string, expected: Json, actual: Json | undefined): void =>
    void mistakes.push({ where, expected, actual: actual ?? null });

  const { differs } = compare(expect.outcome ?? {}, outcome, fits);
  if (differs) add(differs.pointer, differs.expected, differs.actual);
  for (const pointer of expect.absent ?? []) {
    const value = valueAt(outcome, pointerNames(pointer));
    if (value !== undefined) add(pointer, 'nothing', value);
  }
  const missing = firstMissing(expect.frames ?? [], frames, fits);
  if (missing) add('frames', missing as unknown as Json, 'no such frame at this place');
  for (const pattern of expect.never ?? []) {
    const frame = frames.find(createFrameMatcher(pattern, fits));
    if (frame) add('never', pattern as unknown as Json, frame.payload);
  }
  // The agent is given its secrets, and notes them.
  const { agent: _, ...told } = outcome;
  const everything = JSON.stringify([told, frames]) + journal;
  for (const text of expect.nowhere ?? []) {
    if (everything.includes(text)) add('nowhere', text, 'it stands in the result or the journal');
  }
  return mistakes;
};
