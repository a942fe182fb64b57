/** The kill matrix of the catalogue, rules and scenarios that ship. */
import { coverageOf } from '../../src/bench/index.ts';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { allRules } from '../../src/rules/index.ts';
import { loadScenarios } from '../../src/script-library/index.ts';
import { type Defect, judgeMutant, type KillMatrix, killMatrix, type MutantRow } from './kill-matrix.ts';
import type { MutantPool } from './pool.ts';

/** Runs an agent and holds what it got against what it must get. */
export const measured = async (defect: Defect, pool: MutantPool): Promise<MutantRow> =>
  judgeMutant(loadCatalogue(), defect, await pool.run(defect.id));

/** What rows come to, by what ships. */
export const matrixOf = async (mutants: readonly MutantRow[]): Promise<KillMatrix> => {
  const scenarios = await loadScenarios();
  const coverage = coverageOf(
    loadCatalogue(),
    allRules,
    scenarios.map(({ script }) => script),
  );
  return killMatrix(coverage, mutants);
};
