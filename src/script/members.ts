/** The scripts of a run that share one connection, in order: which of them runs, what it decided, what came of it. */
import type { Evidence, RequirementId } from '../catalogue/index.ts';
import type { Json } from '../wire/index.ts';
import type { Decision, ScriptHost, ScriptResult } from './host.ts';
import type { ScriptInstance } from './instances.ts';
import type { Ending, Saved } from './run-context.ts';

export interface Members {
  readonly results: readonly ScriptResult[];
  current(): ScriptInstance;
  /** The first begins, or the one after that which has ended. */
  begin(): void;
  decided(requirement: RequirementId, violation: Evidence | undefined): void;
  hasFailed(): boolean;
  isMore(): boolean;
  /** The present one is over. */
  ended(ending: Ending['result'], saved: ReadonlyMap<string, Saved>): void;
}

export const createMembers = (instances: readonly ScriptInstance[], note: ScriptHost['note']): Members => {
  const results: ScriptResult[] = [];
  let decided: Decision[] = [];
  let index = 0;
  return {
    results,
    current: () => instances[index]!,
    begin() {
      index = results.length;
      decided = [];
      note({ event: 'scenario', scenario: instances[index]!.id });
    },
    decided(requirement, evidence) {
      decided.push({ requirement, ...(evidence ? { outcome: 'fail', evidence } : { outcome: 'pass' }) });
    },
    hasFailed: () => decided.some(({ outcome }) => outcome === 'fail'),
    isMore: () => index + 1 < instances.length,
    ended(ending, saved) {
      results.push({ ...ending, decided, saved: valuesOf(saved) });
    },
  };
};

const valuesOf = (saved: ReadonlyMap<string, Saved>): ScriptResult['saved'] => {
  const values = [...saved].map(([name, { value }]) => [name, value()] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, Json] => entry[1] !== undefined));
};
