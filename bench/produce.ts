/** The agent of the memory measurement: writes the turns to its standard output as fast as they are taken. */
import { once } from 'node:events';
import { agentOutput } from './agent-output.ts';
import { inBatches } from './corpus.ts';

const turns = Number(process.argv[2]);
for (const batch of inBatches(agentOutput(turns))) {
  if (!process.stdout.write(`${batch.join('\n')}\n`)) await once(process.stdout, 'drain');
}
