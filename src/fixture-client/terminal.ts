/** One command that runs in a terminal of the agent. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type Clock, errorCode, ResponseError } from '../wire/index.ts';
import { createOutputTail } from './output-tail.ts';

export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Bytes of output to keep. */
  readonly outputByteLimit: number;
}

export type ExitStatus = { readonly exitCode: number | null; readonly signal: string | null };

export interface Terminal {
  read(): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: ExitStatus };
  /** Resolves when the command ended and its output is in. */
  readonly ended: Promise<ExitStatus>;
  /** Ends the command and all in its process group; what it wrote can still be read. Resolves with `ended`. */
  kill(): Promise<void>;
  /** As `kill`, and lets go of the output, also where a descendant still holds it. */
  release(): Promise<void>;
}

/** How long after the exit output is awaited that a descendant, which may live on, holds open. */
const drainMs = 200;

/** Resolves as soon as the command runs. Throws -32602 when it cannot be started. */
export const startTerminal = async (options: TerminalCommand, clock: Clock): Promise<Terminal> => {
  const child = await started(options);
  const tail = createOutputTail(options.outputByteLimit);
  const streams = [child.stdout, child.stderr].filter(stream => stream !== null);
  for (const stream of streams) pour(stream, tail.add);

  let isClosed = false;
  let exitStatus: ExitStatus | undefined;
  const ended = new Promise<ExitStatus>(resolve => {
    let status: ExitStatus = { exitCode: null, signal: null };
    let patience: { cancel(): void } | undefined;
    const finish = (): void => {
      patience?.cancel();
      exitStatus = status;
      resolve(status);
    };
    child.once('exit', (exitCode, signal) => {
      status = { exitCode, signal };
      patience = clock.timer(drainMs, finish);
    });
    child.once('close', () => {
      isClosed = true;
      finish();
    });
  });

  // Its group outlives the command as long as anything in it holds the output; later the number could be another's.
  const kill = async (): Promise<void> => {
    if (!isClosed) killGroup(child);
    await ended;
  };

  return {
    read: () => ({ ...tail.read(), ...(exitStatus && { exitStatus }) }),
    ended,
    kill,
    async release() {
      await kill();
      for (const stream of streams) stream.destroy();
    },
  };
};

const started = ({ command, args, env, cwd }: TerminalCommand): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const refuse = (error: Error): void =>
      reject(new ResponseError(errorCode.invalidParams, `cannot start ${command}: ${error.message}`));
    try {
      const child = spawn(command, args, {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own, so that it can be ended with its descendants.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      child.once('spawn', () => resolve(child));
      child.once('error', refuse);
    } catch (error) {
      refuse(error as Error);
    }
  });

/** Decodes on its own, so that a character which is split over two writes survives what the other stream writes between. */
const pour = (stream: Readable, add: (text: string) => void): void => {
  const decoder = new StringDecoder('utf8');
  stream.on('data', (bytes: Buffer) => add(decoder.write(bytes)));
  stream.on('end', () => add(decoder.end()));
  stream.on('error', () => {});
};

const killGroup = (child: ChildProcess): void => {
  if (process.platform === 'win32' || child.pid === undefined) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing is left of the group.
  }
};
