/**
 * From what was seen to the verdict of each requirement; pure. A requirement gets the first verdict that holds, in the
 * order of `requirementVerdicts`; `unstable` comes from combining repeats.
 */
import {
  type Applicability,
  applicability,
  type Catalogue,
  type ConnectionFacts,
  type Requirement,
  type RequirementId,
  type ViolationVerdict,
} from '../catalogue/index.ts';
import type { Release } from '../protocol/index.ts';
import type { ReportFinding, RequirementResult, RequirementVerdict } from '../report/index.ts';
import type { Party } from '../wire/index.ts';
import { blockers } from './blockers.ts';
import { isFrozenOut } from './frozen.ts';
import { type Judgement, worstFirst } from './ledger.ts';
import { isJudgedIn, type Tier, tierOf } from './tiers.ts';

/** One connection of a run, and what was seen on it. */
export interface Observation {
  /** Undefined when no connection came about. */
  readonly facts: ConnectionFacts | undefined;
  /** Scenario instance that the connection belongs to; absent when a lone journal is judged. */
  readonly scenario?: string;
  /** Path of the journal, relative to the report. */
  readonly journal: string;
  readonly judgements: readonly Judgement[];
}

/** A scenario that decided nothing of some requirements, although it is about them. */
export interface ScenarioOutcome {
  readonly verdict: 'inconclusive' | 'blocked' | 'not-exercised';
  readonly requirements: readonly RequirementId[];
  /** One phrase for people. */
  readonly reason: string;
  /** The requirement in the way, where it can be named. */
  readonly blockedBy?: RequirementId;
}

export interface Run {
  readonly observations: readonly Observation[];
  readonly outcomes: readonly ScenarioOutcome[];
}

export interface GradeOptions {
  readonly release: Release;
  /** The party that is judged. */
  readonly subject: Party;
  /** Tiers that were run. */
  readonly tiers: readonly Tier[];
  /** Release of the bench at which the rules are frozen. */
  readonly rules?: string;
}

/** The result of every requirement of the catalogue, in its order. */
export const gradeRun = (
  catalogue: Catalogue,
  run: Run,
  options: GradeOptions,
): readonly RequirementResult[] => {
  const requirements = [...catalogue.requirements.values()];
  const judged = judgementsByRequirement(run);
  const cases = requirements.map(requirement => {
    const seen = observe(requirement, run, judged.get(requirement.id) ?? new Map(), options);
    return { requirement, seen, verdict: verdictOfSeen(requirement, seen, options) };
  });
  const blockerOf = blockers(catalogue, new Map(cases.map(each => [each.requirement.id, each.verdict])), run);
  return cases.map(({ requirement, seen, verdict }) => ({
    id: requirement.id,
    party: requirement.party,
    level: requirement.level,
    ...(verdict === undefined ? unseen(requirement, seen, run, options, blockerOf) : { verdict }),
    exercised: seen.exercised,
    violated: seen.violated.fail + seen.violated.warn + seen.violated.info,
    findings: worstFirst(seen.findings),
  }));
};

/** What a run showed of one requirement on the connections that it applies to. */
interface SeenOfRun {
  /** Asked only where nothing was judged, since it looks at every connection. */
  applies(): Applicability;
  readonly exercised: number;
  readonly violated: Readonly<Record<ViolationVerdict, number>>;
  readonly findings: readonly ReportFinding[];
}

type JudgementsOf = ReadonlyMap<Observation, Judgement>;

const judgementsByRequirement = ({ observations }: Run): ReadonlyMap<RequirementId, JudgementsOf> => {
  const found = new Map<RequirementId, Map<Observation, Judgement>>();
  for (const observation of observations) {
    for (const judgement of observation.judgements) {
      const ofRequirement = found.get(judgement.requirement) ?? new Map<Observation, Judgement>();
      found.set(judgement.requirement, ofRequirement.set(observation, judgement));
    }
  }
  return found;
};

const observe = (
  requirement: Requirement,
  { observations }: Run,
  judgements: JudgementsOf,
  options: GradeOptions,
): SeenOfRun => {
  const appliesTo = (observation: Observation): Applicability => {
    const judgement = judgements.get(observation);
    return applicability(requirement, {
      release: options.release,
      subject: options.subject,
      facts: observation.facts,
      ...(judgement && { seen: { exercised: judgement.exercised > 0, violated: isViolated(judgement) } }),
    });
  };
  const counted = [...judgements].filter(([observation]) => appliesTo(observation).applies);
  const sum = (count: (judgement: Judgement) => number) =>
    counted.reduce((total, [, judgement]) => total + count(judgement), 0);
  const frozenOut = isFrozenOut(requirement, options.rules);
  const violated = {
    fail: sum(({ violated }) => violated.fail),
    warn: sum(({ violated }) => violated.warn),
    info: sum(({ violated }) => violated.info),
  };
  return {
    applies: () => appliesToRun(requirement, observations, appliesTo, options),
    exercised: sum(({ exercised }) => exercised),
    violated: frozenOut
      ? { fail: 0, warn: 0, info: violated.fail + violated.warn + violated.info }
      : violated,
    findings: counted.flatMap(([observation, judgement]) =>
      judgement.findings.map(finding => ({
        ...finding,
        ...(frozenOut && { verdict: 'info' as const }),
        ...(observation.scenario !== undefined && { scenario: observation.scenario }),
        journal: observation.journal,
      })),
    ),
  };
};

const isViolated = ({ violated }: Judgement): boolean => violated.fail + violated.warn + violated.info > 0;

/**
 * A requirement applies to a run if it does in one connection. If it does in none, a connection that was initialized
 * says more than one that was not: scenarios that never initialize would otherwise block what is merely not advertised.
 */
const appliesToRun = (
  requirement: Requirement,
  observations: readonly Observation[],
  appliesTo: (observation: Observation) => Applicability,
  { release, subject }: GradeOptions,
): Applicability => {
  if (observations.length === 0) return applicability(requirement, { release, subject, facts: undefined });
  const all = observations.map(observation => ({ observation, applies: appliesTo(observation) }));
  const initialized = all.filter(({ observation }) => observation.facts?.initializeResult);
  const telling = initialized.length > 0 ? initialized : all;
  const first = (verdict: RequirementVerdict) =>
    telling.find(({ applies }) => !applies.applies && applies.verdict === verdict)?.applies;
  return (
    all.find(({ applies }) => applies.applies)?.applies ??
    first('blocked') ??
    first('not-exercised') ??
    telling[0]!.applies
  );
};

/** `info` only where the requirement is merely recorded; an info case of another one leaves its verdict. */
const verdictOfSeen = (
  requirement: Requirement,
  { violated, exercised }: SeenOfRun,
  { rules }: GradeOptions,
): RequirementVerdict | undefined => {
  if (violated.fail > 0) return 'fail';
  if (violated.warn > 0) return 'warn';
  const isRecorded = requirement.verdict === 'info' || isFrozenOut(requirement, rules);
  if (violated.info > 0 && isRecorded) return 'info';
  return exercised > 0 ? 'pass' : undefined;
};

const unseen = (
  requirement: Requirement,
  seen: SeenOfRun,
  { outcomes }: Run,
  { tiers }: GradeOptions,
  blockerOf: (id: RequirementId) => string | undefined,
): { readonly verdict: RequirementVerdict; readonly reason: string } => {
  const reasonOf = (verdict: ScenarioOutcome['verdict']) =>
    outcomes.find(outcome => outcome.verdict === verdict && outcome.requirements.includes(requirement.id))
      ?.reason;
  const because = (verdict: RequirementVerdict, reason: string) => ({ verdict, reason });
  const applies = seen.applies();
  if (!applies.applies && applies.verdict === 'not-applicable') {
    return because('not-applicable', applies.reason);
  }
  const lost = reasonOf('inconclusive');
  if (lost !== undefined) return because('inconclusive', lost);
  const blocker = blockerOf(requirement.id);
  if (blocker !== undefined) return because('blocked', blocker);
  if (!applies.applies && applies.verdict === 'blocked') return because('blocked', applies.reason);
  const idle = reasonOf('not-exercised');
  if (idle !== undefined) return because('not-exercised', idle);
  if (!isJudgedIn(tiers, requirement)) {
    return because('not-exercised', `the ${tierOf(requirement)} tier was not run`);
  }
  return because(
    'not-exercised',
    applies.applies ? `this never came: ${requirement.opportunity}` : applies.reason,
  );
};
