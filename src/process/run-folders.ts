/** The folders of a run: one temporary root, homes and workspaces below it. What the user names is used, never removed. */
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../base/index.ts';
import { createOwnedFolder, ownedFolderPath, removeOwnedFolder } from './owned-folder.ts';
import type { Guardian } from './start-guardian.ts';

export interface RunFolders {
  /** Absolute, without symbolic links; everything the run creates lies below it. */
  readonly root: string;
  /** A new, empty home folder. */
  createHome(): string;
  /** A new, empty workspace. */
  createWorkspace(): string;
  /** Removes the root with all that is in it; false when something could not be removed. Idempotent. */
  remove(): boolean;
}

/**
 * Creates the run's temporary root. The guardian hears of each folder before it exists, so that none outlives the run.
 * @param parent where the root is created; default: the system's temporary folder
 * @throws UserError when `parent` cannot be written
 */
export const createRunFolders = (guardian: Guardian, parent: string = tmpdir()): RunFolders => {
  const root = createRoot(guardian, parent);
  let count = 0;
  const create = (kind: string, announce?: (path: string) => void): string => {
    count += 1;
    const path = join(root, `${kind}-${count}`);
    announce?.(path);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  return {
    root,
    createHome: () => create('home', home => guardian.tell({ home })),
    createWorkspace: () => create('workspace'),
    remove: () => removeOwnedFolder(root, guardian.run),
  };
};

/**
 * The home folder that `--home` asks for: `temp` for a new one of the run, `inherit` for the user's, else a folder.
 * @throws UserError when that folder is absent or none
 */
export const homeFolder = (choice: string, folders: RunFolders): string => {
  if (choice === 'temp') return folders.createHome();
  return choice === 'inherit' ? homedir() : givenFolder(choice, '--home');
};

/**
 * The absolute real path of a folder that the user named.
 * @param option the option that named it, for the error
 * @throws UserError when it is absent or no folder
 */
export const givenFolder = (path: string, option: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new UserError(`no such folder "${path}"; create it, or name another`, { place: option });
  }
  if (!stats.isDirectory()) throw new UserError(`"${path}" is a file; name a folder`, { place: option });
  return realpathSync(path);
};

/**
 * Refuses one folder as both the process's directory and the session's cwd: an agent that mistakes one for the other
 * would pass unseen. Both paths real.
 */
export const keepApart = (processDirectory: string, workspace: string): void => {
  if (processDirectory !== workspace) return;
  throw new UserError(
    `${workspace} is also the directory that the agent is started in, and a session must be somewhere else; ` +
      'give --cwd or --workspace another folder',
    { place: '--workspace' },
  );
};

const createRoot = (guardian: Guardian, parent: string): string => {
  try {
    const root = ownedFolderPath(realpathSync(parent), guardian.run);
    guardian.tell({ folder: root });
    createOwnedFolder(root, guardian.run);
    return root;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UserError(
      `cannot create a temporary folder in ${parent} (${code}); set TMPDIR to a folder that can be written`,
      { cause },
    );
  }
};
