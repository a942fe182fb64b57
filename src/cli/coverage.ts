/** What the bench judges of what binds agents, as a table, and what it does not, with the reason. */
import { type Coverage, verdictPaths } from '../bench/index.ts';
import type { Output } from './output.ts';
import { printRows, type Row } from './rows.ts';

export interface CoverageSummary {
  /** Tier -> path -> number of requirements; paths that lead to none are absent. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** In the order of the catalogue. */
  readonly requirements: readonly Coverage[];
}

export const summariseCoverage = (requirements: readonly Coverage[]): CoverageSummary => {
  const counts: Record<string, Record<string, number>> = {};
  for (const { tier, path } of requirements) {
    counts[tier] ??= {};
    counts[tier][path] = (counts[tier][path] ?? 0) + 1;
  }
  return { counts, requirements };
};

export const printCoverage = ({ counts, requirements }: CoverageSummary, out: Output): void => {
  const rowOf = (name: string, paths: Readonly<Record<string, number>>): Row => ({
    tier: name,
    ...Object.fromEntries(verdictPaths.map(path => [path, String(paths[path] ?? '-')])),
    all: String(Object.values(paths).reduce((sum, count) => sum + count, 0)),
  });
  const heading = Object.fromEntries(['tier', ...verdictPaths, 'all'].map(name => [name, name]));
  const tiers = Object.keys(inWords).filter(tier => counts[tier]);
  printRows([heading, ...tiers.map(tier => rowOf(inWords[tier]!, counts[tier]!))], out);
  printReasons('Not judged', requirements.filter(({ reason }) => reason !== undefined).map(reasonOf), out);
  printReasons(
    'Only permits, so that nothing can violate it',
    requirements.flatMap(({ id, permission }) =>
      permission === undefined ? [] : [{ id, reason: permission }],
    ),
    out,
  );
};

/** Tiers as the table names them, in its order. */
const inWords: Readonly<Record<string, string>> = {
  core: 'core',
  turn: 'turn',
  scripted: 'scripted',
  every: 'every run',
  none: 'no run',
};

const reasonOf = ({ id, tier, path, reason }: Coverage): Row => ({
  id,
  tier: inWords[tier]!,
  path,
  reason: reason!,
});

const printReasons = (title: string, rows: readonly Row[], out: Output): void => {
  if (rows.length === 0) return;
  out.line(`\n${title}`);
  printRows(rows, out);
};
