/** Starts an agent without a shell, carries its frames, and ends it together with all that it started. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { UserError } from '../base/index.ts';
import { type Clock, type Port, streamPort, systemClock } from '../wire/index.ts';
import type { Environment } from './environment.ts';
import { environmentEntry, launchVariable, runVariable } from './marks.ts';
import { platform } from './platform.ts';
import { processTable } from './process-table.ts';
import { resolveCommand } from './resolve-command.ts';
import type { Guardian } from './start-guardian.ts';
import {
  climbStopLadder,
  type Exit,
  type StopOptions,
  type Stoppable,
  type StopReport,
  settlesWithin,
} from './stop-ladder.ts';
import { type ProcessIdentity, type Selection, signalSurvivor, survivors } from './sweep.ts';

export interface LaunchOptions {
  /** A path, relative to `cwd`, or a name to look up on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Directory of the process. */
  readonly cwd: string;
  /**
   * The environment, exactly, but for the mark of the launch, which is added where the mark of the run is. Without
   * that mark descendants are known by a HOME that the run created.
   */
  readonly env: Environment;
  readonly guardian: Guardian;
  /** See `FramerOptions`. */
  readonly maxLineBytes?: number;
  readonly clock?: Clock;
}

export interface Launched {
  /** Delivers `exit` after `eof`, and after what stderr held at the exit. */
  readonly port: Port;
  readonly pid: number;
  /** What was started: absolute path and arguments. */
  readonly command: readonly string[];
  /** The first 64 KiB of what the agent wrote to stderr so far. */
  stderrHead(): Uint8Array;
  /** Resolves when the process itself ends, whoever still holds its pipes. */
  readonly exited: Promise<Exit>;
  /**
   * Ends the agent and what it started. When it resolves, the port has delivered `eof` and `exit`. Never rejects.
   * A second call returns the first one's report.
   */
  stop(options?: StopOptions): Promise<StopReport>;
}

const stderrHeadBytes = 64 * 1024;
/** How long pipes that someone else still holds may keep an ended process from counting as read to its end. */
const drainMs = 250;

/** @throws UserError (exit code 2) when the command cannot be started or `cwd` is no folder */
export const launch = async (options: LaunchOptions): Promise<Launched> => {
  const { command, args, cwd, env, guardian, maxLineBytes, clock = systemClock } = options;
  const resolved = resolveCommand(command, { cwd, path: env.PATH });
  const argv = [...resolved.args, ...args];
  const id = randomUUID();
  const isMarked = env[runVariable] === guardian.run;
  const child = await start(
    command,
    resolved.file,
    argv,
    cwd,
    isMarked ? { ...env, [launchVariable]: id } : env,
  );
  const pid = child.pid!;

  let exit: Exit | undefined;
  let remnants: readonly ProcessIdentity[] = [];
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      // Only at this moment is it certain that the session with this id is the agent's.
      remnants = processTable.all().filter(row => row.session === pid && !row.zombie);
      resolve(exit);
    });
  });
  const leader = processTable.read(pid);
  if (leader) guardian.tell({ leader: { pid, startTime: leader.startTime } });

  const stderrClosed = closed(child.stderr);
  const outputClosed = closed(child.stdout);
  const head = keepHead(child.stderr);
  const port = streamPort({
    input: child.stdin,
    output: child.stdout,
    stderr: child.stderr,
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    exited: exited.then(async how => {
      await settlesWithin(stderrClosed, drainMs, clock);
      return how;
    }),
  });

  const home = homeMark(env, guardian);
  const selection = (): Selection => ({
    entries: [...(isMarked ? [environmentEntry(launchVariable, id)] : []), ...home.entries()],
    members: remnants,
  });
  const agent: Stoppable = {
    exit: () => exit,
    exited,
    closeInput() {
      const wasOpen = child.stdin.writable;
      port.end();
      return wasOpen;
    },
    signal: signal => signalGroup(pid, signal),
    survivors: () => survivors(selection()).map(row => row.pid),
    killSurvivors() {
      const now = selection();
      for (const row of survivors(now)) signalSurvivor(row, now, 'SIGKILL');
    },
  };

  let stopping: Promise<StopReport> | undefined;
  const stop = async (how: StopOptions): Promise<StopReport> => {
    const report = await climbStopLadder(agent, how, clock);
    home.release();
    await settlesWithin(Promise.all([outputClosed, stderrClosed]), drainMs, clock);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
    await Promise.all([outputClosed, stderrClosed]);
    await new Promise(setImmediate);
    return report;
  };
  return {
    port,
    pid,
    command: [resolved.file, ...argv],
    stderrHead: head,
    exited,
    stop: (how = {}) => {
      stopping ??= stop(how);
      return stopping;
    },
  };
};

const start = async (
  command: string,
  file: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
): Promise<ChildProcessWithoutNullStreams> => {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`cannot start "${command}": its directory ${cwd} is not a folder. Name another.`);
  }
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      detached: platform.ownGroup,
      stdio: 'pipe',
      windowsHide: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new UserError(`cannot start "${command}": ${reasonOf(cause as NodeJS.ErrnoException)} (${file}).`, {
      cause,
    });
  }
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => {
  const reasons: Record<string, string> = {
    ENOENT: 'the system finds no program there',
    EACCES: 'the system refuses to execute it',
    ENOEXEC: 'it is no program for this system',
    E2BIG: 'its arguments and environment are too long',
    EMFILE: 'this process has too many open files',
    EAGAIN: 'the system allows no more processes',
  };
  return reasons[code ?? ''] ?? message;
};

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    platform.signalGroup(pid, signal);
  } catch {
    // It ended in this moment, or changed its user: its exit, or the next rung, decides.
  }
};

const closed = (stream: Readable): Promise<void> =>
  new Promise(resolve => stream.once('close', () => resolve()));

const keepHead = (stderr: Readable): (() => Uint8Array) => {
  const chunks: Buffer[] = [];
  let room = stderrHeadBytes;
  stderr.on('data', (chunk: Buffer) => {
    if (room === 0) return;
    // A copy, so that a short message does not keep the whole read buffer.
    const part = Buffer.from(chunk.subarray(0, room));
    chunks.push(part);
    room -= part.length;
  });
  return () => Buffer.concat(chunks);
};

const homesInUse = new Map<string, number>();

/** A HOME that the run created selects what an agent started, unless another agent has the same HOME at this time. */
const homeMark = ({ HOME }: Environment, guardian: Guardian) => {
  if (HOME === undefined || !guardian.createdHome(HOME)) return { entries: () => [], release: () => {} };
  const count = (change: number): void => {
    const users = (homesInUse.get(HOME) ?? 0) + change;
    if (users === 0) homesInUse.delete(HOME);
    else homesInUse.set(HOME, users);
  };
  count(1);
  return {
    entries: () => (homesInUse.get(HOME) === 1 ? [environmentEntry('HOME', HOME)] : []),
    release: () => count(-1),
  };
};
