import { freePath, timeInName } from '../../base/index.ts';
import { choice, list, option, rest, text } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'record',
  summary: 'Stand between a client and an agent and write a journal',
  passThrough: true,
  args: {
    command: rest('command', 'the agent and its arguments', true),
    journal: option('file', 'the journal to make; default: acp-session-<time>.jsonl here', text, undefined),
    subject: option(
      'party',
      'whom the journal is to judge: agent or client',
      choice('agent', 'client'),
      'agent' as const,
    ),
    secret: list('NAME', 'variable whose value is redacted in the journal', text),
  },
  examples: ['record --journal session.jsonl -- my-agent --acp'],
  async run({ args }) {
    const { namedSecrets, recordSession, redactorFor } = await import('../../bench/index.ts');
    const [command, ...words] = args.command as readonly [string, ...string[]];
    return recordSession({
      command,
      args: words,
      // An editor starts the same command line again and again: each session gets a file of its own.
      journalPath: freePath(args.journal ?? `acp-session-${timeInName(new Date())}.jsonl`),
      subject: args.subject,
      redactor: await redactorFor(namedSecrets(args.secret, process.env)),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
    });
  },
});
