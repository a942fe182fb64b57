/** What keeps a requirement from being exercised: a scenario that got stuck, or another requirement that failed. */
import type { Catalogue, RequirementId } from '../catalogue/index.ts';
import type { RequirementVerdict } from '../report/index.ts';
import type { Run } from './grade.ts';

/**
 * For each requirement that was not judged, why it is blocked; undefined when nothing blocks it. Follows `dependsOn`
 * through requirements that were not judged either, and stops at one that was: whatever passed was not blocked.
 * @param verdicts what each requirement got from what was seen; undefined where it was not judged
 */
export const blockers = (
  catalogue: Catalogue,
  verdicts: ReadonlyMap<RequirementId, RequirementVerdict | undefined>,
  { outcomes }: Run,
): ((id: RequirementId) => string | undefined) => {
  const stuck = new Map<RequirementId, string>();
  for (const { verdict, requirements, reason, blockedBy } of outcomes) {
    if (verdict !== 'blocked') continue;
    for (const id of requirements) stuck.set(id, blockedBy ? `${blockedBy}: ${reason}` : reason);
  }
  const known = new Map<RequirementId, string | undefined>();
  const find = (id: RequirementId): string | undefined => {
    const dependencies = catalogue.requirements.get(id)?.dependsOn ?? [];
    const failed = dependencies.find(dependency => verdicts.get(dependency) === 'fail');
    if (failed !== undefined) return `${failed} failed`;
    const own = stuck.get(id);
    if (own !== undefined) return own;
    const unjudged = dependencies.filter(dependency => verdicts.get(dependency) === undefined);
    return unjudged.map(blockerOf).find(reason => reason !== undefined);
  };
  const blockerOf = (id: RequirementId): string | undefined => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id);
  };
  return blockerOf;
};
