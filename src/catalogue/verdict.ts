import type { Evidence } from './judge.ts';
import type { Requirement, VerdictCase, ViolationVerdict } from './requirement.ts';
import { holds } from './situations.ts';

export interface ViolationGrade {
  readonly verdict: ViolationVerdict;
  /** The case that fits; absent for the requirement's default. */
  readonly case?: VerdictCase;
}

/** The verdict of one violation: that of the first case that fits, else the requirement's own. */
export const gradeViolation = (requirement: Requirement, evidence: Evidence): ViolationGrade => {
  const fitting = requirement.cases?.find(({ situation }) => holds(situation, evidence));
  return fitting ? { verdict: fitting.verdict, case: fitting } : { verdict: requirement.verdict };
};
