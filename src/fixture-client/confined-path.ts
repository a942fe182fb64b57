import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorCode, ResponseError } from '../wire/index.ts';

/**
 * The real path of `path`, which need not exist yet. Throws -32602 when it is not absolute or leads, through `..` or a
 * symbolic link, out of the roots.
 * @param name the param that holds the path, for the error
 */
export const confinedPath = async (name: string, path: string, roots: readonly string[]): Promise<string> => {
  if (!isAbsolute(path))
    throw new ResponseError(errorCode.invalidParams, `${name} must be absolute: ${path}`);
  const real = await realPathOf(path);
  for (const root of roots) {
    if (isWithin(await realPathOf(root), real)) return real;
  }
  throw new ResponseError(errorCode.invalidParams, `${name} is outside the session's folders: ${path}`);
};

/** Resolves the part that exists; a link to nowhere is refused, since writing would follow it. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path || (await isLink(path))) {
      throw new ResponseError(errorCode.resourceNotFound, `there is nothing at ${path}`);
    }
    return join(await realPathOf(parent), basename(path));
  }
};

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    stats => stats.isSymbolicLink(),
    () => false,
  );

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};
