/** Runs mutants by id, one after the other, for the process that forked it. Argument: `process` or `in-process`. */
import { statfsSync } from 'node:fs';
import { agentOf } from './defects.ts';
import { createRunner, type How } from './run-mutant.ts';

// Folders and files on a disk are a fifth of what a scenario costs in this process.
const memory = '/dev/shm';
if (process.argv[2] === 'in-process' && hasRoom(memory)) process.env.TMPDIR = memory;

// Listening comes first: the channel that it opens is there before the clock of the runner, which counts what is not.
process.on('message', async (id: string) => {
  process.send!(await (await runner).run(await agentOf(id)));
});

// The one who forked it decides when it ends; an interruption reaches both.
process.on('SIGINT', () => {});
process.once('disconnect', async () => {
  await (await runner).end();
  process.exit();
});

const runner = createRunner(process.argv[2] as How);

/** Whether there is such a folder, with room for the journals of some runs. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}
