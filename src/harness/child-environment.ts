/** The variables of an agent that the harness starts: ten fixed ones and what the manifest names, nothing inherited. */
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '../process/index.ts';

export interface ChildEnvironmentOptions {
  /** Absolute path of the program that is started. */
  readonly executable: string;
  /** Absolute path of the temporary home. */
  readonly home: string;
  /** Resolved variables of the manifest. They come last and win. */
  readonly named: Environment;
}

export const childEnvironment = ({ executable, home, named }: ChildEnvironmentOptions): Environment => ({
  PATH: [dirname(executable), ...platformPath].join(delimiter),
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_DATA_HOME: join(home, 'data'),
  XDG_CACHE_HOME: join(home, 'cache'),
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  NO_COLOR: '1',
  CI: '1',
  ...named,
});

/** Where a system without settings looks for programs. */
const platformPath: readonly string[] =
  process.platform === 'win32' ? ['C:\\Windows\\System32', 'C:\\Windows'] : ['/bin', '/usr/bin'];
