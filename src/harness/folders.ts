/** The temporary folders of a session: a home always, a workspace where none was given. */
import { rmSync } from 'node:fs';
import { createRunFolders, type Guardian, type RunFolders, startGuardian } from '../process/index.ts';

/** Where sessions make their folders and who looks after what they start; one may serve many sessions. */
export interface HarnessHost {
  readonly guardian: Guardian;
  readonly folders: RunFolders;
  /** Ends what is left of all of them, and removes the folders; false when some could not be removed. */
  end(): Promise<boolean>;
}

export const startHost = async (): Promise<HarnessHost> => {
  const guardian = await startGuardian();
  const folders = createRunFolders(guardian);
  return {
    guardian,
    folders,
    async end() {
      const isRemoved = folders.remove();
      await guardian.end();
      return isRemoved;
    },
  };
};

export interface SessionFolders {
  readonly home: string;
  readonly workspace: string;
  /** False when something could not be removed. A workspace that was given stays. */
  remove(): boolean;
}

export const createSessionFolders = (
  { folders }: HarnessHost,
  workspace: string | undefined,
): SessionFolders => {
  const home = folders.createHome();
  const made = workspace === undefined ? folders.createWorkspace() : undefined;
  return {
    home,
    workspace: workspace ?? made!,
    remove: () => [home, ...(made === undefined ? [] : [made])].map(removed).every(Boolean),
  };
};

const removed = (folder: string): boolean => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    return true;
  } catch {
    return false;
  }
};
