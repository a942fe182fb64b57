/** Slash commands. A prompt that begins with `/name` of one runs it. */
import { type Session, tell } from './session.ts';
import type { Agent } from './state.ts';
import type { Turn } from './turn.ts';

interface Command {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
  run(turn: Turn, input: string): Promise<void>;
}

const commands: readonly Command[] = [
  {
    name: 'echo',
    description: 'Says what follows it',
    hint: 'text to say',
    run: (turn, input) => turn.say(input || 'Nothing to say.'),
  },
  {
    name: 'status',
    description: 'Says where the session stands',
    run: ({ say, session: { record } }) =>
      say(`Turn ${record.turnCount} in ${record.cwd}, mode ${record.modeId}.`),
  },
];

export const announceCommands = (agent: Agent, session: Session): void => {
  if (!agent.behaviour.commands) return;
  tell(agent, session, {
    sessionUpdate: 'available_commands_update',
    availableCommands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    })),
  });
};

/** Runs the command that a prompt asks for; false when it asks for none. */
export const runCommand = async (turn: Turn, prompt: string): Promise<boolean> => {
  const [, name, input = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(prompt) ?? [];
  const command = turn.agent.behaviour.commands && commands.find(known => known.name === name);
  if (!command) return false;
  await command.run(turn, input);
  return true;
};
