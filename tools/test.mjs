// Runs the tests: all of them, or the files and options given. One reporter line per test, a summary at the end.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const given = process.argv.slice(2);
const options = given.filter(word => word.startsWith('-'));
const named = given.filter(word => !word.startsWith('-'));
const files = named.length
  ? named
  : readdirSync('test', { recursive: true })
      .filter(path => path.endsWith('.test.ts'))
      .sort()
      .map(path => `test/${path}`);

const child = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-reporter=spec', ...options, ...files],
  {
    stdio: 'inherit',
  },
);
process.exitCode = child.status ?? 1;
