/** The agent as a process that is spoken to: its frames recorded, its faults told, its end bounded. */
import { benchVersion, UserError } from '../base/index.ts';
import { createJournal, type Entry, type Redactor, recordingPort } from '../journal/index.ts';
import { type Environment, type Guardian, launch } from '../process/index.ts';
import {
  type Clock,
  createEndpoint,
  encodeFrame,
  errorCode,
  type Json,
  type JsonObject,
  type NotificationMessage,
  type Port,
  type RequestHandler,
  readMessage,
} from '../wire/index.ts';
import { startupFailure } from './harness-error.ts';

export interface ConnectionOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The workspace. */
  readonly cwd: string;
  readonly env: Environment;
  readonly guardian: Guardian;
  readonly redactor: Redactor;
  readonly journalPath?: string;
  readonly clock: Clock;
  readonly onRequest: RequestHandler;
  /** Gets every entry as it is recorded, not yet redacted. */
  readonly onEntry: (entry: Entry) => void;
  readonly onNotification: (notification: NotificationMessage) => void;
}

export interface AgentConnection {
  /**
   * Resolves with the result. Rejects with `ResponseError`, with `ConnectionLost` when the agent is gone or wrote what no
   * agent may write, with `FrameTooLong`, or with the reason of `signal`.
   * @param answered called when the answer comes, before any later frame is looked at
   */
  request(method: string, params: JsonObject, signal?: AbortSignal, answered?: () => void): Promise<Json>;
  notify(method: string, params: JsonObject): void;
  /** Why nothing more can be asked; undefined while all is well. */
  fault(): string | undefined;
  /** The agent closed its output, or exited, before it was asked to end. */
  hasLeft(): boolean;
  /** The first 64 KiB of standard error. */
  stderr(): Uint8Array;
  exit(): Exit | undefined;
  /** Ends the process and what it started, within bounds. The second call gives what the first gave. */
  close(): Promise<Closed>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Closed {
  readonly exit: Exit | undefined;
  /** The process could not be ended, or left something behind that could not. */
  readonly isClean: boolean;
  /** The journal could not be written in full. */
  readonly isRecorded: boolean;
}

/** Bytes; frames of either side are no longer than this. */
export const longestFrame = 4 * 1024 * 1024;

/** What was to be sent is longer than a frame may be; nothing was sent. */
export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong';
}

/** What an agent that has ended still holds in its pipes is there by then, whoever else holds them. */
const drainMs = 250;
/** Of what comes after a fault no more is recorded: some agents write without end. */
const mostAfterFault = 1024 * 1024;

/** @throws HarnessStartupError when the program cannot be started; UserError when the journal cannot be made */
export const connect = async (options: ConnectionOptions): Promise<AgentConnection> => {
  const { command, args, cwd, env, guardian, redactor, journalPath, clock, onEntry } = options;
  let isRecorded = true;
  const journal = createJournal({
    header: {
      journal: 'acp-testbench/1',
      bench: benchVersion(),
      run: guardian.run,
      startedAt: new Date().toISOString(),
      subject: 'client',
    },
    ...(journalPath !== undefined && { path: journalPath }),
    redactor,
    clock,
    onEntry,
    onFailure: () => {
      isRecorded = false;
    },
  });
  const agent = await launch({ command, args, cwd, env, guardian, maxLineBytes: longestFrame, clock }).catch(
    error => {
      journal.close();
      throw error instanceof UserError ? startupFailure('spawn', redactor.text(error.message)) : error;
    },
  );
  journal.append({
    connection: 1,
    channel: 'process',
    from: 'agent',
    what: { event: 'start', command: agent.command, pid: agent.pid },
  });
  let fault: string | undefined;
  let exit: Exit | undefined;
  let hasLeft = false;
  let closing: Promise<Closed> | undefined;
  const port = recordingPort(
    calmAfter(() => fault !== undefined, agent.port),
    journal,
    {
      counterparty: 'agent',
      subject: 'client',
      connection: 1,
    },
  );

  const lose = (reason: string): void => {
    fault ??= reason;
    endpoint.lose(reason);
  };
  let waiting: { cancel(): void } | undefined;
  /** How the process ended says more, and comes soon if it comes at all. */
  const loseSoon = (reason: string): void => {
    hasLeft ||= closing === undefined;
    waiting ??= clock.timer(drainMs, () => lose(exit ? endOf(exit) : reason));
  };
  const send = (frame: JsonObject): void => {
    const bytes = encodeFrame(frame);
    if (bytes.length <= longestFrame) void port.send(bytes);
    else if (frame.method !== undefined) throw new FrameTooLong(`${bytes.length} bytes`);
    // A request of the agent gets an answer all the same.
    else void port.send(encodeFrame({ jsonrpc: '2.0', id: frame.id, error: tooLongAnswer }));
  };
  const endpoint = createEndpoint(send, {
    onRequest: options.onRequest,
    onNotification: options.onNotification,
  });

  port.listen(event => {
    switch (event.type) {
      case 'line':
        // What no agent may write ends the conversation: nothing is answered to it, nor to what follows.
        if (fault !== undefined) return;
        if (event.line.kind === 'malformed') {
          lose(`the agent wrote a line that is no frame (${event.line.fault})`);
          return;
        }
        endpoint.receive(event.line, readMessage(event.line.value));
        return;
      case 'eof':
        loseSoon('the agent closed its output');
        return;
      case 'broken':
        loseSoon('the agent takes no more input');
        return;
      case 'exit':
        exit = { code: event.code, signal: event.signal };
        hasLeft ||= closing === undefined;
        waiting?.cancel();
        lose(endOf(exit));
        return;
    }
  });
  // Something that it started may hold its output open for as long as it likes.
  void agent.exited.then(how => {
    exit ??= how;
    loseSoon(endOf(how));
  });

  return {
    request: endpoint.request,
    notify: (method, params) => endpoint.notify(method, params),
    fault: () => fault,
    hasLeft: () => hasLeft,
    stderr: agent.stderrHead,
    exit: () => exit,
    close() {
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<Closed> {
    const report = await agent.stop({
      graceMs: { eof: 750, SIGTERM: 250, SIGKILL: 1000 },
      settleMs: 250,
      onEvent: what => void journal.append({ connection: 1, channel: 'process', from: 'agent', what }),
    });
    try {
      journal.close();
    } catch {
      isRecorded = false;
    }
    return { exit: report.exit, isClean: report.exit !== undefined, isRecorded };
  }
};

const endOf = ({ code, signal }: Exit): string =>
  signal ? `the agent was ended by ${signal}` : `the agent exited with code ${code}`;

const tooLongAnswer: JsonObject = {
  code: errorCode.internalError,
  message: 'Internal error',
  data: { details: `the answer is longer than ${longestFrame} bytes` },
};

/** Leaves out what comes after a fault, but for the first of it. */
const calmAfter = (isFaulty: () => boolean, port: Port): Port => {
  let left = mostAfterFault;
  return {
    ...port,
    listen(listener) {
      port.listen(event => {
        if (isFaulty() && (event.type === 'line' || event.type === 'stderr')) {
          left -= event.type === 'line' ? event.line.bytes.length : event.bytes.length;
          if (left < 0) return;
        }
        listener(event);
      });
    },
  };
};
