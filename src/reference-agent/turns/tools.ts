/** Turns about tool calls as such. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOf } from '../files.ts';
import { ToolFailure, useTool } from '../tool-call.ts';
import type { Turn, TurnScript } from '../turn.ts';
import { toolText } from '../updates.ts';

export const useATool: TurnScript = async turn => {
  await turn.think('Let me look at what is here.');
  await listFiles(turn);
  await turn.say('I have looked around.');
  return 'end_turn';
};

export const failTool: TurnScript = async turn => {
  const path = pathOf(turn, 'no-such-folder');
  await useTool(
    turn,
    { name: 'list_files', title: `List ${path}`, kind: 'search', rawInput: { path }, paths: [path] },
    async () => {
      throw new ToolFailure('There is no such folder.');
    },
  );
  await turn.say('The tool failed; I stop here.');
  return 'end_turn';
};

const modelRequestsPerTurn = 3;

/** A model that asks for one more tool call, each time it is asked. */
export const hitTurnLimit: TurnScript = async turn => {
  for (let request = 1; request <= modelRequestsPerTurn; request++) await listFiles(turn);
  return 'max_turn_requests';
};

/** Lists the session's roots, and no other folder. */
const listFiles = (turn: Turn): Promise<boolean> => {
  const { cwd, additionalDirectories } = turn.session.record;
  const roots = [cwd, ...additionalDirectories];
  return useTool(
    turn,
    { name: 'list_files', title: 'List files', kind: 'search', rawInput: { roots }, paths: roots },
    async () => {
      const paths = (await turn.until(Promise.all(roots.map(filesIn)))).flat();
      return { content: [toolText(paths.join('\n') || 'No files.')], rawOutput: { paths } };
    },
  );
};

const filesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => {
    throw new ToolFailure(`Cannot list ${folder}.`);
  });
  return names.sort().map(name => join(folder, name));
};
