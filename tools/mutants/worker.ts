/** Runs mutants by id, one after the other, for the process that forked it. Argument: `process` or `in-process`. */
import { agentOf } from './defects.ts';
import { createRunner, type How } from './run-mutant.ts';

const runner = await createRunner(process.argv[2] as How);

process.on('message', async (id: string) => {
  const run = await runner.run(await agentOf(id));
  process.send!(run);
});

// The one who forked it decides when it ends; an interruption reaches both.
process.on('SIGINT', () => {});
process.once('disconnect', async () => {
  await runner.end();
  process.exit();
});
