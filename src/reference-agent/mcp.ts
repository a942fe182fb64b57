/** MCP servers of a session, over stdio. Source: ACP v1, Session setup; MCP 2025-06-18, Lifecycle. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { benchVersion } from '../base/index.ts';
import {
  type Clock,
  createFramer,
  encodeFrame,
  errorCode,
  isObject,
  type Json,
  type JsonObject,
} from '../wire/index.ts';
import { invalidParams } from './errors.ts';
import { optionalList, type Params } from './params.ts';

export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface McpConnection {
  /** Resolves when the server's tools are known, or when there is no hope of that. Never rejects. */
  readonly settled: Promise<void>;
  /** Ends the server; resolves when it is gone. */
  close(): Promise<void>;
}

/** Reads `mcpServers`. Servers over http and sse are refused, since this agent does not advertise them. */
export const readServers = (params: Params): readonly McpServer[] =>
  optionalList(params, 'mcpServers').map(entry => {
    if (!isObject(entry)) throw invalidParams('mcpServers must hold objects');
    const { type, name, command, args, env } = entry;
    if (type === 'http' || type === 'sse')
      throw invalidParams('This agent takes stdio MCP servers only', { type });
    if (typeof name === 'string' && typeof command === 'string' && isTextList(args) && isVariableList(env)) {
      return { name, command, args, env: Object.fromEntries(env.map(({ name, value }) => [name, value])) };
    }
    throw invalidParams('An MCP server needs name, command, args and env', { server: entry });
  });

/** Starts the servers at once. One that does not start, or says nothing sensible, is done without. */
export const connectServers = (
  servers: readonly McpServer[],
  cwd: string,
  clock: Clock,
): readonly McpConnection[] => servers.map(server => connect(server, cwd, clock));

const startLimitMs = 10_000;
const endLimitMs = 1_000;

const connect = (server: McpServer, cwd: string, clock: Clock): McpConnection => {
  const child = start(server, cwd);
  if (!child) return { settled: Promise.resolve(), close: () => Promise.resolve() };
  const gone = new Promise<void>(resolve => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  return {
    settled: within(startLimitMs, clock, Promise.race([shakeHands(child), gone])),
    close() {
      child.stdin.end();
      const kill = clock.timer(endLimitMs, () => child.kill('SIGKILL'));
      return gone.finally(() => kill.cancel());
    },
  };
};

/** Undefined for a command that no system can run, such as one with a NUL; a missing one fails later. */
const start = ({ command, args, env }: McpServer, cwd: string): McpProcess | undefined => {
  try {
    return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
};

type McpProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Resolves with the answer to `tools/list`, or as soon as the server refuses. */
const shakeHands = ({ stdin, stdout }: McpProcess): Promise<void> =>
  new Promise(resolve => {
    const send = (frame: JsonObject): void => void stdin.write(encodeFrame({ jsonrpc: '2.0', ...frame }));
    const framer = createFramer({ onLine: line => line.kind === 'frame' && receive(line.value) });
    stdin.on('error', () => {});
    stdout.on('data', chunk => framer.push(chunk));
    send({ id: 1, method: 'initialize', params: initializeParams });

    function receive({ id, method, result }: JsonObject): void {
      if (method !== undefined) {
        if (id !== undefined) send({ id, ...(method === 'ping' ? { result: {} } : { error: noSuchMethod }) });
      } else if (id === 1 && result !== undefined) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      } else resolve();
    }
  });

const initializeParams = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'acp-reference-agent', version: benchVersion() },
};

const noSuchMethod = { code: errorCode.methodNotFound, message: 'Method not found' };

const within = (ms: number, clock: Clock, work: Promise<void>): Promise<void> =>
  new Promise(resolve => {
    const limit = clock.timer(ms, resolve);
    void work.then(() => {
      limit.cancel();
      resolve();
    });
  });

const isTextList = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

const isVariableList = (value: Json | undefined): value is readonly { name: string; value: string }[] =>
  Array.isArray(value) &&
  value.every(item => isObject(item) && typeof item.name === 'string' && typeof item.value === 'string');
