/** `terminal/*`: the terminals of one connection, each known to its session alone. Source: ACP v1, Terminals. */
import { stat } from 'node:fs/promises';
import { type Clock, errorCode, isObject, type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import { confinedPath } from './confined-path.ts';
import { optionalCount, optionalList, optionalText, text, unfit } from './params.ts';
import { startTerminal, type Terminal } from './terminal.ts';

type Served = (params: JsonObject, roots: readonly string[], signal: AbortSignal) => Promise<Json>;

export interface Terminals
  extends Readonly<Record<'create' | 'output' | 'waitForExit' | 'kill' | 'release', Served>> {
  /** Ends every command. Resolves when none is left. */
  dispose(): Promise<void>;
}

/** Output kept where the agent sets no limit: far more than a model reads. */
const defaultOutputByteLimit = 16 * 1024 * 1024;
/** More is not kept, whatever limit the agent sets: half of what a line may hold. */
const mostOutputBytes = 32 * 1024 * 1024;

/** @param environment what every command gets, beneath what the agent sets */
export const createTerminals = (
  clock: Clock,
  environment: Readonly<Record<string, string>> = ownBasics(),
): Terminals => {
  const terminals = new Map<string, { readonly sessionId: string; readonly terminal: Terminal }>();
  /** Starts and releases that are not finished, so that no command escapes `dispose`. */
  const underway = new Set<Promise<unknown>>();
  let count = 0;
  let isDisposed = false;

  return {
    async create(params, roots) {
      if (isDisposed) throw new ResponseError(errorCode.internalError, 'the client is shutting down');
      return track(startFor(params, roots));
    },

    output: async params => found(params).terminal.read(),

    async waitForExit(params, _roots, signal) {
      const cancelled = new Promise<never>((_, reject) => {
        const refuse = (): void =>
          reject(new ResponseError(errorCode.requestCancelled, 'the request was cancelled'));
        signal.addEventListener('abort', refuse, { once: true });
      });
      return await Promise.race([found(params).terminal.ended, cancelled]);
    },

    async kill(params) {
      await found(params).terminal.kill();
      return {};
    },

    async release(params) {
      const { terminalId, terminal } = found(params);
      terminals.delete(terminalId);
      await track(terminal.release());
      return {};
    },

    async dispose() {
      isDisposed = true;
      await Promise.allSettled(underway);
      await Promise.all([...terminals.values()].map(({ terminal }) => terminal.release()));
      terminals.clear();
    },
  };

  async function track<T>(work: Promise<T>): Promise<T> {
    underway.add(work);
    return work.finally(() => underway.delete(work));
  }

  async function startFor(params: JsonObject, roots: readonly string[]): Promise<Json> {
    const cwd = await confinedPath('cwd', optionalText(params, 'cwd') ?? roots[0] ?? '', roots);
    const isFolder = await stat(cwd).then(
      stats => stats.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new ResponseError(errorCode.resourceNotFound, `there is no folder at ${cwd}`);
    const terminal = await startTerminal(
      {
        command: text(params, 'command'),
        args: optionalList(params, 'args', arg => (typeof arg === 'string' ? arg : unfit('args', 'strings'))),
        env: { ...environment, ...Object.fromEntries(optionalList(params, 'env', variable)) },
        cwd,
        outputByteLimit: Math.min(
          optionalCount(params, 'outputByteLimit') ?? defaultOutputByteLimit,
          mostOutputBytes,
        ),
      },
      clock,
    );
    const terminalId = `terminal-${++count}`;
    terminals.set(terminalId, { sessionId: text(params, 'sessionId'), terminal });
    return { terminalId };
  }

  function found(params: JsonObject): { terminalId: string; terminal: Terminal } {
    const terminalId = text(params, 'terminalId');
    const entry = terminals.get(terminalId);
    if (entry?.sessionId !== text(params, 'sessionId')) {
      throw new ResponseError(
        errorCode.resourceNotFound,
        `there is no terminal ${terminalId} in this session`,
      );
    }
    return { terminalId, terminal: entry.terminal };
  }
};

const variable = (item: Json): [string, string] =>
  isObject(item) ? [text(item, 'name'), text(item, 'value')] : unfit('env', 'objects with name and value');

/** Enough to find and run a command, and none of the secrets that our own environment may hold. */
const ownBasics = (): Record<string, string> => {
  const names = ['PATH', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'PATHEXT', 'TEMP'];
  return Object.fromEntries(names.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
};
