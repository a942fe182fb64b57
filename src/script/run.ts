/** Runs instances of scripts over a connection. */
import { parseDuration } from '../base/index.ts';
import { type Port, type PortEvent, valueAt } from '../wire/index.ts';
import { type ActorSide, createActorSide } from './actor-side.ts';
import { builtInValues } from './built-in-values.ts';
import { createDispatch } from './dispatch.ts';
import type { ScriptHost, ScriptResult } from './host.ts';
import type { ScriptInstance } from './instances.ts';
import { createMailbox } from './mailbox.ts';
import type { MatchContext } from './match.ts';
import { createMembers } from './members.ts';
import { createMutator } from './mutate.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Received } from './received.ts';
import { Ending, initialState, mainThread, type Run, type Saved, type Thread } from './run-context.ts';
import { createScheduler, type Running } from './scheduler.ts';
import { schemaTestFor } from './schema-test.ts';
import { endsWithSteps, type Step } from './script.ts';
import { createTraffic } from './traffic.ts';
import { createTrafficLimit, tooMuchTraffic } from './traffic-limit.ts';
import type { Resolve } from './values.ts';
import { pause, runStep, verbOf } from './verbs/index.ts';
import { liveWakes, type Wakes } from './wakes.ts';

/**
 * Runs a script to its end. A client script ends with its last step. An agent script, and a client script that stands
 * on the reference client, ends when the actor behind it exits, or with `exit`, or when the counterparty's output has
 * ended, nobody stands behind it, and no step is left. Rejects only when the first `connect` does.
 */
export const runScript = async (instance: ScriptInstance, host: ScriptHost): Promise<ScriptResult> =>
  (await runScripts([instance], host))[0]!;

/**
 * Runs scenarios one after the other over one connection; more than one only where each of them may share it. One that
 * does not pass, or leaves something unanswered, ends the run: those after it deserve a connection of their own.
 * @returns the results of those that were run, in order; at least one
 */
export const runScripts = (
  instances: readonly ScriptInstance[],
  host: ScriptHost,
): Promise<readonly ScriptResult[]> =>
  runWith(
    instances,
    host,
    liveWakes(host.clock, event => host.note(event)),
  );

/** As `runScripts`, with another source of all that resumes the scripts. */
export const runWith = async (
  instances: readonly ScriptInstance[],
  host: ScriptHost,
  wakes: Wakes,
): Promise<readonly ScriptResult[]> => {
  const fits = host.fits ?? (await schemaTestFor(instances.map(({ script }) => script)));
  const script = prepare(instances, host, fits, wakes);
  script.begin(await host.connect());
  const result = await script.result;
  await script.dispose();
  return result;
};

const prepare = (
  instances: readonly ScriptInstance[],
  host: ScriptHost,
  fits: MatchContext['fits'],
  wakes: Wakes,
) => {
  // Of several, none has handlers, mutations or another role.
  const { script } = instances[0]!;
  const isScenario = endsWithSteps(script);
  const members = createMembers(instances, isScenario ? host.note : () => {});
  const saved = new Map<string, Saved>();
  const threads = new Set<Thread>();
  const timers = new Set<{ cancel(): void }>();
  const state = initialState();
  const mailbox = createMailbox();
  const traffic = createTraffic(frame => actorSide.scriptSent(frame));
  const result = deferred<readonly ScriptResult[]>();
  let port: Port | undefined;
  let outbox: Outbox;
  let actorSide: ActorSide;
  let order = 0;
  /** What the first thread that could not go on makes of a script that goes on without it. */
  let earlier: Ending['result'] | undefined;

  const scheduler = createScheduler({
    settled() {
      mailbox.sweep(dispatch.isWanted);
      if (!isScenario && state.hasEnded && threads.size === 0 && !actorSide.isAlive()) end();
    },
    failed: error => end({ verdict: 'bench-error', reason: String(error) }),
  });
  const end = (ending: Ending['result'] = { verdict: 'done' }): void => {
    scheduler.stop();
    outbox.stop();
    for (const timer of timers) timer.cancel();
    port?.resumeReading?.();
    members.ended(earlier ?? ending, saved);
    result.resolve(members.results);
  };

  // A mock agent serves as long as it is asked.
  const counted = createTrafficLimit(isScenario ? host.maxTraffic : Number.POSITIVE_INFINITY, {
    scheduler,
    reached: wakes.told(() => scheduler.input(() => end(tooMuchTraffic))),
  });

  const savedAs = (thread: Thread | undefined, name: string) => thread?.locals.get(name) ?? saved.get(name);
  const builtIn = builtInValues(host.bindings, traffic);
  const resolve =
    (thread: Thread | undefined): Resolve =>
    ([root = '', ...path]) => {
      const named = savedAs(thread, root);
      return valueAt(named ? named.value() : builtIn(root), path);
    };
  const contextOf = (thread: Thread | undefined): MatchContext => ({
    fits,
    exchange: name => savedAs(thread, name)?.exchange,
  });
  const sees = (thread: Thread, item: Received): boolean =>
    thread.session === undefined ||
    item.kind !== 'frame' ||
    item.session === thread.session ||
    (item.request !== undefined && thread.requests.has(item.request));

  const dispatch = createDispatch({
    handlers: script.handlers ?? [],
    threads,
    mailbox,
    context: contextOf,
    resolve,
    sees,
    startHandler({ steps }, name, item) {
      const locals = new Map<string, Saved>([
        ['request', { value: () => item.frame, item: () => item }],
        ['session', { value: () => traffic.session(item.session) }],
      ]);
      start(name, steps, { locals, session: item.session });
    },
    passToActor: item => actorSide.receive(item),
  });

  const run: Run = {
    get instance() {
      return members.current();
    },
    isContinued: () => members.results.length > 0,
    host,
    state,
    scheduler,
    mailbox,
    traffic,
    wakes: {
      when: wakes.when,
      after(ms, wake) {
        const timer = wakes.after(ms, wake);
        timers.add(timer);
        const cancel = () => {
          timers.delete(timer);
          timer.cancel();
        };
        return { cancel };
      },
    },
    context: contextOf,
    sees,
    saved: savedAs,
    save(thread, name, value) {
      // Concurrent handlers save under the same names; each sees its own.
      if (thread.name !== mainThread) thread.locals.set(name, value);
      saved.set(name, value);
    },
    resolve: (thread, path) => resolve(thread)(path),
    hold: dispatch.hold,
    send: (pieces, mark) => outbox.write(pieces, mark),
    endInput: () => port?.end(),
    pauseReading(time) {
      port?.pauseReading?.();
      run.wakes.after(parseDuration(time, script.id), () => port?.resumeReading?.());
    },
    decide(requirement, evidence) {
      host.judge.exercised(requirement);
      if (evidence) host.judge.violated(requirement, evidence);
      members.decided(requirement, evidence);
    },
    disconnect() {
      port?.resumeReading?.();
      port = undefined;
      outbox.stop();
      void actorSide.dispose();
      Object.assign(state, { connection: state.connection + 1, hasEnded: false, hasExited: false });
      mailbox.clear();
      dispatch.clear();
      traffic.restart();
    },
    async connect(stop) {
      const next = await host.connect(stop);
      return () => attach(next);
    },
    *runSteps(thread, steps, name) {
      const level = { steps, index: 0 };
      thread.levels.push(level);
      for (const [index, step] of steps.entries()) {
        level.index = index;
        host.note({ event: 'step', step: `${name}[${index}] ${verbOf(step)}` });
        yield* runStep(run, thread, step);
        level.index = index + 1;
        dispatch.reconsider();
      }
      thread.levels.pop();
    },
  };

  const attach = (next: Port): void => {
    port = next;
    outbox = createOutbox(next);
    const mutator = createMutator(script.mutate, {
      context: contextOf(undefined),
      resolve: resolve(undefined),
    });
    actorSide = createActorSide({
      host,
      mutator,
      outbox,
      traffic,
      scheduler,
      counted,
      exited(code) {
        host.exit?.(code);
        end();
      },
    });
    next.listen(event => {
      if (port === next) scheduler.input(() => port === next && observe(event));
    });
  };

  const observe = (event: PortEvent): void => {
    if (event.type === 'stderr') {
      counted(event.bytes.length);
      state.stderr = (state.stderr + Buffer.from(event.bytes).toString('utf8')).slice(-65_536);
      return;
    }
    const item = received(event);
    if (!item) return;
    if (event.type === 'line') counted(event.line.bytes.length);
    mailbox.add(item);
    actorSide.notice(item);
    dispatch.route(item);
    actorSide.release(item);
  };

  const received = (event: PortEvent): Received | undefined => {
    order += 1;
    switch (event.type) {
      case 'line': {
        const { line, seq } = event;
        return line.kind === 'frame'
          ? traffic.received(line, order, seq)
          : { kind: 'malformed', order, seq, line };
      }
      case 'eof':
        state.hasEnded = true;
        return { kind: 'eof', order };
      case 'exit':
        state.hasEnded = true;
        state.hasExited = true;
        return { kind: 'exit', order, code: event.code, signal: event.signal };
      default:
        return undefined;
    }
  };

  const start = (
    name: string,
    steps: readonly Step[],
    { locals = new Map(), session }: { locals?: Map<string, Saved>; session?: string | undefined } = {},
  ): void => {
    const thread: Thread = {
      name,
      connection: state.connection,
      locals,
      session,
      requests: new Set(),
      levels: [],
    };
    threads.add(thread);
    scheduler.start(runThread(thread, steps));
  };

  function* runThread(thread: Thread, steps: readonly Step[]): Running {
    try {
      yield* thread.name === mainThread ? runMembers(thread) : run.runSteps(thread, steps, thread.name);
      if (thread.name === mainThread && isScenario) end();
    } catch (error) {
      stopped(thread, error);
    }
    threads.delete(thread);
    dispatch.reconsider();
  }

  function* runMembers(thread: Thread): Running {
    members.begin();
    yield* run.runSteps(thread, script.steps ?? [], thread.name);
    while (members.isMore() && !members.hasFailed() && traffic.isIdle()) {
      // What comes late still belongs to the one that caused it.
      if (traffic.hasPrompted()) yield* pause(run, `${host.settleMs ?? 0}ms`);
      if (state.hasEnded || !traffic.isIdle()) return;
      members.ended({ verdict: 'done' }, saved);
      saved.clear();
      thread.locals.clear();
      mailbox.clear();
      dispatch.clear();
      state.trigger = undefined;
      traffic.next();
      members.begin();
      yield* run.runSteps(thread, members.current().script.steps ?? [], thread.name);
    }
  }

  const stopped = (thread: Thread, error: unknown): void => {
    // What waited for a connection that a restart has ended is over as well.
    if (thread.name !== mainThread && thread.connection !== state.connection) return;
    const isEnding = error instanceof Ending;
    const ending: Ending['result'] = isEnding
      ? error.result
      : { verdict: 'bench-error', reason: error instanceof Error ? error.message : String(error) };
    if (isScenario || (isEnding && error.endsRun)) {
      end(ending);
      return;
    }
    if (ending.verdict !== 'done') earlier ??= ending;
    host.note({ event: 'note', text: `${thread.name} ended: ${ending.reason ?? ending.verdict}` });
  };

  return {
    result: result.promise,
    begin(first: Port) {
      scheduler.input(() => {
        start(mainThread, script.steps ?? []);
        attach(first);
      });
    },
    dispose: () => actorSide.dispose(),
  };
};

const deferred = <T>(): { promise: Promise<T>; resolve(value: T): void } => {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
};
