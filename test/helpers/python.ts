/** Python programs that nobody here wrote the protocol of: an environment of pinned packages, made once. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { shipped } from '../../src/base/index.ts';

const folder = shipped('test/interop/python');

/** Path of a program in `test/interop/python/`. */
export const pythonProgram = (name: string): string => join(folder, name);

/**
 * The interpreter that has the pinned packages. Without Python, or without the packages, the test says so aloud and is
 * skipped; it fails where counterparties are required.
 */
export const pythonFor = (context: TestContext): string | undefined => {
  const made = madeEnvironment();
  if ('python' in made) return made.python;
  if (process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES) throw new Error(made.why);
  console.error(`NOTICE: ${made.why}: nothing is tested against the SDK for Python`);
  context.skip(made.why);
  return undefined;
};

const madeEnvironment = (): { readonly python: string } | { readonly why: string } => {
  const requirements = join(folder, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const environment = shipped(`node_modules/.cache/acp-testbench/python-${digest}`);
  const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  // The packages are there in full once the mark is.
  const mark = join(environment, 'complete');
  if (existsSync(mark)) return { python };
  // Test files run side by side, and only one of them is to make it.
  const lock = `${environment}.lock`;
  mkdirSync(join(environment, '..'), { recursive: true });
  if (!acquired(lock, mark))
    return existsSync(mark) ? { python } : { why: 'the Python environment was not made in time' };
  try {
    rmSync(environment, { recursive: true, force: true });
    const interpreter = process.platform === 'win32' ? 'python' : 'python3';
    const steps: readonly (readonly [string, readonly string[]])[] = [
      [interpreter, ['-m', 'venv', environment]],
      [
        python,
        ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '-r', requirements],
      ],
    ];
    for (const [command, args] of steps) {
      const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 });
      if (status !== 0)
        return {
          why: `${command} ${args.join(' ')} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
        };
    }
    writeFileSync(`${mark}.new`, '');
    renameSync(`${mark}.new`, mark);
    return { python };
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
};

/** False when another made it, or took too long. */
const acquired = (lock: string, mark: string): boolean => {
  const latest = Date.now() + 200_000;
  while (Date.now() < latest) {
    try {
      mkdirSync(lock);
      return true;
    } catch {
      if (existsSync(mark)) return false;
      // A lock of a test run that was killed would stay forever.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    }
  }
  rmSync(lock, { recursive: true, force: true });
  return false;
};
