/** The verbs by name. */
import { Ending, type Run, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Step } from '../script.ts';
import { assert, either } from './decide.ts';
import { awaitSignal, collect, expect, quiet, stderr } from './receive.ts';
import { notify, raw, request, respond } from './send.ts';
import { initialize, newSession, restart } from './set-up.ts';
import type { StepOf } from './waiting.ts';

export { pause } from './waiting.ts';

type Verbs = {
  readonly [Verb in VerbName]: (run: Run, thread: Thread, step: StepOf<Verb>) => Running | undefined;
};

type VerbName = Step extends infer One
  ? One extends Step
    ? Extract<keyof One, (typeof verbNames)[number]>
    : never
  : never;

/** In the order in which the documentation names them. */
export const verbNames = [
  'initialize',
  'new-session',
  'request',
  'notify',
  'respond',
  'raw',
  'expect',
  'assert',
  'either',
  'collect',
  'hold',
  'quiet',
  'pause-reading',
  'stderr',
  'signal',
  'await',
  'close',
  'restart',
  'exit',
] as const;
export type Verb = (typeof verbNames)[number];

const verbs: Verbs = {
  initialize,
  'new-session': newSession,
  request,
  notify,
  respond,
  raw,
  expect,
  assert,
  either,
  collect,
  hold(run, _thread, step) {
    run.hold(step.hold);
    return undefined;
  },
  quiet,
  'pause-reading'(run, _thread, step) {
    run.pauseReading(step['pause-reading']);
    return undefined;
  },
  stderr,
  signal({ state }, _thread, step) {
    state.signals.set(step.signal, (state.signals.get(step.signal) ?? 0) + 1);
    return undefined;
  },
  await: awaitSignal,
  close(run, _thread, step) {
    const isTheirs = (step.close === 'input') === (run.instance.script.role === 'client');
    if (isTheirs) run.endInput();
    else run.host.stopReading?.();
    return undefined;
  },
  restart,
  exit(run, _thread, step) {
    run.host.exit?.(step.exit);
    throw new Ending({ verdict: 'done' }, { endsRun: true });
  },
};

/** The verb of a step: the one key that is a verb. */
export const verbOf = (step: Step): Verb => verbNames.find(verb => verb in step)!;

export function* runStep(run: Run, thread: Thread, step: Step): Running {
  const verb = verbs[verbOf(step)] as (run: Run, thread: Thread, step: Step) => Running | undefined;
  const waiting = verb(run, thread, step);
  if (waiting) yield* waiting;
}
