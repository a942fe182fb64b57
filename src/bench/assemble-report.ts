/** From the records of a run to its report. */
import type { Catalogue } from '../catalogue/index.ts';
import type { Report, ScenarioResult, ScenarioVerdict } from '../report/index.ts';
import type { CertifyOptions } from './certify.ts';
import { type GradeOptions, gradeRun } from './grade.ts';
import { countVerdicts, exitCodeOf, summarise } from './levels.ts';
import { combineRepeats, combineVerdicts } from './repeats.ts';
import { reportHeader } from './report-header.ts';
import {
  agentInfoIn,
  isStuck,
  observationsOf,
  outcomeOf,
  type ScenarioRecord,
  worstOfEach,
} from './scenario-record.ts';

/** The report of what was run so far; marked as partial unless that is all, and as interrupted where the user ended it. */
export const assembleReport = (
  records: readonly ScenarioRecord[],
  options: CertifyOptions,
  catalogue: Catalogue,
): Report => {
  const { subject, release, rules, tiers, scripts, failOn, allowIncomplete } = options;
  const graded = gradeRecords(records, catalogue, {
    release,
    subject: subject.party,
    tiers,
    ...(rules !== undefined && { rules }),
  });
  const interrupted = options.interrupted.aborted;
  return {
    header: reportHeader({
      release,
      subject: subject.party,
      command: subject.command,
      agentInfo: agentInfoIn(records),
      startedAt: options.startedAt,
      options: options.shown,
      scripts: scripts.map(({ digest }) => digest),
    }),
    ...graded,
    footer: {
      complete: !interrupted && records.length === options.instances.length * options.repeat,
      ...(interrupted && { interrupted }),
      finishedAt: new Date().toISOString(),
      exitCode: exitCodeOf({
        ...graded.summary,
        benchErrors: graded.scenarios.filter(({ verdict }) => verdict === 'bench-error').length,
        interrupted,
        failOn,
        allowIncomplete,
      }),
    },
  };
};

/** What records come to, repeats combined. */
export const gradeRecords = (
  records: readonly ScenarioRecord[],
  catalogue: Catalogue,
  grading: GradeOptions,
): Pick<Report, 'summary' | 'requirements' | 'scenarios'> => {
  const rounds = [...new Set(records.map(({ repeat }) => repeat))];
  const requirements = combineRepeats(
    (rounds.length > 0 ? rounds : [1]).map(round => {
      const ofRound = records.filter(({ repeat }) => repeat === round);
      const observations = ofRound.flatMap(observationsOf);
      const outcomes = ofRound.flatMap(record => outcomeOf(record) ?? []);
      return gradeRun(catalogue, { observations, outcomes }, grading);
    }),
  );
  const scenarios = combineScenarios(records);
  const established = records.some(({ runs }) => runs.some(({ folded }) => folded.established));
  const stuck = records.some(isStuck);
  const summary = summarise(catalogue, requirements, { ...grading, established, stuck });
  return { summary: { ...summary, scenarioCounts: countVerdicts(scenarios) }, requirements, scenarios };
};

/** One result per instance; repeats that differ make it unstable. */
const combineScenarios = (records: readonly ScenarioRecord[]): readonly ScenarioResult[] => {
  const byId = new Map<string, ScenarioResult[]>();
  for (const { scenario } of records) byId.set(scenario.id, [...(byId.get(scenario.id) ?? []), scenario]);
  return [...byId.values()].map(results => {
    const [first, ...others] = results as [ScenarioResult, ...ScenarioResult[]];
    if (others.length === 0) return first;
    const verdict = combineScenarioVerdicts(results.map(result => result.verdict));
    return {
      ...first,
      verdict,
      ...(verdict === 'unstable' && {
        reason: `differs between repeats: ${results.map(result => result.verdict).join(', ')}`,
      }),
      durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
      attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
      journals: results.flatMap(({ journals }) => journals),
      found: worstOfEach(results.flatMap(({ found }) => Object.entries(found))),
    };
  });
};

const combineScenarioVerdicts = (verdicts: readonly ScenarioVerdict[]): ScenarioVerdict =>
  verdicts.includes('bench-error')
    ? 'bench-error'
    : combineVerdicts(verdicts.filter(verdict => verdict !== 'bench-error'));
