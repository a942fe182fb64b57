/** `--rules <release>`: requirements that a later release of the bench introduced or tightened are only recorded. */
import { benchVersion, UserError } from '../base/index.ts';
import { loadCatalogue, type Requirement } from '../catalogue/index.ts';

/** Whether the requirement is later than the release at which the rules are frozen; never without one. */
export const isFrozenOut = ({ bench }: Requirement, rules: string | undefined): boolean =>
  rules !== undefined && compare(bench, rules) > 0;

/** @throws UserError for what is no release of the bench up to this one */
export const checkFrozenAt = (rules: string | undefined): void => {
  if (rules === undefined) return;
  const known = [...loadCatalogue().requirements.values()].map(({ bench }) => bench).sort(compare);
  const [oldest, newest] = [known[0]!, benchVersion()];
  const isRelease =
    /^\d+\.\d+\.\d+$/.test(rules) && compare(rules, oldest) >= 0 && compare(rules, newest) <= 0;
  if (isRelease) return;
  const range = oldest === newest ? `the only one is ${newest}` : `they go from ${oldest} to ${newest}`;
  throw new UserError(`"${rules}" is not a release of this bench; ${range}`, { place: '--rules' });
};

/** Orders releases such as `0.1.0` and `0.10.2` by their numbers. */
const compare = (left: string, right: string): number => {
  const [a, b] = [left, right].map(release => release.split('.').map(Number)) as [number[], number[]];
  const differing = a.findIndex((part, index) => part !== (b[index] ?? 0));
  return differing === -1 ? 0 : a[differing]! - (b[differing] ?? 0);
};
