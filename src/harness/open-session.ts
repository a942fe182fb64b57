/** Everything from a selection to a session that takes prompts; whatever goes wrong on the way leaves nothing behind. */
import { realpathSync, statSync } from 'node:fs';
import { UserError } from '../base/index.ts';
import type { Redactor } from '../journal/index.ts';
import { resolveReferences, validateManifest } from '../manifest/index.ts';
import { stderrHeadBytes } from '../process/index.ts';
import { systemClock } from '../wire/index.ts';
import type { AcpAgent } from './acp-agent.ts';
import { childEnvironment } from './child-environment.ts';
import { type AgentConnection, type Closed, connect } from './connection.ts';
import { createSessionFolders, startHost } from './folders.ts';
import { HarnessStartupError, startupFailure } from './harness-error.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { findExecutable, variablesOf } from './lookup.ts';
import type { HarnessOptions } from './options.ts';
import type { ContentBlock } from './prompt.ts';
import { checkReadiness, type ReadinessCode } from './readiness.ts';
import { createRecord, type SessionRecord } from './record.ts';
import { redactionFor } from './redaction.ts';
import { located } from './servers.ts';
import { createSession, type HarnessSession } from './session.ts';
import { type SessionFacts, startUp } from './start-up.ts';
import { timeLimit } from './time-limit.ts';

export const defaultTimeoutMs = 180_000;

/**
 * Starts an agent and brings it to its first prompt.
 * @throws HarnessStartupError; UserError as `runAgent` does
 */
export const openSession = async (agent: AcpAgent, options: HarnessOptions = {}): Promise<HarnessSession> => {
  const opened = await open(agent, [], options);
  if (opened.session) return opened.session;
  throw opened.error;
};

/** A session, or why there is none; in either case what was seen. */
export type Opened = {
  readonly record: SessionRecord | undefined;
  readonly interactions: Interactions | undefined;
  readonly notRedacted: readonly string[];
  readonly stderr: () => string;
} & (
  | { readonly session: HarnessSession; readonly facts: SessionFacts }
  | {
      readonly session: undefined;
      readonly error: HarnessStartupError;
      /** Why it was not even tried. */
      readonly unready?: ReadinessCode;
      readonly closed?: Closed;
    }
);

/** @throws UserError for a time limit that is none, a workspace that is not there, or a journal that cannot be made */
export const open = async (
  agent: AcpAgent,
  prompt: readonly ContentBlock[],
  options: HarnessOptions,
): Promise<Opened> => {
  const { servers = [], clock = systemClock } = options;
  const timeoutMs = timeLimit(options.timeoutMs ?? defaultTimeoutMs);
  const given = options.workspace === undefined ? undefined : givenWorkspace(options.workspace);
  if (options.signal?.aborted) return notStarted(cancelledBefore());
  const readiness = checkReadiness(agent, prompt, options);
  if (readiness.reason !== null) return unready(readiness.reason);

  const { manifest } = validateManifest(agent.manifest);
  const variables = variablesOf(options);
  const executable = findExecutable(manifest.command, variables.PATH);
  // It was there a moment ago.
  if (executable === undefined)
    return notStarted(startupFailure('spawn', 'it is gone', 'ACP harness executable is unavailable'));
  const { redactor, isSecret, notRedacted } = await redactionFor({ manifest, servers, variables });
  const host = options.host ?? (await startHost());
  const { guardian } = host;
  const folders = createSessionFolders(host, given);
  const cleanUp = async (): Promise<boolean> => (options.host ? folders.remove() : host.end());

  const record = createRecord(redactor, clock.now());
  const interactions = createInteractions(options);
  const cwd = folders.workspace;
  const start = startSignal(timeoutMs, options.signal, clock.timer);
  const seen = { record, interactions, notRedacted };
  let connection: AgentConnection | undefined;
  const stderr = (): string => shownHead(connection?.stderr() ?? Buffer.of(), redactor);
  try {
    connection = await connect({
      command: executable,
      args: manifest.args,
      cwd,
      env: childEnvironment({
        executable,
        home: folders.home,
        named: resolveReferences(manifest, variables),
      }),
      guardian,
      redactor,
      ...(options.journalPath !== undefined && { journalPath: options.journalPath }),
      clock,
      onRequest: interactions.serve,
      onNotification: () => {},
      onEntry: entry => {
        record.add(entry);
        if (!options.onFrame) return;
        for (const frame of record.frames([entry]))
          options.onFrame({ ...frame, payload: record.shown(frame.payload) });
      },
    });
    const facts = await startUp({
      agent,
      connection,
      cwd,
      servers: servers.map(server => located(server, variables.PATH)),
      isSecret,
      signal: start.signal,
    });
    start.end();
    const session = createSession({
      facts,
      connection,
      interactions,
      record,
      timeoutMs,
      signal: options.signal,
      timer: clock.timer,
      cleanUp,
    });
    return { ...seen, session, facts, stderr };
  } catch (error) {
    start.end();
    const closed = await connection?.close();
    const isRemoved = await cleanUp();
    const why = start.signal.aborted ? (start.signal.reason as HarnessStartupError) : error;
    if (!(why instanceof HarnessStartupError)) throw why;
    return {
      ...seen,
      session: undefined,
      error: why,
      stderr,
      closed: {
        exit: closed?.exit,
        isRecorded: closed?.isRecorded ?? true,
        isClean: (closed?.isClean ?? true) && isRemoved,
      },
    };
  }
};

const unready = (reason: ReadinessCode): Opened => ({
  ...notStarted(startupFailure('readiness', reason, 'ACP harness is not ready')),
  unready: reason,
});

const cancelledBefore = (): HarnessStartupError =>
  new HarnessStartupError({ stage: 'readiness', reason: 'it was cancelled' }, undefined, 'cancelled');

const notStarted = (error: HarnessStartupError): Opened & { readonly session: undefined } => ({
  ...nothingSeen,
  error,
});

const nothingSeen = {
  record: undefined,
  interactions: undefined,
  notRedacted: [],
  stderr: () => '',
  session: undefined,
} as const;

/** Ends the waiting of a start: at its time limit, or when the user cancels. */
const startSignal = (
  timeoutMs: number,
  user: AbortSignal | undefined,
  timer: (ms: number, fire: () => void) => { cancel(): void },
) => {
  const stop = new AbortController();
  const stopped = (reason: string, how: HarnessStartupError['how']): void =>
    stop.abort(new HarnessStartupError({ stage: 'harness_startup', reason }, undefined, how));
  const limit = timer(timeoutMs, () => stopped(`it was not ready within ${timeoutMs} ms`, 'timed_out'));
  const onAbort = (): void => stopped('it was cancelled', 'cancelled');
  if (user?.aborted) onAbort();
  user?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: stop.signal,
    end() {
      limit.cancel();
      user?.removeEventListener('abort', onAbort);
    },
  };
};

/** Standard error as far as it was kept. A secret that the end of it was cut within is replaced as well. */
const shownHead = (bytes: Uint8Array, redactor: Redactor): string => {
  const text = Buffer.from(bytes).toString('utf8');
  return bytes.length < stderrHeadBytes ? redactor.text(text) : redactor.text(`${text}…`).slice(0, -1);
};

const givenWorkspace = (path: string): string => {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError('is no folder; SDK workspace is unavailable', { place: path });
  return realpathSync(path);
};
