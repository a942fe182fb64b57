/** Turns that read and write files. A path may follow the directive; a relative one starts at the session's cwd. */
import { isWithinRoots, pathOf, readText, writeText } from '../files.ts';
import { useTool } from '../tool-call.ts';
import type { Turn, TurnScript } from '../turn.ts';
import { toolDiff, toolText } from '../updates.ts';

const readName = 'notes.txt';
const writtenName = 'written-by-agent.txt';

export const readAFile: TurnScript = async (turn, name) => {
  await read(turn, name || readName);
  await turn.say('Done reading.');
  return 'end_turn';
};

export const writeAFile: TurnScript = async (turn, name) => {
  await write(turn, name || writtenName);
  await turn.say('Done writing.');
  return 'end_turn';
};

export const readAndWrite: TurnScript = async (turn, name) => {
  await read(turn, name || readName);
  await write(turn, writtenName);
  await turn.say('Done reading and writing.');
  return 'end_turn';
};

export const editFile: TurnScript = async (turn, name) => {
  const path = pathOf(turn, name || readName);
  await useTool(turn, toolFor(turn, 'edit_file', 'Edit', 'edit', path), async () => {
    const before = await readText(turn, path).catch(error => {
      if (turn.signal.aborted) throw error;
      return null;
    });
    const after = `${before ?? ''}A line by the agent.\n`;
    await writeText(turn, path, after);
    return { content: [toolDiff(path, before, after)] };
  });
  await turn.say('Done editing.');
  return 'end_turn';
};

const read = (turn: Turn, name: string): Promise<boolean> => {
  const path = pathOf(turn, name);
  return useTool(turn, toolFor(turn, 'read_file', 'Read', 'read', path), async () => ({
    content: [toolText(await readText(turn, path))],
  }));
};

const write = (turn: Turn, name: string): Promise<boolean> => {
  const path = pathOf(turn, name);
  return useTool(turn, toolFor(turn, 'write_file', 'Write', 'edit', path), async () => {
    await writeText(turn, path, 'Written by the agent.\n');
    return { content: [toolText('The file is written.')] };
  });
};

/** What lies outside the roots of the session is only touched with permission. */
const toolFor = (turn: Turn, name: string, verb: string, kind: 'read' | 'edit', path: string) => ({
  name,
  title: `${verb} ${path}`,
  kind,
  rawInput: { path },
  paths: [path],
  isGuarded: !isWithinRoots(turn, path),
});
