/** The reference agent as a program: ACP on stdin and stdout, sessions under HOME. `--behaviour` takes JSON. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCode, UserError } from '../base/index.ts';
import { connectActor, type Json, streamPort } from '../wire/index.ts';
import { folderStore, referenceAgent } from './index.ts';

const readJson = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError((error as Error).message, { place: '--behaviour', cause: error });
  }
};

const start = (): void => {
  const { values } = parseArgs({ options: { behaviour: { type: 'string', default: '{}' } } });
  const agent = referenceAgent(readJson(values.behaviour), {
    store: folderStore(join(homedir(), '.acp-reference-agent')),
    token: `session-${randomBytes(6).toString('hex')}`,
    now: () => new Date(),
  });
  const port = streamPort({ input: process.stdout, output: process.stdin });
  const { exited } = connectActor(port, agent);
  // The process ends by itself once its output is written; ending it here would cut that short.
  void exited.then(code => {
    process.exitCode = code;
  });
};

try {
  start();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = exitCode.usage;
}
