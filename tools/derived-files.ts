/** Files that the build derives from others: made only when an input has changed, written whole. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Digest of files by path and content, in hex. */
export const digestOfFiles = (paths: readonly string[]): string => {
  const digest = createHash('sha256');
  for (const path of [...paths].sort())
    digest.update(path).update('\0').update(readFileSync(path)).update('\0');
  return digest.digest('hex');
};

/** Paths of all files below a folder. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.parentPath}/${entry.name}`);

/** Replaces a file whole, so that a running process never reads a half. */
export const writeWhole = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
};
