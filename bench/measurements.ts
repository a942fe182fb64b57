/** All that is measured, each kind of run in processes of its own, so that no heap is another one's. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.ts';
import { type ConfigurationName, configurations } from './configurations/index.ts';
import type { Consumed } from './consume.ts';
import type { Corpus } from './corpus.ts';
import type { Measured } from './measure.ts';

export type Rounds = Readonly<Record<ConfigurationName, readonly Measured[]>>;

/** Each configuration over the corpus; the rounds of one lie between those of the others. */
export const measureThroughput = ({ path, turns }: Corpus, rounds: number): Rounds => {
  const names = Object.keys(configurations) as ConfigurationName[];
  const measured = Object.fromEntries(names.map(name => [name, [] as Measured[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name]!.push(runChild('measure.js', [name, path, turns]));
  }
  return measured as Record<ConfigurationName, Measured[]>;
};

export interface StartUp {
  /** Milliseconds of each run. */
  readonly version: readonly number[];
  readonly empty: readonly number[];
}

/** `--version` of the built command and an empty program, in turn. */
export const measureStartUp = (runs: number): StartUp => {
  const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const version: number[] = [];
  const empty: number[] = [];
  for (let run = 0; run < runs; run++) {
    empty.push(timeOf(['-e', '0']));
    version.push(timeOf([command, '--version']));
  }
  return { version, empty };
};

const timeOf = (words: readonly string[]): number => {
  const before = performance.now();
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' });
  const milliseconds = performance.now() - before;
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`);
  return milliseconds;
};

/** The whole pipeline over a long session that another process writes. */
export const measureMemory = (turns: number): Consumed => runChild('consume.js', [turns]);
