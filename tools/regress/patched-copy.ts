/** A temporary copy of the product in which patches of its source are tried. The checkout is never touched. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failingIn } from './failing-in.ts';

export interface PatchedCopy {
  /** Applies the patch and compiles. @throws Error when it does not apply or compile */
  apply(patch: string): void;
  /** Takes it back; what is compiled stays until the next one. */
  revert(patch: string): void;
  /** Runs cases, all when none is named, and gives the ids of those that did not pass. */
  failing(names: readonly string[], jobs: number): Promise<readonly string[]>;
  remove(): void;
}

/** @param root of the product, built */
export const createPatchedCopy = (root: string): PatchedCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-testbench-patched-'));
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);

  const git = (...args: readonly string[]): void =>
    run('git', ['apply', '--whitespace=nowarn', ...args], folder);
  return {
    apply(patch) {
      git(resolve(patch));
      try {
        run(process.execPath, ['node_modules/typescript/bin/tsc', ...lenient], folder);
      } catch (error) {
        git('-R', resolve(patch));
        throw error;
      }
    },
    revert: patch => git('-R', resolve(patch)),
    failing: (names, jobs) => failingIn(folder, temporary, names, jobs),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }),
  };
};

const copied = [
  'src',
  'dist',
  'schemas',
  'cases',
  'requirements',
  'mock-agents',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** A patch may leave names unused. */
const lenient = ['-p', 'tsconfig.build.json', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];

const run = (command: string, args: readonly string[], cwd: string): void => {
  // Without a repository above it, git takes paths from the folder itself.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: resolve(cwd, '..') };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')}\n${stdout}${stderr}`);
};
