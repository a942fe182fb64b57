export { type CertifyOptions, certify } from './certify.ts';
export {
  type Coverage,
  coverageOf,
  type VerdictPath,
  verdictPaths,
} from './coverage.ts';
export type { Difference } from './difference.ts';
export { type JudgeOptions, judgeJournal } from './judge-journal.ts';
export { failedIn, lastReport } from './last-report.ts';
export { namedSecrets } from './named-secrets.ts';
export { promptsOf } from './plan.ts';
export { type CertifyRequest, prepareCertify } from './prepare-certify.ts';
export { type RecordOptions, recordSession } from './record-session.ts';
export { redactorFor } from './redaction.ts';
export { requirementsOf, tierOfScript } from './script-facts.ts';
export type { Subject } from './subject.ts';
export { type Tier, tiers } from './tiers.ts';
export { verifyReport } from './verify.ts';
