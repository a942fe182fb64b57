/** The processes of this machine with their environment: from /proc on Linux, from ps on other POSIX systems. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process at one moment. Its pid and start time together name it for good; the pid alone may be given away again. */
export interface ProcessRow {
  readonly pid: number;
  /** Who started it; another, mostly init, once that process has ended. */
  readonly parent: number;
  /** Its session where the system tells, else its process group. A process leaves it only by founding its own. */
  readonly session: number;
  /** Opaque text. */
  readonly startTime: string;
  /** Ended and waiting for its parent to notice: counts as gone. */
  readonly zombie: boolean;
  /** Its environment holds exactly this `NAME=value`. False where the environment may not be read. */
  carries(entry: string): boolean;
}

export interface ProcessTable {
  /** Every process that could be read. */
  all(): readonly ProcessRow[];
  /** One process, read anew; undefined when it is absent. */
  read(pid: number): ProcessRow | undefined;
}

export const tableFor = (system: NodeJS.Platform): ProcessTable => {
  if (system === 'linux') return procTable;
  // No environment can be read from outside there.
  if (system === 'win32') return emptyTable;
  // Apple's -e means "all processes"; elsewhere `e` without a dash adds the environment. `ww` keeps long lines whole.
  return system === 'darwin' ? psTable(['-AEww'], ['-Eww', '-p']) : psTable(['axeww'], ['eww', '-p']);
};

/** A line of `/proc/<pid>/stat`. The name may hold blanks and parentheses, hence the search from the end. */
export const parseStat = (stat: string) => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
    zombie: fields[0] === 'Z' || fields[0] === 'X',
  };
};

/** A line of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=`, in the C locale; the environment follows the command. */
export const parsePsLine = (line: string): ProcessRow | undefined => {
  const [, pid, parent, group, state, startTime, command] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3} +\w{3} +\d+ +[\d:]+ +\d{4})\s+(.*)$/.exec(line) ?? [];
  if (pid === undefined || command === undefined) return undefined;
  const words = ` ${command} `;
  return {
    pid: Number(pid),
    parent: Number(parent),
    session: Number(group),
    startTime: startTime ?? '',
    zombie: state?.startsWith('Z') === true,
    carries: entry => words.includes(` ${entry} `),
  };
};

const procTable: ProcessTable = {
  all: () =>
    readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (procTable.read(Number(name)) ?? []) : [])),
  read(pid) {
    try {
      const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      return { pid, ...stat, carries: entry => environmentHolds(pid, entry) };
    } catch {
      return undefined;
    }
  },
};

const environmentHolds = (pid: number, entry: string): boolean => {
  try {
    const block = readFileSync(`/proc/${pid}/environ`);
    const bounded = Buffer.concat([Buffer.of(0), block, Buffer.of(0)]);
    return bounded.includes(Buffer.from(`\0${entry}\0`));
  } catch {
    return false;
  }
};

const columns = ['-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

/** `ps` with the flags that show the environment of all processes, or of one whose pid follows. */
const psTable = (all: readonly string[], one: readonly string[]): ProcessTable => ({
  all: () => ps([...all, ...columns]),
  read: pid => ps([...one, String(pid), ...columns])[0],
});

const ps = (args: readonly string[]): ProcessRow[] => {
  try {
    const text = execFileSync('ps', args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    return text.split('\n').flatMap(line => parsePsLine(line) ?? []);
  } catch {
    // ps exits 1 when it finds none.
    return [];
  }
};

const emptyTable: ProcessTable = { all: () => [], read: () => undefined };

/** The table of this system. */
export const processTable: ProcessTable = tableFor(process.platform);

/** Whether a process of that pid is there and has not ended. */
export const isRunning = (pid: number): boolean => processTable.read(pid)?.zombie === false;
