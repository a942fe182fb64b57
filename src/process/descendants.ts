/** What one agent started, wherever it went: known by mark, by home, by the agent's session, or by its parent. */
import type { Environment } from './environment.ts';
import { environmentEntry } from './marks.ts';
import { processTable } from './process-table.ts';
import type { Guardian } from './start-guardian.ts';
import { type ProcessIdentity, type Selection, signalSurvivor, survivors, treeBelow } from './sweep.ts';

export interface Descendants {
  /**
   * To be called before the agent is asked to end: from then on what it started, and what that started, is known even
   * where it has a session of its own and none of the environment.
   */
  rememberTree(): void;
  /**
   * To be called at the moment in which the agent's exit is noticed: only then is it certain that the session with its
   * pid as id is the agent's, so that members without any mark are remembered.
   */
  rememberSession(): void;
  /** Pids of those that still run; the agent itself among them while it does. */
  pids(): readonly number[];
  /** Kills them, each after a second look. */
  kill(): void;
  /** They are no longer of interest. */
  release(): void;
}

/**
 * @param pid the agent, leader of its own session
 * @param mark entry of the environment that only this launch has, if it has one
 * @param env the agent's environment: a HOME in it that the run created is a mark as well, unless another agent has the
 *   same HOME at the time
 */
export const descendantsOf = (
  pid: number,
  mark: string | undefined,
  { HOME }: Environment,
  guardian: Guardian,
): Descendants => {
  const home = HOME !== undefined && guardian.createdHome(HOME) ? HOME : undefined;
  if (home !== undefined) countHome(home, 1);
  let members: readonly ProcessIdentity[] = [];
  const selection = (): Selection => {
    const entries = mark === undefined ? [] : [mark];
    if (home !== undefined && homesInUse.get(home) === 1) entries.push(environmentEntry('HOME', home));
    return { entries, members };
  };
  const remember = (rows: readonly ProcessIdentity[]) => {
    members = [...members, ...rows];
  };
  return {
    rememberTree() {
      const agent = processTable.read(pid);
      if (agent) remember(treeBelow([agent]));
    },
    rememberSession() {
      remember(processTable.all().filter(row => row.session === pid && !row.zombie));
    },
    pids: () => survivors(selection()).map(row => row.pid),
    kill() {
      const now = selection();
      for (const row of survivors(now)) signalSurvivor(row, now, 'SIGKILL');
    },
    release() {
      if (home !== undefined) countHome(home, -1);
    },
  };
};

const homesInUse = new Map<string, number>();

const countHome = (home: string, change: number): void => {
  const users = (homesInUse.get(home) ?? 0) + change;
  if (users === 0) homesInUse.delete(home);
  else homesInUse.set(home, users);
};
