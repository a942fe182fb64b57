/**
 * Stands in an editor's settings in place of the agent: starts the agent, passes every byte on both ways as it comes,
 * and writes a journal on the side. Neither program can tell, and no failure of the recording reaches them.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../base/index.ts';
import type { Redactor } from '../journal/index.ts';
import { resolveCommand } from '../process/index.ts';
import type { Party } from '../wire/index.ts';
import { captureSession, type SessionCapture } from './session-capture.ts';

export interface RecordOptions {
  /** A path, or a name to look up on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** The journal to make. When it cannot be made or written, `stderr` gets one line and the session goes on. */
  readonly journalPath: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Who is to be judged by the journal. Default `agent`. */
  readonly subject?: Party;
  readonly redactor?: Redactor;
  /** Default: those of this process. */
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Signals that are passed on; the agent decides what they mean. */
const passedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** How long after the agent's exit its output may still be open: something that it started can hold it for ever. */
const drainMs = 1000;

/**
 * Runs the session to its end.
 * @returns the agent's exit code; 128 plus the number of the signal when one ended it
 * @throws UserError (exit code 2) when the agent cannot be started; then there is no journal
 */
export const recordSession = async (options: RecordOptions): Promise<number> => {
  const { command, args, journalPath, stdin, stdout, stderr, subject = 'agent', redactor } = options;
  const agent = await start(options);
  const exited = once(agent, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const capture = captureSession({
    journalPath,
    subject,
    ...(redactor ? { redactor } : {}),
    onFailure: reason => stderr.write(`acp-testbench record: ${reason} The session goes on unrecorded.\n`),
  });
  capture.note({ event: 'start', command: [command, ...args], pid: agent.pid! });
  const stopPassing = passSignals(agent, capture);

  passOn(stdin, agent.stdin, 'client', capture);
  passOn(agent.stdout, stdout, 'agent', capture);
  agent.stderr.on('data', capture.stderr);
  agent.stderr.pipe(stderr, { end: false });
  stderr.on('error', () => agent.stderr.destroy());

  const outputs = Promise.all([closed(agent.stdout), closed(agent.stderr)]);
  const [code, signal] = await exited;
  await Promise.race([outputs, delay(drainMs)]);
  agent.stdout.destroy();
  agent.stderr.destroy();
  stdin.destroy();
  await outputs;
  stopPassing();
  capture.note({ event: 'exit', code, signal });
  capture.close();
  await Promise.all([written(stdout), written(stderr)]);
  return code ?? 128 + constants.signals[signal!];
};

const start = async ({
  command,
  args,
  cwd = process.cwd(),
  env = process.env,
}: RecordOptions): Promise<ChildProcessWithoutNullStreams> => {
  const resolved = resolveCommand(command, { cwd, path: env.PATH });
  try {
    const agent = spawn(resolved.file, [...resolved.args, ...args], {
      cwd,
      env,
      stdio: 'pipe',
      windowsHide: true,
      // Some programs decide by the name under which they are called.
      ...(resolved.args.length === 0 ? { argv0: command } : {}),
    });
    await once(agent, 'spawn');
    return agent;
  } catch (cause) {
    throw new UserError(`cannot start "${command}": ${(cause as Error).message}`, { cause });
  }
};

/** Copies bytes as they come, and what happens at either end: an end is passed on, and so is that nobody reads. */
const passOn = (source: Readable, target: Writable, from: Party, capture: SessionCapture): void => {
  source.on('data', (chunk: Uint8Array) => capture.bytes(from, chunk));
  source.once('end', () => {
    capture.ended(from);
    end(target);
  });
  source.once('close', () => end(target));
  source.on('error', () => source.destroy());
  target.on('error', (error: NodeJS.ErrnoException) => {
    if (from === 'client') capture.note({ event: 'broken', reason: error.code ?? error.message });
    source.destroy();
  });
  source.pipe(target, { end: false });
};

/** `end` leaves this process's own standard output open, but its reader must learn that the agent's has ended. */
const end = (target: Writable): void => {
  if (target !== process.stdout) target.end();
  else if (!isOutputClosed) {
    isOutputClosed = true;
    target.write('', () => closeSync(process.stdout.fd));
  }
};

let isOutputClosed = false;

const passSignals = (agent: ChildProcessWithoutNullStreams, capture: SessionCapture): (() => void) => {
  const pass = (signal: NodeJS.Signals): void => {
    capture.note({ event: 'signal-sent', signal });
    agent.kill(signal);
  };
  for (const signal of passedSignals) process.on(signal, pass);
  return () => {
    for (const signal of passedSignals) process.off(signal, pass);
  };
};

const closed = (stream: Readable): Promise<void> =>
  new Promise(resolve => stream.once('close', () => resolve()));

/** Resolves when everything is with the reader, or nobody reads. */
const written = (target: Writable): Promise<void> =>
  new Promise(resolve => {
    if (target.destroyed || target.writableFinished || target.writableLength === 0) return resolve();
    target.once('close', () => resolve());
    if (target.writableEnded) target.once('finish', () => resolve());
    else target.write('', () => resolve());
  });

const delay = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms).unref();
  });
