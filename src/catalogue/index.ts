export { type Applicability, applicability, isLaterThan, type Setting } from './applicability.ts';
export { advertises } from './capabilities.ts';
export type { ConnectionFacts } from './connection-facts.ts';
export type { Evidence, Judge } from './judge.ts';
export { catalogueFile, loadCatalogue } from './load.ts';
export type {
  Capability,
  Catalogue,
  Condition,
  Position,
  Requirement,
  RequirementId,
  VerdictCase,
  ViolationVerdict,
} from './requirement.ts';
export { holds, type Situation, situationNames } from './situations.ts';
export { isSessionScoped, isTurnContent } from './update-kinds.ts';
export { gradeViolation, type ViolationGrade } from './verdict.ts';
