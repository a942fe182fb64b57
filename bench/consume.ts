/**
 * Starts an agent that streams, takes its output through the whole pipeline, and prints the most memory that it held
 * meanwhile as JSON. Usage: node consume.js <turns> <empty folder>
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { configurations, type Outcome, type Task } from './configurations/index.ts';
import { isProgram } from './is-program.ts';

export interface Consumed extends Outcome {
  readonly turns: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Highest resident set size of the process, in bytes. */
  readonly peakBytes: number;
}

/** @param producer command of the agent, without the number of turns */
export const consume = async (task: Task, producer: readonly [string, ...string[]]): Promise<Consumed> => {
  const take = await configurations.pipeline(task);
  const [program, ...words] = producer;
  const { stdout } = spawn(program, [...words, String(task.turns)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const before = performance.now();
  const outcome = await take(stdout);
  const milliseconds = performance.now() - before;
  return {
    ...outcome,
    turns: task.turns,
    bytes,
    milliseconds,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
};

if (isProgram(import.meta.url)) {
  const [turns, folder] = process.argv.slice(2) as [string, string];
  const producer = fileURLToPath(new URL('produce.js', import.meta.url));
  const consumed = await consume({ turns: Number(turns), folder }, [process.execPath, producer]);
  process.stdout.write(JSON.stringify(consumed));
}
