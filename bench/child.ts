import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs a module of the benchmark in a process of its own, with an empty folder as last word; returns what it printed. */
export const runChild = <Printed>(module: string, words: readonly (string | number)[]): Printed =>
  inFolder(folder => {
    const program = fileURLToPath(new URL(module, import.meta.url));
    // The SDK complains on stderr of each planted fault that it finds.
    const printed = execFileSync(process.execPath, [program, ...words.map(String), folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(printed.toString()) as Printed;
  });

/** Makes an empty folder for `use`, and removes it. */
export const inFolder = <T>(use: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-testbench-benchmark-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
