/**
 * Runs one configuration over a corpus file, in a process of its own, and prints what it took as JSON.
 * Usage: node measure.js <configuration> <corpus file> <turns> <empty folder>
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ConfigurationName, configurations, type Outcome, type Task } from './configurations/index.ts';
import { isProgram } from './is-program.ts';

export interface Measured extends Outcome {
  readonly milliseconds: number;
  /** Of the first pass, in which nothing is compiled yet. */
  readonly firstMilliseconds: number;
  /** Of all threads of the process, in milliseconds: what other programs take meanwhile does not count. */
  readonly cpuMilliseconds: number;
}

/** The first passes are for the compiler; the last one counts, and the first is told beside it. */
export const passes = 3;

/** Takes the corpus `passes` times, each time from the beginning, with a folder of its own in `folder`. */
export const measure = async (
  name: ConfigurationName,
  bytes: Buffer,
  { turns, folder }: Task,
): Promise<Measured> => {
  let firstMilliseconds = 0;
  for (let pass = 1; ; pass++) {
    const own = join(folder, `pass-${pass}`);
    mkdirSync(own);
    const take = await configurations[name]({ turns, folder: own });
    const cpuBefore = process.cpuUsage();
    const before = performance.now();
    const outcome = await take(inChunks(bytes));
    const milliseconds = performance.now() - before;
    const { user, system } = process.cpuUsage(cpuBefore);
    if (pass === 1) firstMilliseconds = milliseconds;
    if (pass < passes) continue;
    return { ...outcome, milliseconds, firstMilliseconds, cpuMilliseconds: (user + system) / 1000 };
  }
};

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
