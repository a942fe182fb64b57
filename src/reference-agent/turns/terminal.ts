import type { Json, JsonObject } from '../../wire/index.ts';
import { member } from '../params.ts';
import { ToolFailure, type ToolOutcome, useTool } from '../tool-call.ts';
import type { Turn, TurnScript } from '../turn.ts';
import { toolTerminal, toolText } from '../updates.ts';

const command = { command: 'echo', args: ['hello from a terminal'] };

/** Runs a command in a terminal of the client; without terminals, the tool fails. */
export const runInTerminal: TurnScript = async turn => {
  const isDone = await useTool(
    turn,
    { name: 'run_command', title: 'Run echo', kind: 'execute', rawInput: command },
    async show => {
      if (!turn.agent.capabilities.terminal) throw new ToolFailure('The client has no terminals.');
      return inTerminal(turn, async terminalId => {
        show([toolTerminal(terminalId)]);
        return run(turn, terminalId);
      });
    },
  );
  await turn.say(isDone ? 'The command has run.' : 'I could not run the command.');
  return 'end_turn';
};

const run = async (turn: Turn, terminalId: string): Promise<ToolOutcome> => {
  const exit = await turn.ask('terminal/wait_for_exit', { terminalId });
  const output = member(await turn.ask('terminal/output', { terminalId }), 'output');
  return {
    content: [toolText(typeof output === 'string' ? output : '')],
    rawOutput: { exitCode: member(exit, 'exitCode') ?? null, signal: member(exit, 'signal') ?? null },
  };
};

/** Creates a terminal and releases it exactly once, also when the turn is cancelled before the client has made it. */
const inTerminal = async <T>(turn: Turn, use: (terminalId: string) => Promise<T>): Promise<T> => {
  const { sessionId, cwd } = turn.session.record;
  const { client } = turn.agent;
  const release = (terminalId: Json | undefined): void => {
    if (typeof terminalId !== 'string') return;
    // Nobody waits for this answer: the terminal is out of use, whatever it says.
    client.request('terminal/release', { sessionId, terminalId }).catch(() => {});
  };

  const params: JsonObject = { sessionId, ...command, cwd, outputByteLimit: 65_536 };
  const created = client.request('terminal/create', params).then(result => member(result, 'terminalId'));
  const terminalId = await turn.until(created).catch(error => {
    created.then(release, () => {});
    throw error;
  });
  if (typeof terminalId !== 'string') throw new ToolFailure('The client answered without a terminalId.');
  try {
    return await use(terminalId);
  } finally {
    release(terminalId);
  }
};
