/** The room's public entry: requirements as folds over a journal. */
import type { RequirementId } from '../catalogue/index.ts';
import { allRules } from './all-rules.ts';
import { createFold, type RuleFold, type RuleFoldOptions } from './fold.ts';
import type { AnyRule } from './rule.ts';

export { allRules } from './all-rules.ts';
export type { BenchFault } from './bench-faults.ts';
export type { RuleFold, RuleFoldOptions } from './fold.ts';
export { type AnyRule, defineRule, type Rule, type RuleSetting } from './rule.ts';
export {
  type AnsweredRequest,
  isFrame,
  type OpenRequest,
  type OpenRequests,
  type Seen,
  type SeenFrame,
  type SeenOther,
} from './seen.ts';

/** A fold of all rules, or of those given. Judges only the subject's frames. */
export const createRuleFold = (
  options: Omit<RuleFoldOptions, 'rules'> & { readonly rules?: readonly AnyRule[] },
): RuleFold => createFold({ ...options, rules: options.rules ?? allRules });

/** The rules that can decide a requirement. */
export const rulesFor = (requirement: RequirementId): readonly AnyRule[] =>
  allRules.filter(({ requirements }) => Object.hasOwn(requirements, requirement));
