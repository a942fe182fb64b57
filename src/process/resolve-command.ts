/** Finds the program that a command names, as a shell would, and says what to do when there is none to start. */
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../base/index.ts';
import { platform, shimEntry } from './platform.ts';

/** What to spawn: `args` come before the arguments that the user gave. */
export interface ResolvedCommand {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
}

export interface ResolveOptions {
  /** Folder that a relative path starts from. */
  readonly cwd: string;
  /** PATH of the process to be started. */
  readonly path: string | undefined;
}

/**
 * No shell takes part: a command with a separator is a path, any other is looked up on PATH.
 * @throws UserError (exit code 2) when it is not found, a folder, not executable, a script whose interpreter is
 *   missing, or a batch file that starts no Node program
 */
export const resolveCommand = (command: string, { cwd, path }: ResolveOptions): ResolvedCommand => {
  if (command === '') throw cannotStart(command, 'the command is empty. Name the program to start.');
  const file = platform.isPath(command)
    ? checkPath(command, resolve(cwd, command))
    : lookUp(command, cwd, path);
  if (platform.windows && /^\.(cmd|bat)$/i.test(extname(file))) return resolveShim(command, file, cwd, path);
  checkInterpreter(command, file, cwd, path);
  return { file, args: [] };
};

const checkPath = (command: string, wanted: string): string => {
  const candidates = platform.fileNames(wanted, process.env.PATHEXT);
  const file = candidates.find(candidate => kindOf(candidate) !== 'absent') ?? wanted;
  const kind = kindOf(file);
  if (kind === 'absent') {
    const shown = isAbsolute(command) ? '' : ` (${wanted})`;
    throw cannotStart(command, `no such file${shown}. Check the path, or give a name that is on PATH.`);
  }
  if (kind === 'folder') throw cannotStart(command, 'it is a directory. Name the program inside it.');
  if (kind === 'not executable') throw notExecutable(command, file);
  return file;
};

const lookUp = (command: string, cwd: string, path: string | undefined): string => {
  // An empty part of PATH means the working directory.
  const folders = path ? path.split(delimiter).map(folder => resolve(cwd, folder)) : [];
  const names = platform.fileNames(command, process.env.PATHEXT);
  const files = folders.flatMap(folder => names.map(name => join(folder, name)));
  const found = files.find(file => kindOf(file) === 'program');
  if (found !== undefined) return found;
  const unusable = files.find(file => kindOf(file) === 'not executable');
  if (unusable !== undefined) throw notExecutable(command, unusable);
  const shown = path ? `not found on PATH (${path})` : 'not found, since PATH is empty';
  throw cannotStart(command, `${shown}. Give a path, or put its folder on PATH.`);
};

const kindOf = (file: string): 'absent' | 'folder' | 'not executable' | 'program' => {
  try {
    if (statSync(file).isDirectory()) return 'folder';
  } catch {
    // Also a folder on the way that is none or may not be entered: as when it is looked up by the system.
    return 'absent';
  }
  try {
    accessSync(file, constants.X_OK);
    return 'program';
  } catch {
    return 'not executable';
  }
};

/** The system reports a missing interpreter as "no such file" about a script that is there, which helps nobody. */
const checkInterpreter = (command: string, file: string, cwd: string, path: string | undefined): void => {
  const [interpreter, ...rest] = firstLineWords(file);
  if (interpreter === undefined) return;
  const isMissing = (name: string): boolean => kindOf(resolve(cwd, name)) !== 'program';
  if (isMissing(interpreter)) throw missingInterpreter(command, file, interpreter, 'which is not there');
  if (basename(interpreter) !== 'env') return;
  const program = rest.find(word => !word.startsWith('-') && !word.includes('='));
  if (program === undefined || platform.isPath(program)) return;
  const folders = (path ?? '').split(delimiter);
  if (folders.every(folder => isMissing(join(folder, program)))) {
    throw missingInterpreter(command, file, program, 'which is not on PATH');
  }
};

/** Words of a `#!` line; none for any other file. The kernel reads 256 bytes and ends the line at the line feed only. */
const firstLineWords = (file: string): string[] => {
  const head = Buffer.alloc(256);
  let read = 0;
  try {
    const handle = openSync(file, 'r');
    read = readSync(handle, head);
    closeSync(handle);
  } catch {
    // Executable but not readable: the system may start it nonetheless.
  }
  const line = head.toString('utf8', 0, read).split('\n')[0] ?? '';
  if (!line.startsWith('#!')) return [];
  return line
    .slice(2)
    .split(/[ \t]+/)
    .filter(word => word !== '');
};

const resolveShim = (
  command: string,
  file: string,
  cwd: string,
  path: string | undefined,
): ResolvedCommand => {
  const entry = shimEntry(readFileSync(file, 'utf8'), dirname(file));
  if (entry === undefined) {
    throw cannotStart(command, `${file} is a batch file that starts no Node program. Name what it starts.`);
  }
  const beside = join(dirname(file), 'node.exe');
  const node = kindOf(beside) === 'program' ? beside : lookUp('node', cwd, path);
  return { file: node, args: [entry] };
};

const notExecutable = (command: string, file: string): UserError =>
  cannotStart(command, `${file} is not executable. Run chmod +x on it, or name its interpreter first.`);

const missingInterpreter = (command: string, file: string, interpreter: string, what: string): UserError =>
  cannotStart(
    command,
    `the first line of ${file} names the interpreter ${JSON.stringify(interpreter)}, ${what}. ` +
      'Install it, or name another one before the script.',
  );

const cannotStart = (command: string, why: string): UserError =>
  new UserError(`cannot start "${command}": ${why}`);
