import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { didYouMean, exitCode, UserError } from '../../base/index.ts';
import { positional } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'mock-agent',
  summary: 'Run a scripted agent on stdin and stdout',
  args: { script: positional('script', 'id of a shipped mock agent (see list mock-agents), or a YAML file') },
  examples: ['mock-agent behaviour/needs-login', 'mock-agent my-agent.yaml'],
  async run({ args }) {
    const { runMockAgent } = await import('../../bench/index.ts');
    const { streamPort } = await import('../../wire/index.ts');
    const instance = await instanceNamed(args.script);
    const { verdict, reason } = await runMockAgent(instance, {
      port: streamPort({ input: process.stdout, output: process.stdin }),
      home: homedir(),
      token: `session-${randomBytes(6).toString('hex')}`,
      stderr: text => void process.stderr.write(text),
      // What was written before is flushed first.
      exit: code => void process.stdout.write('', () => process.exit(code)),
      stopReading: () => void process.stdin.pause(),
    });
    if (verdict !== 'bench-error') return exitCode.asExpected;
    process.stderr.write(`${instance.id}: ${reason}\n`);
    return exitCode.benchError;
  },
});

/** By id among the shipped ones, instances of a family included, or from a file. */
const instanceNamed = async (name: string) => {
  const { loadChecked, loadMockAgents } = await import('../../bench/index.ts');
  const { instancesOf } = await import('../../script/index.ts');
  const scripts = existsSync(name) ? [await loadChecked(name)] : await loadMockAgents();
  const instances = scripts.flatMap(instancesOf);
  const found = existsSync(name)
    ? instances[0]
    : instances.find(({ id, script }) => id === name || script.id === name);
  if (!found) {
    const known = instances.map(({ id }) => id);
    throw new UserError(
      `no mock agent "${name}"${didYouMean(name, known) || '; see acp-testbench list mock-agents'}`,
    );
  }
  if (found.script.role !== 'agent')
    throw new UserError(`${found.id} has role ${found.script.role}; a mock agent has role agent`);
  return found;
};
