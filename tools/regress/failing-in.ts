/** Runs cases by a copy of the product. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Result {
  readonly id: string;
  readonly verdict: string;
}

/** @param temporary where the run makes its temporary files */
export const failingIn = async (
  folder: string,
  temporary: string,
  names: readonly string[],
  jobs: number,
): Promise<readonly string[]> => {
  const child = spawn(
    process.execPath,
    ['dist/cli/main.js', 'regress', '--json', '--jobs', String(jobs), ...names],
    { cwd: folder, env: { ...process.env, TMPDIR: temporary }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const results = JSON.parse(output) as readonly Result[];
    return results.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
  } catch (cause) {
    throw new Error(`regress gave no results\n${complaint}`, { cause });
  }
};
