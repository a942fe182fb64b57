/** `--repeat`: one result out of several runs of the same. */
import { type RequirementResult, type RequirementVerdict, requirementVerdicts } from '../report/index.ts';
import { worstFirst } from './ledger.ts';

/**
 * Combines the results of repeated runs, requirement by requirement. A requirement that was judged differently is
 * `unstable`; otherwise the first verdict in the order of `requirementVerdicts` holds, so that a race won once is won.
 * @param runs each with the same requirements in the same order; at least one
 */
export const combineRepeats = (
  runs: readonly (readonly RequirementResult[])[],
): readonly RequirementResult[] => runs[0]!.map((_, index) => combine(runs.map(results => results[index]!)));

/** The verdict of one thing over several runs. */
export const combineVerdicts = (verdicts: readonly RequirementVerdict[]): RequirementVerdict => {
  const judged = new Set(verdicts.flatMap(verdict => judgedAs[verdict] ?? []));
  return judged.size > 1 ? 'unstable' : requirementVerdicts.find(verdict => verdicts.includes(verdict))!;
};

/** Verdicts that a run judged by. What is merely recorded does not contradict a pass; what was not judged, nothing. */
const judgedAs: Readonly<Partial<Record<RequirementVerdict, RequirementVerdict>>> = {
  unstable: 'unstable',
  fail: 'fail',
  warn: 'warn',
  info: 'pass',
  pass: 'pass',
};

const combine = (results: readonly RequirementResult[]): RequirementResult => {
  const verdict = combineVerdicts(results.map(result => result.verdict));
  const { reason: _, ...first } = results[0]!;
  const reason =
    verdict === 'unstable' && results.length > 1
      ? `differs between repeats: ${results.map(result => result.verdict).join(', ')}`
      : results.find(result => result.verdict === verdict)?.reason;
  const sum = (count: (result: RequirementResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    ...first,
    verdict,
    ...(reason !== undefined && { reason }),
    exercised: sum(({ exercised }) => exercised),
    violated: sum(({ violated }) => violated),
    findings: worstFirst(results.flatMap(({ findings }) => findings)),
  };
};
