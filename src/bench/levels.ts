/** Levels, counts and exit codes: what a run comes to. Pure. */
import { exitCode } from '../base/index.ts';
import type { Catalogue, Requirement } from '../catalogue/index.ts';
import type { Level, Report, RequirementResult, RequirementVerdict } from '../report/index.ts';
import { isFrozenOut } from './frozen.ts';
import { isJudgedIn, type Tier } from './tiers.ts';

export interface LevelOptions {
  /** Tiers that were run. */
  readonly tiers: readonly Tier[];
  /** A session/new or a session/prompt succeeded in the run. */
  readonly established: boolean;
  /** A scenario got no answer to what it had to begin with, so that nobody knows what it would have shown. */
  readonly stuck?: boolean;
  /** Release of the bench at which the rules are frozen. */
  readonly rules?: string;
}

/** Level of the run and of each of its tiers, counts by verdict, and the ids that keep a level at `partial`. */
export const summarise = (
  catalogue: Catalogue,
  results: readonly RequirementResult[],
  options: LevelOptions,
): Pick<Report['summary'], 'level' | 'tiers' | 'counts' | 'unexercised'> => {
  const graded = results.map(result => ({ ...result, requirement: catalogue.requirements.get(result.id)! }));
  const within = (tiers: readonly Tier[]) =>
    graded.filter(({ requirement }) => isJudgedIn(tiers, requirement));
  // What was seen to go wrong counts for the run, whichever tier it belongs to.
  const beyond = graded.filter(
    each => keepsFromConformant(each) && !isJudgedIn(options.tiers, each.requirement),
  );
  return {
    level: levelOf([...within(options.tiers), ...beyond], options),
    tiers: Object.fromEntries(options.tiers.map(tier => [tier, levelOf(within([tier]), options)])),
    counts: countVerdicts(results),
    unexercised: within(options.tiers)
      .filter(each => isMissing(each, options))
      .map(({ id }) => id),
  };
};

/** How often each verdict was given; verdicts that were not given are absent. */
export const countVerdicts = <V extends string>(
  given: readonly { readonly verdict: V }[],
): Readonly<Partial<Record<V, number>>> => {
  const counts: Partial<Record<V, number>> = {};
  for (const { verdict } of given) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
};

export interface Ending {
  readonly level: Level;
  readonly counts: Readonly<Partial<Record<RequirementVerdict, number>>>;
  /** Scenarios that were broken themselves. */
  readonly benchErrors: number;
  readonly interrupted: boolean;
  /** The mildest verdict that makes the run go wrong. */
  readonly failOn: 'fail' | 'warn';
  readonly allowIncomplete: boolean;
}

/** Exit code of a run that was graded; a usage error never gets this far. */
export const exitCodeOf = (ending: Ending): number => {
  if (ending.interrupted) return exitCode.interrupted;
  if (ending.benchErrors > 0) return exitCode.benchError;
  return isAsExpected(ending) ? exitCode.asExpected : exitCode.notAsExpected;
};

const isAsExpected = ({ level, counts, failOn, allowIncomplete }: Ending): boolean =>
  level !== 'non-conformant' &&
  (level !== 'incomplete' || allowIncomplete) &&
  !counts.unstable &&
  !(failOn === 'warn' && counts.warn);

type Graded = RequirementResult & { readonly requirement: Requirement };

const levelOf = (graded: readonly Graded[], options: LevelOptions): Level => {
  if (graded.some(isFailed)) return 'non-conformant';
  if (!options.established || options.stuck) return 'incomplete';
  return graded.some(each => keepsFromConformant(each) || isMissing(each, options))
    ? 'partial'
    : 'conformant';
};

/** A verdict of `fail` fails the party, at whatever level the requirement stands; so does a failing repeat. */
const isFailed = ({ verdict, findings }: RequirementResult): boolean =>
  verdict === 'fail' || (verdict === 'unstable' && findings.some(finding => finding.verdict === 'fail'));

const keepsFromConformant = (result: RequirementResult): boolean =>
  isFailed(result) || result.verdict === 'unstable';

/** What a level asks to have been exercised: each applicable MUST whose situation is not the agent's to decide. */
const isMissing = ({ requirement, verdict }: Graded, { rules }: LevelOptions): boolean =>
  (requirement.level === 'MUST' || requirement.level === 'MUST NOT') &&
  requirement.optional !== true &&
  !isFrozenOut(requirement, rules) &&
  (verdict === 'inconclusive' || verdict === 'blocked' || verdict === 'not-exercised');
