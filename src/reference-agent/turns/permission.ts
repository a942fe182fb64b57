import { pathOf, writeText } from '../files.ts';
import { useTool } from '../tool-call.ts';
import type { TurnScript } from '../turn.ts';
import { toolText } from '../updates.ts';

/** Writes a file that is guarded wherever it lies. */
export const askPermission: TurnScript = async (turn, name) => {
  const path = pathOf(turn, name || 'guarded.txt');
  await turn.say('I need your permission for this.');
  const isDone = await useTool(
    turn,
    {
      name: 'write_guarded_file',
      title: `Write ${path}`,
      kind: 'edit',
      rawInput: { path },
      paths: [path],
      isGuarded: true,
    },
    async () => {
      await writeText(turn, path, 'Written with permission.\n');
      return { content: [toolText('The file is written.')] };
    },
  );
  await turn.say(isDone ? 'It is done.' : 'Then I leave it as it is.');
  return 'end_turn';
};
