/** What the tests of the command line build their world with: an empty folder to run in, and proof that nothing stays. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from '../../src/base/index.ts';
import type { Report } from '../../src/report/index.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Outcome>;
}

export interface World {
  /** Where commands run. */
  readonly folder: string;
  path(name: string): string;
  /** Writes a file below the folder. @returns its path */
  write(name: string, text: string): string;
  read(name: string): string;
  report(name?: string): Report;
  /** Runs the built command to its end. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Starts the built command. */
  start(words: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** What is still there of all that was started: processes and temporary files. */
  leftovers(): readonly string[];
}

/** Fails when a process or a temporary file of what the test started is left 5 s after it. */
export const inWorld = async (test: (world: World) => Promise<void>): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'cli-'));
  const [folder, home, temp] = ['work', 'home', 'temp'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, home, temp]) mkdirSync(path);
  const started: ChildProcess[] = [];

  const start: World['start'] = (words, env = {}) => {
    const child = spawn(process.execPath, [compiled('cli/main.js'), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: temp, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return { process: child, ended: outcomeOf(child) };
  };
  const leftovers = () => [...processesWith(`TMPDIR=${temp}`), ...readdirSync(temp)];
  const path = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');

  try {
    await test({
      folder,
      path,
      write(name, text) {
        mkdirSync(dirname(path(name)), { recursive: true });
        writeFileSync(path(name), text);
        return path(name);
      },
      read,
      report: (name = 'out') => JSON.parse(read(`${name}/report.json`)) as Report,
      run: (words, env) => start(words, env).ended,
      start,
      leftovers,
    });
    await eventually('nothing is left', () => leftovers().length === 0, leftovers);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
};

/** No time passes while the machine is slow: the assertion is that it becomes true, the deadline only ends the test. */
export const eventually = async (
  what: string,
  condition: () => boolean,
  state: () => unknown = () => '',
  deadlineMs = 5000,
): Promise<void> => {
  for (const began = performance.now(); !condition(); await sleep(20)) {
    if (performance.now() - began > deadlineMs)
      throw new Error(`not within ${deadlineMs} ms: ${what} ${JSON.stringify(state())}`);
  }
};

/** The command line of a small program of `fixtures/`. */
export const fixture = (name: string, ...args: readonly string[]): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)),
  ...args,
];

export const referenceAgent: readonly string[] = [process.execPath, compiled('reference-agent/main.js')];

/** The words that certify in little time: the report in `out`, short waits. */
export const certify = (...words: readonly string[]): readonly string[] => [
  'certify',
  ...['--out', 'out', '--timeout', '1s', '--start-timeout', '20s'],
  ...words,
];

/** Only the scenario that every run begins with. */
export const handshake = ['--only', 'initialize/handshake'] as const;

const outcomeOf = (child: ChildProcess): Promise<Outcome> => {
  const [stdout, stderr] = [child.stdout!, child.stderr!].map(stream => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString('utf8');
  }) as [() => string, () => string];
  return new Promise(resolve => {
    child.on('close', code => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
};

/**
 * Command lines of processes with this in their environment. The bench gives it to all that it starts, the guardian
 * included, which the run's own mark would not find. Zombies have no environment.
 */
const processesWith = (entry: string): readonly string[] => {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const isMarked = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry);
        return isMarked
          ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`]
          : [];
      } catch {
        // It ended in this moment.
        return [];
      }
    });
};
