/**
 * Runs the whole suite against mutants and prints the kill matrix: which requirement each kills, and what survives.
 * Usage: npm run mutants -- [--process] [--json] [pattern …]
 * A pattern is a part of an id, in which `*` stands for any text; without one all mutants are run.
 * Exit code 1 when an agent gets anything else than it must, or a requirement has no killer.
 */
import { parseArgs } from 'node:util';
import { loadDefects, matching } from './mutants/defects.ts';
import { isAsExpected } from './mutants/kill-matrix.ts';
import { matrixOf, measured } from './mutants/measured.ts';
import { createMutantPool } from './mutants/pool.ts';
import { printed } from './mutants/print.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { process: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const all = await loadDefects();
const defects = matching(all, positionals);
if (defects.length === 0) {
  console.error(`no mutant matches ${positionals.join(' ')}; see acp-testbench list mock-agents`);
  process.exit(2);
}
const isFull = defects.length === all.length;
const pool = createMutantPool(values.process ? 'process' : 'in-process');
const matrix = await matrixOf(await Promise.all(defects.map(defect => measured(defect, pool))));
await pool.end();
console.log(values.json ? JSON.stringify(matrix, null, 2) : printed(matrix, isFull));
process.exitCode = isAsExpected(matrix, isFull) ? 0 : 1;
