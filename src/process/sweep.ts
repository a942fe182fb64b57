/** Which processes belong to a run or to one launch of it, and how one is ended without ever hitting another. */
import { type ProcessRow, type ProcessTable, processTable } from './process-table.ts';

/** A process named for good: its pid may be given away again, both together never. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

export interface Selection {
  /** Entries of an environment, `NAME=value`; a process that carries one of them is selected. */
  readonly entries: readonly string[];
  /** Processes that are known to belong, whatever their environment. */
  readonly members: readonly ProcessIdentity[];
}

/** What the sweep needs of the system. */
export interface ProcessSystem extends ProcessTable {
  /** May throw, as `process.kill` does. */
  signal(pid: number, signal: NodeJS.Signals): void;
}

const processSystem: ProcessSystem = {
  ...processTable,
  signal: (pid, signal) => void process.kill(pid, signal),
};

/** The selected processes that still run: neither absent nor zombies, and never the caller, its parent or init. */
export const survivors = (selection: Selection, system: ProcessTable = processSystem): ProcessRow[] =>
  system.all().filter(row => isSelected(row, selection));

/**
 * Sends a signal to one process that `survivors` named, after a second look: a pid that meanwhile names another
 * process is left alone.
 */
export const signalSurvivor = (
  row: ProcessIdentity,
  selection: Selection,
  signal: NodeJS.Signals,
  system: ProcessSystem = processSystem,
): void => {
  const now = system.read(row.pid);
  if (now === undefined || !isSame(now, row) || !isSelected(now, selection)) return;
  try {
    system.signal(row.pid, signal);
  } catch {
    // It ended between the look and the signal, or belongs to another user: the next look decides.
  }
};

/**
 * The processes of the session that `leader` founded. Ids of sessions are reused, so they count only while the leader
 * itself is there or one of them carries an entry of the run.
 */
export const sessionMembers = (
  leader: ProcessIdentity,
  entries: readonly string[],
  system: ProcessTable = processSystem,
): ProcessRow[] => {
  const members = system.all().filter(row => row.session === leader.pid && !row.zombie);
  const founder = system.read(leader.pid);
  const ours = founder ? isSame(founder, leader) : members.some(row => carriesOne(row, entries));
  return ours ? members : [];
};

/**
 * What the processes of `roots` started, and what that started. The chain holds only as long as each parent is there:
 * a child that outlives its parent belongs to init.
 */
export const treeBelow = (
  roots: readonly ProcessIdentity[],
  system: ProcessTable = processSystem,
): ProcessRow[] => {
  const rows = system.all();
  const pids = new Set(roots.flatMap(root => (rows.some(row => isSame(row, root)) ? [root.pid] : [])));
  const found: ProcessRow[] = [];
  for (let before = -1; before < found.length; ) {
    before = found.length;
    for (const row of rows) {
      if (pids.has(row.pid) || !pids.has(row.parent)) continue;
      pids.add(row.pid);
      found.push(row);
    }
  }
  return found;
};

const isSelected = (row: ProcessRow, { entries, members }: Selection): boolean =>
  !row.zombie &&
  !untouchable(row.pid) &&
  (members.some(member => isSame(row, member)) || carriesOne(row, entries));

const isSame = (row: ProcessIdentity, other: ProcessIdentity): boolean =>
  row.pid === other.pid && row.startTime === other.startTime;

const carriesOne = (row: ProcessRow, entries: readonly string[]): boolean =>
  entries.some(entry => row.carries(entry));

const untouchable = (pid: number): boolean => pid <= 1 || pid === process.pid || pid === process.ppid;
