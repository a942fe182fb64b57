/**
 * Runs one configuration over a corpus file, in a process of its own, and prints what it took as JSON.
 * Usage: node measure.js <configuration> <corpus file> <turns> <empty folder>
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { agentOutput } from './agent-output.ts';
import { type ConfigurationName, configurations, type Outcome, type Task } from './configurations/index.ts';
import { isProgram } from './is-program.ts';

export interface Measured extends Outcome {
  readonly milliseconds: number;
  /** Of all threads of the process, in milliseconds: what other programs take meanwhile does not count. */
  readonly cpuMilliseconds: number;
}

/** Turns that are taken before the clock starts, so that the code is compiled. */
const warmUpTurns = 20;

export const measure = async (
  name: ConfigurationName,
  bytes: Buffer,
  { turns, folder }: Task,
): Promise<Measured> => {
  const few = Math.min(turns, warmUpTurns);
  await (await start(name, few, join(folder, 'warm-up')))(inChunks(Buffer.from(textOf(few))));

  const take = await start(name, turns, join(folder, 'measured'));
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const outcome = await take(inChunks(bytes));
  const milliseconds = performance.now() - before;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...outcome, milliseconds, cpuMilliseconds: (user + system) / 1000 };
};

const start = (name: ConfigurationName, turns: number, folder: string) => {
  mkdirSync(folder);
  return configurations[name]({ turns, folder });
};

const textOf = (turns: number): string => [...agentOutput(turns)].map(line => `${line}\n`).join('');

const chunkBytes = 64 * 1024;

/** In chunks as a pipe gives them, each in a turn of the event loop of its own. */
const inChunks = (bytes: Buffer): Readable => Readable.from(chunks(bytes), { objectMode: false });

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
    await setImmediate();
  }
}

if (isProgram(import.meta.url)) {
  const [name, path, turns, folder] = process.argv.slice(2) as [ConfigurationName, string, string, string];
  const measured = await measure(name, readFileSync(path), { turns: Number(turns), folder });
  process.stdout.write(JSON.stringify(measured));
}
