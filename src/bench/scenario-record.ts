/** A scenario with all its attempts, and the verdict that they come to. */
import {
  type Catalogue,
  gradeViolation,
  type RequirementId,
  type ViolationVerdict,
} from '../catalogue/index.ts';
import type { ScenarioResult, ScenarioVerdict } from '../report/index.ts';
import type { Decision, ScriptInstance } from '../script/index.ts';
import type { Json } from '../wire/index.ts';
import type { Folded } from './fold-journal.ts';
import type { Observation, ScenarioOutcome } from './grade.ts';
import { defaultAttempts, type Obstacle } from './plan.ts';
import { runScenarios, type ScenarioRun, type ScenarioSetting } from './run-scenario.ts';
import { requirementsOf } from './script-facts.ts';

export interface ScenarioRecord {
  readonly scenario: ScenarioResult;
  /** Which repeat of the whole run it belongs to, from 1. */
  readonly repeat: number;
  readonly instance: ScriptInstance;
  /** All attempts, in order; empty when it was not run. The last one decides. */
  readonly runs: readonly ScenarioRun[];
  readonly blockedBy?: RequirementId;
}

/**
 * Runs an instance, and again as long as a race is lost and an attempt is left.
 * @param before earlier runs: what their rules saw still counts, what their steps decided does not
 */
export const runUntilDecided = async (
  instance: ScriptInstance,
  repeat: number,
  setting: ScenarioSetting,
  before: readonly ScenarioRun[] = [],
): Promise<ScenarioRecord> => {
  const attempts = instance.script.attempts ?? defaultAttempts;
  const runs = [...before];
  do {
    runs.push(await runAlone(instance, repeat, runs.length + 1, setting));
  } while (
    runs.at(-1)!.result.verdict === 'inconclusive' &&
    runs.length < attempts &&
    !setting.interrupted.aborted
  );
  return recordOf(instance, repeat, runs, setting.catalogue);
};

/** Runs it once more with nothing beside it. What its rules saw before still counts; what its steps decided does not. */
export const repeatedAlone = async (
  { instance, runs }: ScenarioRecord,
  repeat: number,
  setting: ScenarioSetting,
): Promise<ScenarioRecord> => {
  const run = await runAlone(instance, repeat, runs.length + 1, setting);
  return recordOf(instance, repeat, [...runs, run], setting.catalogue);
};

const runAlone = async (
  instance: ScriptInstance,
  repeat: number,
  attempt: number,
  setting: ScenarioSetting,
): Promise<ScenarioRun> => {
  const [run] = await runScenarios([instance], journalName(instance.id, repeat, attempt), setting);
  return run!;
};

/** A scenario that was not run, and why. */
export const skipped = (
  instance: ScriptInstance,
  repeat: number,
  { verdict, reason, blockedBy }: Obstacle,
): ScenarioRecord => ({
  scenario: {
    id: instance.id,
    title: instance.script.title,
    verdict,
    reason,
    durationMs: 0,
    attempts: 0,
    journals: [],
    decided: {},
    found: {},
  },
  repeat,
  instance,
  runs: [],
  ...(blockedBy !== undefined && { blockedBy }),
});

/** Whether the verdict hangs on a wait that ended without what it waited for. */
export const waitedInVain = ({ runs }: ScenarioRecord): boolean => {
  const { timedOut, decided } = runs.at(-1)!.result;
  return timedOut === true || decided.some(({ evidence }) => evidence?.timedOut);
};

/** Whether the agent never answered, or never came up, when the scenario began. */
export const isStuck = ({ scenario, runs }: ScenarioRecord): boolean =>
  scenario.verdict === 'blocked' && runs.at(-1)?.result.timedOut === true;

/** What the grading needs of a record: observations of the rules in all attempts, and the decisions of the last. */
export const observationsOf = ({ runs }: ScenarioRecord): readonly Observation[] => [
  ...runs.flatMap(({ folded }) => folded.observations),
  ...(runs.at(-1)?.decisions ?? []),
];

/** What the agent said of itself, in the first run in which it did. */
export const agentInfoIn = (records: readonly ScenarioRecord[]): Json | undefined =>
  records.flatMap(({ runs }) => runs).find(({ folded }) => folded.agentInfo !== undefined)?.folded.agentInfo;

/** That a scenario decided nothing, for the requirements that it is about; undefined when it decided. */
export const outcomeOf = ({ scenario, instance, blockedBy }: ScenarioRecord): ScenarioOutcome | undefined => {
  const { verdict, reason = '' } = scenario;
  if (verdict !== 'inconclusive' && verdict !== 'blocked' && verdict !== 'not-exercised') return undefined;
  const requirements = requirementsOf(instance.script);
  return { verdict, reason, requirements, ...(blockedBy !== undefined && { blockedBy }) };
};

/** The record of an instance from its runs: at least one, the last of which decides. */
export const recordOf = (
  instance: ScriptInstance,
  repeat: number,
  runs: readonly ScenarioRun[],
  catalogue: Catalogue,
): ScenarioRecord => {
  const last = runs.at(-1)!;
  const decided = gradeDecisions(last.result.decided, catalogue);
  const { verdict, reason } = verdictOf(last, decided);
  const { blockedBy } = last.result;
  return {
    scenario: {
      id: instance.id,
      title: instance.script.title,
      verdict,
      ...(reason !== undefined && { reason }),
      durationMs: Math.round(runs.reduce((sum, { durationMs }) => sum + durationMs, 0)),
      attempts: runs.length,
      ...(verdict === 'pass' && passedOnlyAlone(instance, runs, catalogue) && { onlyAlone: true }),
      journals: runs.map(({ journal }) => journal),
      decided,
      ...(Object.keys(last.folded.triggers).length > 0 && { triggers: last.folded.triggers }),
      found: violatedByRules(runs),
    },
    repeat,
    instance,
    runs,
    ...(blockedBy !== undefined && { blockedBy }),
  };
};

/** The last run passed: whether it was made alone, after one that was decided and did not pass. */
const passedOnlyAlone = (
  { script }: ScriptInstance,
  runs: readonly ScenarioRun[],
  catalogue: Catalogue,
): boolean => {
  const before = runs.at(-2);
  if (!before) return false;
  const attempts = script.attempts ?? defaultAttempts;
  const lostRace = before.result.verdict === 'inconclusive' && runs.length <= attempts;
  return !lostRace && verdictOf(before, gradeDecisions(before.result.decided, catalogue)).verdict !== 'pass';
};

type Decided = ScenarioResult['decided'];

/** The worst that each requirement got from the steps. */
const gradeDecisions = (decisions: readonly Decision[], catalogue: Catalogue): Decided => {
  const decided: Record<RequirementId, Decided[string]> = {};
  for (const { requirement, evidence } of decisions) {
    const verdict = evidence
      ? gradeViolation(catalogue.requirements.get(requirement)!, evidence).verdict
      : 'pass';
    decided[requirement] = worst([decided[requirement] ?? 'pass', verdict]);
  }
  return decided;
};

const verdictOf = (
  { result, folded }: ScenarioRun,
  decided: Decided,
): { readonly verdict: ScenarioVerdict; readonly reason?: string } => {
  const [benchFault] = folded.benchFaults;
  if (benchFault) return { verdict: 'bench-error', reason: `#${benchFault.seq} ${benchFault.detail}` };
  const because = result.reason === undefined ? {} : { reason: withLastWords(result.reason, folded) };
  const verdicts = Object.values(decided);
  const decidedWorst = worst(verdicts);
  // A violation that was proved before the script was stopped stays one.
  if (result.verdict !== 'done' && decidedWorst === 'pass') return { verdict: result.verdict, ...because };
  if (verdicts.length === 0)
    return { verdict: 'not-exercised', reason: 'none of its steps decided anything' };
  return { verdict: decidedWorst, ...because };
};

/** Whoever wonders why an agent does not even start is helped most by what it said itself. */
const withLastWords = (reason: string, { lastWords }: Folded): string =>
  lastWords === undefined ? reason : `${reason} (${lastWords})`;

const worst = (verdicts: readonly Decided[string][]): Decided[string] =>
  (['fail', 'warn', 'info'] as const).find(verdict => verdicts.includes(verdict)) ?? 'pass';

const violatedByRules = (runs: readonly ScenarioRun[]): ScenarioResult['found'] => {
  const judgements = runs.flatMap(({ folded }) => folded.observations.flatMap(each => each.judgements));
  const violations = judgements.flatMap(({ requirement, violated }) =>
    (['info', 'warn', 'fail'] as const).flatMap(verdict =>
      violated[verdict] > 0 ? [[requirement, verdict] as const] : [],
    ),
  );
  return worstOfEach(violations);
};

/** For each requirement its worst verdict. */
export const worstOfEach = (
  violations: readonly (readonly [RequirementId, ViolationVerdict])[],
): ScenarioResult['found'] => {
  const severity = { info: 0, warn: 1, fail: 2 };
  // From mild to severe, so that the worst of each is the one that stays.
  return Object.fromEntries(violations.toSorted(([, a], [, b]) => severity[a] - severity[b]));
};

/** Which repeat of the whole run a journal belongs to, by its name. */
export const repeatOf = (journal: string): number => Number(/\.repeat-(\d+)/.exec(journal)?.[1] ?? 1);

/** @param id of a scenario instance, or a name for several that share a journal */
export const journalName = (id: string, repeat: number, attempt: number): string => {
  const name = id.replaceAll(/[^\w.=-]+/g, '-').replace(/-$/, '');
  return `journals/${name}${repeat > 1 ? `.repeat-${repeat}` : ''}${attempt > 1 ? `.${attempt}` : ''}.jsonl`;
};
