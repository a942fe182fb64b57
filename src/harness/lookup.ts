/** Where the harness looks for variables and programs. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { HarnessOptions } from './options.ts';

/** What the user gave for this run comes first, then the environment of this process. */
export const variablesOf = ({
  environment = {},
  parentEnvironment = process.env,
}: Pick<HarnessOptions, 'environment' | 'parentEnvironment'>): Readonly<
  Record<string, string | undefined>
> => ({
  ...parentEnvironment,
  ...environment,
});

/**
 * The absolute path of a program that can be executed: an absolute path as it is, any other by PATH. Whether the
 * interpreter of a script can be found is seen when it is started, with the PATH of the agent.
 */
export const findExecutable = (command: string, path: string | undefined): string | undefined => {
  const places = isAbsolute(command)
    ? [command]
    : command.includes('/')
      ? [resolve(command)]
      : (path ?? '').split(delimiter).map(folder => resolve(folder, command));
  return places.find(isExecutable);
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
