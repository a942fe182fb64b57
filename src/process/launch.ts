/** Starts an agent without a shell, carries its frames, and ends it together with all that it started. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Clock, type Port, streamPort, systemClock } from '../wire/index.ts';
import { descendantsOf } from './descendants.ts';
import type { Environment } from './environment.ts';
import { environmentEntry, launchVariable, runVariable } from './marks.ts';
import { platform } from './platform.ts';
import { processTable } from './process-table.ts';
import { resolveCommand } from './resolve-command.ts';
import { spawnProgram } from './spawn-program.ts';
import type { Guardian } from './start-guardian.ts';
import {
  climbStopLadder,
  type Exit,
  type StopOptions,
  type Stoppable,
  type StopReport,
  settlesWithin,
} from './stop-ladder.ts';

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

/** So much of standard error is kept for people. */
export const stderrHeadBytes = 64 * 1024;
/** How long pipes that someone else still holds may keep an ended process from counting as read to its end. */
const drainMs = 250;

/** @throws UserError (exit code 2) when the command cannot be started or `cwd` is no folder */
export const launch = async (options: LaunchOptions): Promise<Launched> => {
  const { command, args, cwd, env, guardian, maxLineBytes, clock = systemClock } = options;
  const resolved = resolveCommand(command, { cwd, path: env.PATH });
  const argv = [...resolved.args, ...args];
  const id = randomUUID();
  const mark = env[runVariable] === guardian.run ? { [launchVariable]: id } : undefined;
  const child = await spawnProgram(command, resolved.file, argv, cwd, { ...env, ...mark });
  const pid = child.pid!;
  const leader = processTable.read(pid);
  if (leader) guardian.tell({ leader: { pid, startTime: leader.startTime } });

  const descendants = descendantsOf(pid, mark && environmentEntry(launchVariable, id), env, guardian);
  let exit: Exit | undefined;
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      descendants.rememberSession();
      resolve(exit);
    });
  });

  const stderrClosed = closed(child.stderr);
  const outputClosed = closed(child.stdout);
  const stderrHead = keepHead(child.stderr);
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

  const agent: Stoppable = {
    exit: () => exit,
    exited,
    closeInput() {
      const wasOpen = child.stdin.writable;
      port.end();
      return wasOpen;
    },
    signal: signal => signalGroup(pid, signal),
    survivors: descendants.pids,
    killSurvivors: descendants.kill,
  };
  const stop = async (how: StopOptions): Promise<StopReport> => {
    if (!exit) descendants.rememberTree();
    const report = await climbStopLadder(agent, how, clock);
    descendants.release();
    const pipesClosed = Promise.all([outputClosed, stderrClosed]);
    await settlesWithin(pipesClosed, drainMs, clock);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
    await pipesClosed;
    // The port hears of it in the same turn of the event loop.
    await new Promise(setImmediate);
    return report;
  };

  let stopping: Promise<StopReport> | undefined;
  return {
    port,
    pid,
    command: [resolved.file, ...argv],
    stderrHead,
    exited,
    stop: (how = {}) => {
      stopping ??= stop(how);
      return stopping;
    },
  };
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
