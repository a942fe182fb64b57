/** Where systems differ in how a program is found, started, given an environment and ended. */
import { spawnSync } from 'node:child_process';
import { join, win32 } from 'node:path';

export interface Platform {
  readonly windows: boolean;
  readonly pathDelimiter: string;
  /** Variables that an agent gets from the parent, where the parent has them. */
  readonly passedVariables: readonly string[];
  /** Start a child as leader of its own session, so that a signal reaches its whole group and no terminal reaches it. */
  readonly ownGroup: boolean;
  /** File names to look for, in order, when `name` is given as a command. */
  fileNames(name: string, pathExtensions: string | undefined): readonly string[];
  /** The command is a path, not a name to look up. */
  isPath(command: string): boolean;
  /** Variables that make `home` the home folder. */
  homeVariables(home: string): Readonly<Record<string, string>>;
  /** Variables that keep package caches where the parent has them although HOME is another folder. */
  cacheVariables(parent: NodeJS.ProcessEnv): Readonly<Record<string, string>>;
  /** Signals a child and its group. Throws as `process.kill` does. */
  signalGroup(pid: number, signal: NodeJS.Signals): void;
}

const posix: Platform = {
  windows: false,
  pathDelimiter: ':',
  passedVariables: ['PATH', 'LANG', 'TZ', 'TMPDIR'],
  ownGroup: true,
  fileNames: name => [name],
  isPath: command => command.includes('/'),
  homeVariables: home => ({ HOME: home }),
  cacheVariables(parent) {
    const home = parent.HOME;
    const caches = parent.XDG_CACHE_HOME || (home && join(home, '.cache'));
    return present({
      npm_config_cache: parent.npm_config_cache || (home && join(home, '.npm')),
      UV_CACHE_DIR: parent.UV_CACHE_DIR || (caches && join(caches, 'uv')),
    });
  },
  signalGroup: (pid, signal) => void process.kill(-pid, signal),
};

const windows: Platform = {
  windows: true,
  pathDelimiter: ';',
  passedVariables: [
    ...['PATH', 'PATHEXT', 'SystemRoot', 'SystemDrive', 'ComSpec', 'windir'],
    ...['TEMP', 'TMP', 'LANG', 'TZ', 'ProgramFiles', 'ProgramData', 'PROCESSOR_ARCHITECTURE'],
  ],
  ownGroup: false,
  fileNames(name, pathExtensions) {
    const startable = (pathExtensions || '.COM;.EXE;.BAT;.CMD')
      .split(';')
      .filter(extension => /^\.(com|exe|bat|cmd)$/i.test(extension))
      .map(extension => name + extension.toLowerCase());
    return win32.extname(name) === '' ? startable : [name, ...startable];
  },
  isPath: command => /[\\/]|^[a-z]:/i.test(command),
  homeVariables: home => ({
    HOME: home,
    USERPROFILE: home,
    APPDATA: win32.join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: win32.join(home, 'AppData', 'Local'),
  }),
  cacheVariables(parent) {
    const local = parent.LOCALAPPDATA;
    return present({
      npm_config_cache: parent.npm_config_cache || (local && win32.join(local, 'npm-cache')),
      UV_CACHE_DIR: parent.UV_CACHE_DIR || (local && win32.join(local, 'uv', 'cache')),
    });
  },
  signalGroup(pid) {
    // No signals here: the tree is ended, and while its root lives taskkill still knows who belongs to it.
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  },
};

export const platformFor = (system: NodeJS.Platform): Platform => (system === 'win32' ? windows : posix);

export const platform: Platform = platformFor(process.platform);

/**
 * The Node program that a `.cmd` file starts, as npm, pnpm and Node's own `npx.cmd` write such files: they cannot be
 * started without a shell, their entry can. Undefined when the file starts anything else.
 * @param text the content of the file
 * @param folder the folder it is in
 */
export const shimEntry = (text: string, folder: string): string | undefined => {
  if (!/\bnode(\.exe)?\b/i.test(text)) return undefined;
  const started = /"([^"]+)"\s+%\*/.exec(text)?.[1];
  if (started === undefined) return undefined;
  const variable = /^%(\w+)%$/.exec(started)?.[1];
  const entry =
    variable === undefined ? started : new RegExp(`SET "${variable}=([^"]+)"`, 'i').exec(text)?.[1];
  const relative = /^%(?:~dp0|dp0%)(.+)$/i.exec(entry ?? '')?.[1];
  return relative === undefined ? undefined : win32.join(folder, relative);
};

const present = (variables: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
