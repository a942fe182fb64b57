import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { exitCode } from '../../base/index.ts';
import { positional } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'mock-agent',
  summary: 'Run a scripted agent on stdin and stdout',
  args: { script: positional('script', 'id of a shipped mock agent (see list mock-agents), or a YAML file') },
  examples: ['mock-agent behaviour/needs-login', 'mock-agent my-agent.yaml'],
  async run({ args }) {
    const { checkBehaviour, runMockAgent } = await import('../../mock-agent/index.ts');
    const { isScriptFile, loadMockAgent } = await import('../../script-library/index.ts');
    const { streamPort } = await import('../../wire/index.ts');
    const instance = await loadMockAgent(args.script);
    if (isScriptFile(args.script)) await checkBehaviour(instance.script, args.script);
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
