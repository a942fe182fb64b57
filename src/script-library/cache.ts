/** Where the compiled forms of users' scripts are kept. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { benchVersion } from '../base/index.ts';
import { sha256 } from './compiled-form.ts';

/** Path of the compiled form of a text by this release of the bench; undefined where the user has no home. */
export const cachedForm = (text: string): string | undefined => {
  const folder = cacheFolder();
  return folder && join(folder, 'acp-testbench', `${sha256(`${benchVersion()}\0${text}`)}.json`);
};

const cacheFolder = (): string | undefined => {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  try {
    return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  } catch {
    return undefined;
  }
};
