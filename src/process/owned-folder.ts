/** The temporary folder of a run: named after it, marked as its own, and never removed unless both say so. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

const markerName = '.acp-testbench-run';

export const ownedFolderPath = (parent: string, run: string): string => join(parent, `acp-testbench-${run}`);

/** May throw, as the file system does. */
export const createOwnedFolder = (path: string, run: string): void => {
  mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(path, markerName), run);
};

export const isOwnedFolder = (path: string, run: string): boolean => {
  try {
    return basename(path) === `acp-testbench-${run}` && readFileSync(join(path, markerName), 'utf8') === run;
  } catch {
    return false;
  }
};

/** Below, not equal. Both paths absolute and real. */
export const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};

/** Removes the folder if it is the run's own; says whether it is gone. */
export const removeOwnedFolder = (path: string, run: string): boolean => {
  if (!isOwnedFolder(path, run)) return removeUnmarked(path);
  if (removeTree(path)) return true;
  makeWritable(path);
  return removeTree(path);
};

/** A run that was killed between creating and marking its folder leaves it empty; no other is removed without a mark. */
const removeUnmarked = (path: string): boolean => {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

const removeTree = (path: string): boolean => {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    return true;
  } catch {
    return false;
  }
};

/** Module caches of some package managers are read-only folders, and what is in those cannot be removed. */
const makeWritable = (folder: string): void => {
  try {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) makeWritable(join(folder, entry.name));
    }
  } catch {
    // What cannot be opened is reported by the removal that follows.
  }
};
