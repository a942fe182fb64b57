/** A judge that keeps what it is told. */
import type { Evidence, Judge } from '../../src/catalogue/judge.ts';

export interface CollectingJudge extends Judge {
  /** How often each requirement was exercised. */
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly { readonly requirement: string; readonly evidence: Evidence }[];
  /** Ids of the violated requirements, each once, sorted. */
  violatedIds(): readonly string[];
}

export const createCollectingJudge = (): CollectingJudge => {
  const counts = new Map<string, number>();
  const violations: { requirement: string; evidence: Evidence }[] = [];
  return {
    counts,
    violations,
    violatedIds: () => [...new Set(violations.map(({ requirement }) => requirement))].sort(),
    exercised(requirement, times = 1) {
      counts.set(requirement, (counts.get(requirement) ?? 0) + times);
    },
    violated(requirement, evidence) {
      violations.push({ requirement, evidence });
    },
  };
};
