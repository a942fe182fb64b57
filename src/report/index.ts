export { type Colors, type ConsoleOptions, closingLine, scenarioLine, toConsole } from './console.ts';
export { toJson } from './json.ts';
export {
  type JournalReference,
  type Level,
  type Report,
  type ReportFinding,
  type RequirementResult,
  type RequirementVerdict,
  requirementVerdicts,
  type ScenarioResult,
  type ScenarioVerdict,
  type ShownEntry,
} from './report.ts';
