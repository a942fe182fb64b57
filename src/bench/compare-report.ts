/** Holds a report against what its records come to, member by member. */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../base/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Release } from '../protocol/index.ts';
import type { Report, RequirementResult } from '../report/index.ts';
import type { CompiledScript } from '../script/index.ts';
import { gradeRecords } from './assemble-report.ts';
import type { Differ } from './difference.ts';
import { exitCodeOf } from './levels.ts';
import { planRun } from './plan.ts';
import { agentInfoIn, type ScenarioRecord } from './scenario-record.ts';
import type { Tier } from './tiers.ts';

export interface CompareOptions {
  readonly scripts: readonly CompiledScript[];
  readonly catalogue: Catalogue;
  readonly differ: Differ;
}

export const compareReport = (
  report: Report,
  records: readonly ScenarioRecord[],
  { scripts, catalogue, differ }: CompareOptions,
): void => {
  const { options, schemaRelease, subject, agentInfo } = report.header;
  const { rules } = options;
  const graded = gradeRecords(records, catalogue, {
    release: schemaRelease as Release,
    subject,
    tiers: (options.tiers ?? []) as readonly Tier[],
    ...(typeof rules === 'string' && { rules }),
  });
  // As a file has it: JSON knows no infinite number.
  const derived = JSON.parse(JSON.stringify(graded)) as typeof graded;
  const compare: Compare = (about, what, reported, found) => {
    if (alike(reported, found)) return;
    differ(about, `${what} is ${shortly(reported)} in the report, ${shortly(found)} by the journals`);
  };

  const planned = plannedIds(report, scripts, catalogue, differ);
  const isAll = planned.length * Number(options.repeat) === records.length;
  comparePlan(report, planned, differ);
  compareScenarios(report, derived, compare);
  compareRequirements(report, derived, compare);
  compare('report', 'what the agent says of itself', agentInfo, agentInfoIn(records));
  compare('report', 'the level', report.summary.level, derived.summary.level);
  compare('report', 'the counts', report.summary.counts, derived.summary.counts);
  compare('report', 'the level of each tier', report.summary.tiers, derived.summary.tiers);
  compare('report', 'the count of scenarios', report.summary.scenarioCounts, derived.summary.scenarioCounts);
  compare('report', 'what is missing', report.summary.unexercised, derived.summary.unexercised);
  compareFooter(report, derived, isAll, compare, differ);
};

type Compare = (about: string, what: string, reported: unknown, found: unknown) => void;
type Derived = Pick<Report, 'summary' | 'requirements' | 'scenarios'>;

const plannedIds = (
  { header: { options } }: Report,
  scripts: readonly CompiledScript[],
  catalogue: Catalogue,
  differ: Differ,
): readonly string[] => {
  const list = (name: string) => (options[name] ?? []) as readonly string[];
  try {
    const selection = { tiers: list('tiers') as readonly Tier[], only: list('only'), skip: list('skip') };
    return planRun(scripts, catalogue, selection).map(({ id }) => id);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    differ('report', `its options select no scenarios: ${error.message}`);
    return [];
  }
};

const comparePlan = ({ scenarios, footer }: Report, planned: readonly string[], differ: Differ): void => {
  const ids = scenarios.map(({ id }) => id);
  for (const id of new Set(ids)) {
    if (!planned.includes(id)) differ(id, 'the options of the report do not select it');
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) differ(id, 'the report has it more than once');
  }
  if (!footer?.complete) return;
  for (const id of planned) if (!ids.includes(id)) differ(id, 'the report leaves it out');
};

const compareScenarios = (report: Report, derived: Derived, compare: Compare): void => {
  const found = new Map(derived.scenarios.map(scenario => [scenario.id, scenario]));
  for (const scenario of report.scenarios) {
    const { id } = scenario;
    const other = found.get(id);
    if (!other) continue;
    compare(id, 'the verdict', scenario.verdict, other.verdict);
    compare(id, 'what its steps decided', scenario.decided, other.decided);
    compare(id, 'what the rules found', scenario.found, other.found);
    compare(id, 'the title', scenario.title, other.title);
    compare(id, 'the reason', scenario.reason, other.reason);
    compare(id, 'the count of attempts', scenario.attempts, other.attempts);
    compare(id, 'whether it passed only alone', scenario.onlyAlone ?? false, other.onlyAlone ?? false);
    compare(id, 'which triggers fired', scenario.triggers, other.triggers);
  }
};

const compareRequirements = (report: Report, derived: Derived, compare: Compare): void => {
  compare(
    'report',
    'the list of requirements',
    report.requirements.map(({ id }) => id),
    derived.requirements.map(({ id }) => id),
  );
  const found = new Map(derived.requirements.map(result => [result.id, result]));
  for (const result of report.requirements) {
    const { id } = result;
    const other = found.get(id);
    compare(id, 'the verdict', result.verdict, other?.verdict);
    compare(id, 'the count of opportunities', result.exercised, other?.exercised);
    compare(id, 'the count of violations', result.violated, other?.violated);
    compare(id, 'the reason', result.reason, other?.reason);
    compare(id, 'the party', result.party, other?.party);
    compare(id, 'the word', result.level, other?.level);
    if (other) compareFindings(report, result, other, compare);
  }
};

/** Repeats are derived in another order, so that of many findings others may be kept. */
const compareFindings = (
  { header: { options } }: Report,
  { id, findings, violated }: RequirementResult,
  other: RequirementResult,
  compare: Compare,
): void => {
  if (Number(options.repeat) === 1) {
    compare(id, 'the count of findings', findings.length, other.findings.length);
    for (const [index, finding] of findings.entries())
      compare(id, `finding ${index + 1}`, finding, other.findings[index]);
  } else if (violated === findings.length) {
    const missing = findings.filter(finding => !other.findings.some(each => alike(finding, each)));
    compare(id, 'the findings', missing, []);
  }
};

const compareFooter = (
  report: Report,
  derived: Derived,
  isAll: boolean,
  compare: Compare,
  differ: Differ,
): void => {
  const { footer, header } = report;
  if (!footer) {
    differ('report', 'it has no footer, so it was not finished');
    return;
  }
  const { failOn, allowIncomplete } = header.options;
  const interrupted = footer.interrupted === true;
  const ending = {
    ...derived.summary,
    benchErrors: derived.summary.scenarioCounts['bench-error'] ?? 0,
    interrupted,
    failOn: failOn === 'warn' ? ('warn' as const) : ('fail' as const),
    allowIncomplete: allowIncomplete === true,
  };
  compare('report', 'the exit code', footer.exitCode, exitCodeOf(ending));
  compare('report', 'whether it is complete', footer.complete, isAll && !interrupted);
};

/**
 * Equal, but for texts in which a secret was replaced: a report cuts texts and redacts them, a journal has no secret
 * to begin with, so that the two are cut in different places.
 */
const alike = (reported: unknown, found: unknown): boolean => {
  if (typeof reported === 'string' && typeof found === 'string')
    return reported === found || (isRedacted(reported) && isRedacted(found));
  if (typeof reported !== 'object' || typeof found !== 'object' || reported === null || found === null)
    return isDeepStrictEqual(reported, found);
  const names = Object.keys(reported).filter(name => memberOf(reported, name) !== undefined);
  return (
    Array.isArray(reported) === Array.isArray(found) &&
    names.length === Object.keys(found).filter(name => memberOf(found, name) !== undefined).length &&
    names.every(name => alike(memberOf(reported, name), memberOf(found, name)))
  );
};

const memberOf = (of: object, name: string): unknown =>
  Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;

const isRedacted = (text: string): boolean => text.includes('[redacted:');

const shortly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
};
