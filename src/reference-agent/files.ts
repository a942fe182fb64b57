/** Files of a session: through the client where it offers that, since it may hold unsaved changes; else directly. */
import { readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { member } from './params.ts';
import { ToolFailure } from './tool-call.ts';
import type { Turn } from './turn.ts';

/** Absolute path of a name, relative to the session's cwd. */
export const pathOf = ({ session }: Turn, name: string): string => resolve(session.record.cwd, name);

/** Whether a path is in the session's cwd or one of its additional directories. */
export const isWithinRoots = ({ session: { record } }: Turn, path: string): boolean =>
  [record.cwd, ...record.additionalDirectories].some(root => {
    const way = relative(root, path);
    return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
  });

/** @throws ToolFailure or ResponseError when the file cannot be read */
export const readText = async (turn: Turn, path: string): Promise<string> => {
  if (!turn.agent.capabilities.readTextFile) return turn.until(readFile(path, 'utf8').catch(asFailure));
  const content = member(await turn.ask('fs/read_text_file', { path }), 'content');
  if (typeof content === 'string') return content;
  throw new ToolFailure('The client answered without content.');
};

/** Any result is a success, `null` included. @throws ToolFailure or ResponseError when the file cannot be written */
export const writeText = async (turn: Turn, path: string, content: string): Promise<void> => {
  if (turn.agent.capabilities.writeTextFile) await turn.ask('fs/write_text_file', { path, content });
  else await turn.until(writeFile(path, content).catch(asFailure));
};

const asFailure = (error: NodeJS.ErrnoException): never => {
  throw new ToolFailure(error.code === 'ENOENT' ? 'There is no such file.' : error.message);
};
