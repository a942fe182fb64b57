/** A mock agent as subject, in this process: many runs in little time, with the same bytes as between processes. */

import { type Place, type Started, type Subject, writeFiles } from '../../src/bench/subject.ts';
import { runMockAgent } from '../../src/mock-agent/index.ts';
import { memoryStore, type SessionStore } from '../../src/reference-agent/index.ts';
import type { ScriptInstance } from '../../src/script/index.ts';
import {
  type Clock,
  createEventQueue,
  createPortPair,
  type Port,
  type PortEvent,
  systemClock,
} from '../../src/wire/index.ts';

export interface ScriptedSubjectOptions {
  readonly instance: ScriptInstance;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly createHome: () => string;
  readonly createWorkspace: () => string;
}

export const scriptedSubject = ({
  instance,
  clock = systemClock,
  createHome,
  createWorkspace,
}: ScriptedSubjectOptions): Subject => {
  let processes = 0;
  const stores = new Map<string, SessionStore>();
  return {
    party: 'agent',
    command: ['acp-testbench', 'mock-agent', instance.id],
    createPlace(files) {
      const place = { home: createHome(), workspace: createWorkspace() };
      stores.set(place.home, memoryStore());
      writeFiles(place.workspace, files);
      return place;
    },
    async start(place) {
      processes += 1;
      return startScripted(instance, place, {
        token: `process-${processes}`,
        store: stores.get(place.home)!,
        time: clock,
      });
    },
  };
};

interface Agent {
  readonly token: string;
  readonly store: SessionStore;
  readonly time: Clock;
}

const startScripted = (instance: ScriptInstance, { home }: Place, { token, store, time }: Agent): Started => {
  const [clientEnd, agentEnd] = createPortPair();
  const clock = stoppableClock(time);
  const { port, tell } = withExit(clientEnd);
  const stderr = (text: string): void => tell({ type: 'stderr', bytes: Buffer.from(text) });
  let isGone = false;
  let gone: () => void = () => {};
  const ended = new Promise<void>(resolve => {
    gone = resolve;
  });
  const leave = (code: number | null, signal: string | null): void => {
    if (isGone) return;
    isGone = true;
    clock.stop();
    agentEnd.end();
    // What the agent wrote before it went is read before its exit is seen.
    setImmediate(() => {
      tell({ type: 'exit', code, signal });
      gone();
    });
  };
  void runMockAgent(instance, {
    port: agentEnd,
    home,
    token,
    store,
    clock,
    now: () => new Date(startOfTime + time.now()),
    stderr,
    exit: code => leave(code, null),
    stopReading: () => agentEnd.listen(() => {}),
  }).then(() => leave(0, null));

  return {
    port,
    start: { event: 'start', command: ['acp-testbench', 'mock-agent', instance.id] },
    async stop(from, onEvent) {
      if (from === 'eof' && !isGone) {
        onEvent({ event: 'input-closed' });
        clientEnd.end();
        await settles(ended, time);
      }
      if (!isGone) {
        onEvent({ event: 'signal-sent', signal: 'SIGKILL' });
        leave(null, 'SIGKILL');
      }
      await ended;
    },
  };
};

/** Gives an agent that is not a process the rest of this turn of the event loop, and a little more, to end. */
const settles = async (ended: Promise<void>, time: Clock): Promise<void> => {
  let timer: { cancel(): void } | undefined;
  const grace = new Promise<void>(resolve => {
    timer = time.timer(graceMs, resolve);
  });
  await Promise.race([ended, grace]);
  timer?.cancel();
};

const graceMs = 100;

/** What the wall clock of an agent shows when its clock shows 0. */
const startOfTime = Date.now() - systemClock.now();

/** A Port that also tells of an exit and of stderr, as that of a process does. */
const withExit = (port: Port): { readonly port: Port; readonly tell: (event: PortEvent) => void } => {
  const events = createEventQueue();
  port.listen(events.emit);
  const { emit, ...reading } = events;
  return { port: { ...port, ...reading }, tell: emit };
};

/** A clock whose timers all die with the agent. */
const stoppableClock = (time: Clock): Clock & { stop(): void } => {
  const timers = new Set<{ cancel(): void }>();
  let isStopped = false;
  return {
    now: time.now,
    timer(ms, fire) {
      if (isStopped) return { cancel() {} };
      const timer = time.timer(ms, () => {
        timers.delete(timer);
        fire();
      });
      timers.add(timer);
      return {
        cancel() {
          timers.delete(timer);
          timer.cancel();
        },
      };
    },
    stop() {
      isStopped = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
};
