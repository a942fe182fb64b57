export type { Case, Expectation } from './case.ts';
export type { Mistake } from './check.ts';
export { type LoadedCase, loadCases } from './load-cases.ts';
export { type Colors, caseLine, summaryOf } from './report.ts';
export { type CaseResult, type RunCasesOptions, runCases } from './run-cases.ts';
