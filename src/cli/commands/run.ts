import { exitCode, UserError } from '../../base/index.ts';
import type { RunResult } from '../../harness/index.ts';
import { choice, duration, flag, list, option, pair, positional, text } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'run',
  summary: 'Run an agent for one prompt behind the credential boundary of the harness',
  args: {
    prompt: positional('prompt', 'what to send'),
    manifest: option('file', 'launch manifest of the agent; - for standard input', text, undefined),
    mode: option('id', 'mode to set before the prompt; the agent must offer it', text, undefined),
    config: list('key=value', 'option to set before the prompt; true and false are booleans', pair),
    permission: option(
      'allow|deny',
      'answer to permission requests; default: deny',
      choice('allow', 'deny'),
      undefined,
    ),
    workspace: option(
      'folder',
      'folder of the session, which stays; default: a temporary one',
      text,
      undefined,
    ),
    timeout: option('duration', 'for the start, and again for the turn; default: 3m', duration, 180_000),
    journal: option('file', 'write down every frame; judge reads it', text, undefined),
    json: flag('print the result as JSON and nothing else'),
  },
  examples: [
    'run --manifest agent.json "Say hello"',
    'run --manifest agent.json --mode code --permission allow "Fix it"',
  ],
  async run({ args, out, interruption }) {
    const { loadManifest } = await import('../../manifest/index.ts');
    const { acpAgent, Interruption, runAgent } = await import('../../harness/index.ts');
    if (args.manifest === undefined)
      throw new UserError('no agent to run; name its launch manifest', { place: '--manifest' });
    const agent = acpAgent({
      manifest: { ...(await loadManifest(args.manifest)) },
      model: 'unspecified',
      agentModeId: args.mode ?? null,
      sessionConfig: Object.fromEntries(args.config.map(([key, value]) => [key, optionValue(value)])),
    });
    const ctrlC = interruption();
    const stop = new AbortController();
    ctrlC.addEventListener('abort', () => stop.abort(new Interruption('the command was told to end')));
    const result = await runAgent(agent, args.prompt, {
      permission: args.permission ?? 'deny',
      timeoutMs: args.timeout,
      signal: stop.signal,
      ...(args.workspace !== undefined && { workspace: args.workspace }),
      ...(args.journal !== undefined && { journalPath: args.journal }),
    });
    if (args.json) out.write(`${JSON.stringify(result, null, 2)}\n`);
    else {
      if (result.text) out.write(result.text.endsWith('\n') ? result.text : `${result.text}\n`);
      for (const line of summaryOf(result)) out.notice(line);
    }
    if (ctrlC.aborted) return exitCode.interrupted;
    return result.outcome === 'completed' ? exitCode.asExpected : exitCode.notAsExpected;
  },
});

const optionValue = (value: string): string | boolean =>
  /^(true|false)$/.test(value) ? value === 'true' : value;

/** On stderr, so that stdout is the answer alone. */
const summaryOf = ({
  outcome,
  error,
  sessionId,
  turns,
  frames,
  diagnostics,
  exit,
  journal,
}: RunResult): readonly string[] => {
  const observations = turns.flatMap(turn => turn.observations);
  const count = (kind: string) => observations.filter(each => each.kind === kind).length;
  const cause = error?.details?.cause;
  return [
    '',
    `outcome      ${outcome}${error ? ` (${error.code}: ${error.message})` : ''}`,
    ...(cause ? [`cause        ${cause.stage}: ${cause.reason}`] : []),
    ...(sessionId === undefined ? [] : [`session      ${sessionId}`]),
    ...turns.flatMap(({ stopReason }) => (stopReason === undefined ? [] : [`stop reason  ${stopReason}`])),
    `frames       ${frames.length}, of them ${count('tool_call')} tool calls reported, ${count('interaction_request')} questions asked`,
    ...(exit ? [`exit         ${exit.signal ?? exit.code}`] : []),
    ...(journal === undefined ? [] : [`journal      ${journal}`]),
    ...diagnostics.map(({ message }) => `note         ${message}`),
  ];
};
