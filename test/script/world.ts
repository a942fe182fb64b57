/** A script, a hand-written counterparty at the other end of an in-memory pair, and a clock that never makes one wait. */
import assert from 'node:assert/strict';
import type { Entry } from '../../src/journal/index.ts';
import { createJournal, recordingPort } from '../../src/journal/index.ts';
import {
  compileScript,
  defineScript,
  instancesOf,
  replayScripts,
  runScript,
  type Script,
  type ScriptBindings,
  type ScriptHost,
  type ScriptInstance,
  type ScriptResult,
} from '../../src/script/index.ts';
import {
  type ActorFactory,
  type Clock,
  createPortPair,
  encodeFrame,
  isObject,
  type Json,
  type JsonObject,
  type Line,
  type Port,
} from '../../src/wire/index.ts';

/** The other side: what it does is up to the test. */
export interface Other {
  readonly connection: number;
  send(frame: JsonObject): void;
  answer(request: JsonObject, result: Json): void;
  refuse(request: JsonObject, code: number, message?: string): void;
  write(bytes: string | Uint8Array): void;
  end(): void;
  /** As a process would: its output ends, then it exits. */
  exit(code: number): void;
  stderr(text: string): void;
}

export type OnFrame = (frame: JsonObject, other: Other) => void;

export interface World {
  readonly result: ScriptResult;
  readonly entries: readonly Entry[];
  readonly instance: ScriptInstance;
  /** Frames that the script's side sent, in order. */
  readonly sent: readonly JsonObject[];
  /** Lines that the other side received, malformed ones too. */
  readonly lines: readonly Line[];
  readonly exercised: readonly string[];
  readonly notes: readonly string[];
  /** `started eof kill …` */
  readonly calls: readonly string[];
}

export interface Options {
  readonly onFrame?: OnFrame;
  readonly onStart?: (other: Other) => void;
  readonly onEnd?: (other: Other) => void;
  readonly actor?: ActorFactory;
  readonly bindings?: Partial<ScriptBindings>;
  readonly instance?: number;
  readonly host?: Partial<ScriptHost>;
  /** Off for what leaves no trace in a journal. */
  readonly replays?: boolean;
}

export const bindings: ScriptBindings = { workspace: '/work/space', home: '/home/bench', bench: '9.9.9' };
export const timeoutMs = 5000;

/** Runs a script; then runs it again over its journal, which must decide alike. */
export const run = async (
  script: Partial<Script>,
  {
    onFrame = () => {},
    onStart,
    onEnd,
    actor,
    instance: index = 0,
    host,
    replays = true,
    ...given
  }: Options = {},
): Promise<World> => {
  const compiled = await compileScript(
    defineScript({ id: 'test/script', title: 'A test', role: 'client', ...script }),
  );
  const instance = instancesOf(compiled)[index]!;
  const bound = { ...bindings, ...given.bindings };
  const entries: Entry[] = [];
  const lines: Line[] = [];
  const exercised: string[] = [];
  const notes: string[] = [];
  const calls: string[] = [];
  const journal = createJournal({
    header: {
      journal: 'acp-testbench/1',
      bench: '9.9.9',
      run: 'run',
      startedAt: '2026-01-01T00:00:00Z',
      subject: 'agent',
    },
    onEntry: entry => void entries.push(entry),
  });
  const clock = idleClock();
  let connection = 0;
  const counterparty = instance.script.role === 'client' ? 'agent' : 'client';
  const result = await runScript(instance, {
    async connect(restart) {
      connection += 1;
      calls.push(restart ?? 'started');
      const [mine, theirs] = createPortPair();
      const events = withProcess(mine, clock.touch);
      const other = otherSide(theirs, connection, events);
      theirs.listen(event => {
        if (event.type === 'eof') onEnd?.(other);
        if (event.type !== 'line') return;
        lines.push(event.line);
        if (event.line.kind === 'frame') onFrame(event.line.value, other);
      });
      onStart?.(other);
      return recordingPort(events.port, journal, { counterparty, connection });
    },
    clock,
    judge: {
      exercised: id => void exercised.push(id),
      violated() {},
    },
    bindings: bound,
    timeoutMs,
    note(what) {
      if (what.event === 'note' || what.event === 'trigger') notes.push(JSON.stringify(what));
      journal.append({ channel: 'bench', connection: Math.max(1, connection), what });
    },
    ...(actor && { actor }),
    stderr: text => void calls.push(`stderr ${text}`),
    exit: code => void calls.push(`exit ${code}`),
    stopReading: () => void calls.push('stopReading'),
    ...host,
  });
  if (replays) {
    const replay = await replayScripts([instance], entries, {
      judge: silentJudge,
      bindings: bound,
      timeoutMs,
      ...(host?.maxTraffic !== undefined && { maxTraffic: host.maxTraffic }),
    });
    assert.deepEqual(replay.mismatches, []);
    assert.deepEqual(replay.results, [result]);
  }
  const sent = entries.flatMap(entry =>
    entry.channel === 'acp' && entry.from === instance.script.role && entry.line.kind === 'frame'
      ? [entry.line.value]
      : [],
  );
  return { result, entries, instance, sent, lines, exercised, notes, calls };
};

export const silentJudge = { exercised() {}, violated() {} };

/** Steps after `initialize` and `new-session: {as: s}` with an agent that takes both. */
export const inSession = (steps: Script['steps'], more: Partial<Script> = {}): Partial<Script> => ({
  ...more,
  steps: [{ initialize: {} }, { 'new-session': { as: 's' } }, ...(steps ?? [])],
});

/** Answers initialize and session/new; the rest is for `next`. */
export const agent =
  (next: OnFrame = () => {}): OnFrame =>
  (frame, other) => {
    if (frame.method === 'initialize') other.answer(frame, { protocolVersion: 1, agentCapabilities: {} });
    else if (frame.method === 'session/new') other.answer(frame, { sessionId: 's-1' });
    else next(frame, other);
  };

export const update = (text: string, sessionId = 's-1'): JsonObject => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  },
});

export const permissionRequest = (id: Json, sessionId = 's-1'): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'session/request_permission',
  params: { sessionId, options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] },
});

/** Ids of what was decided: `+CANCEL-02` kept, `-CANCEL-02` violated. */
export const decisions = ({ result }: World): string =>
  result.decided.map(({ requirement, outcome }) => (outcome === 'pass' ? '+' : '-') + requirement).join(' ');

/** An actor that answers every request with `result`, and what it got. */
export const answering = (result: Json = {}): { factory: ActorFactory; got: string[] } => {
  const got: string[] = [];
  return {
    got,
    factory: host => ({
      receive(line, message) {
        if (line.kind === 'malformed') got.push(`malformed ${line.fault}`);
        else got.push(String(line.value.method ?? `response ${line.value.id}`));
        if (message?.type === 'request') host.send({ jsonrpc: '2.0', id: message.id, result });
      },
      ended() {
        got.push('eof');
        host.exit(0);
      },
      dispose: async () => void got.push('disposed'),
    }),
  };
};

/**
 * A clock whose timers fire in order of their time, each when nothing was sent for some turns of the event
 * loop: what is not awaited in real time cannot be late.
 */
const idleClock = (): Clock & { touch(): void } => {
  let now = 0;
  let timers: { at: number; fire: () => void }[] = [];
  let idle = 0;
  let isTurning = false;
  const turn = () => {
    idle += 1;
    if (idle > 30) {
      idle = 0;
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (next) {
        timers = timers.filter(timer => timer !== next);
        now = next.at;
        next.fire();
      }
    }
    isTurning = timers.length > 0;
    if (isTurning) setImmediate(turn);
  };
  return {
    touch() {
      idle = 0;
    },
    now: () => now,
    timer(ms, fire) {
      const timer = { at: now + ms, fire };
      timers.push(timer);
      idle = 0;
      if (!isTurning) {
        isTurning = true;
        setImmediate(turn);
      }
      return {
        cancel() {
          timers = timers.filter(other => other !== timer);
        },
      };
    },
  };
};

/** A Port of a pair that can also tell what a process does beside its output. */
const withProcess = (port: Port, touched: () => void) => {
  let emit: Parameters<Port['listen']>[0] = () => {};
  return {
    emit: (event: Parameters<typeof emit>[0]) => setImmediate(() => emit(event)),
    port: {
      ...port,
      send(...given: Parameters<Port['send']>) {
        touched();
        return port.send(...given);
      },
      listen(listener: typeof emit) {
        emit = listener;
        port.listen(listener);
      },
    },
  };
};

const otherSide = (port: Port, connection: number, events: ReturnType<typeof withProcess>): Other => {
  const send = (frame: JsonObject) => void port.send(encodeFrame(frame));
  return {
    connection,
    send,
    answer: ({ id = null }, result) => send({ jsonrpc: '2.0', id, result }),
    refuse: ({ id = null }, code, message = 'no') => send({ jsonrpc: '2.0', id, error: { code, message } }),
    write: bytes => void port.send(Buffer.from(bytes as string)),
    end: () => port.end(),
    exit(code) {
      port.end();
      setImmediate(() => events.emit({ type: 'exit', code, signal: null }));
    },
    stderr: text => events.emit({ type: 'stderr', bytes: Buffer.from(text) }),
  };
};

export const paramsOf = (frame: JsonObject | undefined): JsonObject =>
  isObject(frame?.params) ? frame.params : {};
