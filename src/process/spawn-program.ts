import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { UserError } from '../base/index.ts';
import type { Environment } from './environment.ts';
import { platform } from './platform.ts';

/**
 * Starts a program with three pipes, no shell, and where the system has them a session and group of its own.
 * @param command what the user called it, for the error
 * @throws UserError (exit code 2) when the system refuses, or `cwd` is no folder
 */
export const spawnProgram = async (
  command: string,
  file: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
): Promise<ChildProcessWithoutNullStreams> => {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`cannot start "${command}": its directory ${cwd} is not a folder. Name another.`);
  }
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      detached: platform.ownGroup,
      stdio: 'pipe',
      windowsHide: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new UserError(`cannot start "${command}": ${reasonOf(cause as NodeJS.ErrnoException)} (${file}).`, {
      cause,
    });
  }
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => {
  const reasons: Record<string, string> = {
    ENOENT: 'the system finds no program there',
    EACCES: 'the system refuses to execute it',
    ENOEXEC: 'it is no program for this system',
    E2BIG: 'its arguments and environment are too long',
    EMFILE: 'this process has too many open files',
    EAGAIN: 'the system allows no more processes',
  };
  return reasons[code ?? ''] ?? message;
};
