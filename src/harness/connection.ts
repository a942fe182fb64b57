/** The agent as a process that is spoken to: its frames recorded, its faults told, its end bounded. */
import { benchVersion } from '../base/index.ts';
import { createJournal, type Entry, type Redactor, recordingPort } from '../journal/index.ts';
import { type Environment, type Guardian, launch } from '../process/index.ts';
import {
  type Clock,
  createEndpoint,
  encodeFrame,
  type Json,
  type JsonObject,
  type NotificationMessage,
  type RequestHandler,
  readMessage,
} from '../wire/index.ts';

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
   * agent may write, or with the reason of `signal`.
   * @param answered called when the answer comes, before any later frame is looked at
   */
  request(method: string, params: JsonObject, signal?: AbortSignal, answered?: () => void): Promise<Json>;
  notify(method: string, params: JsonObject): void;
  /** Why nothing more can be asked; undefined while all is well. */
  fault(): string | undefined;
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

/** Frames of either side are no longer than this. */
export const longestFrame = 4 * 1024 * 1024;

/** @throws UserError when the program cannot be started or the journal cannot be made */
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
      throw error;
    },
  );
  journal.append({
    connection: 1,
    channel: 'process',
    from: 'agent',
    what: { event: 'start', command: agent.command, pid: agent.pid },
  });
  const port = recordingPort(agent.port, journal, {
    counterparty: 'agent',
    subject: 'client',
    connection: 1,
  });
  let fault: string | undefined;
  let exit: Exit | undefined;
  let closing: Promise<Closed> | undefined;

  const lose = (reason: string): void => {
    fault ??= reason;
    endpoint.lose(reason);
  };
  const send = (frame: JsonObject): void => {
    const bytes = encodeFrame(frame);
    if (bytes.length > longestFrame) throw new RangeError(`the frame is longer than ${longestFrame} bytes`);
    void port.send(bytes);
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
        lose('the agent closed its output');
        return;
      case 'broken':
        lose('the agent takes no more input');
        return;
      case 'exit':
        exit = { code: event.code, signal: event.signal };
        lose(
          event.signal
            ? `the agent was ended by ${event.signal}`
            : `the agent exited with code ${event.code}`,
        );
        return;
    }
  });

  return {
    request: endpoint.request,
    notify: (method, params) => endpoint.notify(method, params),
    fault: () => fault,
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
