/** The kill matrix of the catalogue, rules and scenarios that ship. */
import { coverageOf } from '../../src/bench/index.ts';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { allRules } from '../../src/rules/index.ts';
import { loadScenarios } from '../../src/script-library/index.ts';
import { type Defect, type KillMatrix, killMatrix } from './kill-matrix.ts';
import type { How } from './run-mutant.ts';
import { runMutants } from './run-mutants.ts';

/** Runs the agents and holds what they got against what they must get. */
export const measured = async (defects: readonly Defect[], how: How): Promise<KillMatrix> => {
  const catalogue = loadCatalogue();
  const scenarios = (await loadScenarios()).map(({ script }) => script);
  const coverage = coverageOf(catalogue, allRules, scenarios);
  const ids = defects.map(({ id }) => id);
  return killMatrix(catalogue, coverage, defects, await runMutants(ids, how));
};
