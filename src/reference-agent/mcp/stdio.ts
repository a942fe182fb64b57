import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Clock, createPeer, methodNotFound, streamPort } from '../../wire/index.ts';
import { endLimitMs, type McpConnection, shakeHands } from './connection.ts';

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
}

/** The server runs in the session's cwd. It ends when its input ends, or is killed. */
export const connectStdio = (server: StdioServer, cwd: string, clock: Clock): McpConnection => {
  const child = start(server, cwd);
  if (!child) return { settled: Promise.resolve(), close: () => Promise.resolve() };
  const gone = new Promise<void>(resolve => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const peer = createPeer(streamPort({ input: child.stdin, output: child.stdout }), {
    onRequest: request => (request.method === 'ping' ? {} : methodNotFound(request)),
  });
  return {
    settled: shakeHands(peer, clock),
    close() {
      peer.end();
      const kill = clock.timer(endLimitMs, () => child.kill('SIGKILL'));
      return gone.finally(() => kill.cancel());
    },
  };
};

/** Undefined for a command that no system can run, such as one with a NUL; a missing one fails later. */
const start = (
  { command, args, env }: StdioServer,
  cwd: string,
): ChildProcessByStdio<Writable, Readable, null> | undefined => {
  try {
    return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
};
