/**
 * Proves that the cases of the harness see what they are for: under each patch exactly the cases that name it fail.
 * Usage: npm run regress:patches -- [--own] [--jobs n] [patch …]
 * `--own` runs only the cases that name the patch. Exit code 1 when another case fails, or one of them passes.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadCases } from '../src/regress/index.ts';
import { createPatchedCopy } from './regress/patched-copy.ts';
import { patchNames, patchPath } from './regress/patches.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { own: { type: 'boolean', default: false }, jobs: { type: 'string', default: '4' } },
});
const names = positionals.length > 0 ? positionals : patchNames();
const cases = await loadCases();
const copy = createPatchedCopy(fileURLToPath(new URL('../', import.meta.url)));
let isProved = true;
try {
  for (const name of names) {
    const own = cases.filter(({ case: { patch } }) => patch === name).map(({ id }) => id);
    const tell = (verdict: string, lines: readonly string[] = []): void => {
      isProved &&= verdict === 'ok';
      console.log([`${verdict.padEnd(6)} ${name}  ${own.length} cases`, ...lines].join('\n'));
    };
    try {
      copy.apply(patchPath(name));
      const failing = await copy.failing(values.own ? own : [], Number(values.jobs));
      copy.revert(patchPath(name));
      const wrong = [
        ...own.filter(id => !failing.includes(id)).map(id => `  passes  ${id}`),
        ...failing.filter(id => !own.includes(id)).map(id => `  fails   ${id}`),
      ];
      tell(wrong.length === 0 ? 'ok' : 'wrong', wrong);
    } catch (error) {
      tell('error', [(error as Error).message]);
    }
  }
} finally {
  copy.remove();
}
process.exitCode = isProved ? 0 : 1;
