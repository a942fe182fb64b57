/** `--rules <release>`: requirements that a later release of the bench introduced or tightened are only recorded. */
import type { Requirement } from '../catalogue/index.ts';

/** Whether the requirement is later than the release at which the rules are frozen; never without one. */
export const isFrozenOut = ({ bench }: Requirement, rules: string | undefined): boolean =>
  rules !== undefined && compare(bench, rules) > 0;

/** Orders releases such as `0.1.0` and `0.10.2` by their numbers. */
const compare = (left: string, right: string): number => {
  const [a, b] = [left, right].map(release => release.split('.').map(Number)) as [number[], number[]];
  const differing = a.findIndex((part, index) => part !== (b[index] ?? 0));
  return differing === -1 ? 0 : a[differing]! - (b[differing] ?? 0);
};
