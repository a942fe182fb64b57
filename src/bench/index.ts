export { type CertifyOptions, certify } from './certify.ts';
export { type JudgeOptions, judgeJournal } from './judge-journal.ts';
export { failedIn, lastReport, readReport } from './last-report.ts';
export { handshakeId, promptsOf } from './plan.ts';
export { type CertifyRequest, prepareCertify } from './prepare-certify.ts';
export { requirementsOf, tierOfScript } from './script-facts.ts';
export { loadChecked, loadMockAgents, loadScenarios } from './scripts.ts';
export { type Tier, tierOf, tiers } from './tiers.ts';
