/** What a case says of a run, as the harness takes it. */
import {
  type AcpAgent,
  acpAgent,
  type FrameRecord,
  type HarnessHost,
  type HarnessOptions,
} from '../harness/index.ts';
import type { SchemaTest } from '../script/index.ts';
import { type Clock, systemClock } from '../wire/index.ts';
import type { Answer, FramePattern, RunPart } from './case.ts';
import type { CaseFolder } from './case-folder.ts';
import { createFrameMatcher } from './frames.ts';
import type { LoadedCase } from './load-cases.ts';

export interface Prepared {
  readonly agent: AcpAgent;
  readonly options: HarnessOptions;
  /** Those recorded so far. */
  readonly frames: readonly FrameRecord[];
}

export interface PrepareOptions {
  readonly host: HarnessHost;
  readonly fits: SchemaTest;
  readonly journalPath: string;
}

export const prepare = (
  { case: { agent: part = {} }, instance }: LoadedCase,
  run: RunPart,
  folder: CaseFolder,
  { host, fits, journalPath }: PrepareOptions,
): Prepared => {
  const { args = [], ignoreSigterm, grandchild, stderrBytes, writes } = part;
  const orders = { instance, ...defined({ ignoreSigterm, grandchild, stderrBytes, writes }) };
  const launch = folder.launch(orders, args);
  for (const [path, text] of Object.entries(run.files ?? {})) folder.write(path, text);
  for (const [path, text] of Object.entries(run.workspace ?? {})) folder.write(`workspace/${path}`, text);
  const { timeoutMs = 30_000, expires, cancels } = run;
  const limit = createLimit(timeoutMs);
  const user = new AbortController();
  if (cancels === 'before') user.abort();
  const watches = [
    ...watch(expires, limit.reach, fits),
    ...watch(cancels === 'before' ? undefined : cancels, () => user.abort(), fits),
  ];
  const frames: FrameRecord[] = [];
  return {
    frames,
    agent: acpAgent({
      manifest: { ...launch, ...run.manifest },
      model: run.model ?? 'a label',
      agentModeId: run.mode ?? null,
      ...(run.config && { sessionConfig: run.config }),
    }),
    options: {
      host,
      journalPath,
      timeoutMs,
      clock: expires ? limit.clock : systemClock,
      signal: user.signal,
      parentEnvironment: run.parentEnvironment ?? { PATH: process.env.PATH ?? '' },
      onFrame(frame) {
        frames.push(frame);
        for (const see of watches) see(frame);
      },
      ...(run.workspace && { workspace: folder.workspace }),
      ...defined({ environment: run.environment, servers: run.servers }),
      ...Object.fromEntries(
        policies.flatMap(name => (run[name] === undefined ? [] : [[name, policyOf(run[name])]])),
      ),
    },
  };
};

const policies = ['permission', 'sampling', 'filesystem', 'terminal'] as const;

const policyOf = (answer: Answer): HarnessOptions['permission'] & {} => {
  if (typeof answer === 'string') return answer;
  return {
    policy: 'prompt',
    handler() {
      if ('throws' in answer) throw new Error('the handler of the case fails');
      return answer.answer;
    },
  };
};

const watch = (
  pattern: FramePattern | undefined,
  act: () => void,
  fits: SchemaTest,
): readonly ((frame: FrameRecord) => void)[] => {
  if (!pattern) return [];
  const isMatch = createFrameMatcher(pattern, fits);
  return [
    frame => {
      // Whoever recorded the frame is still at work on it.
      if (isMatch(frame)) setImmediate(act);
    },
  ];
};

/**
 * A time limit that is reached at a moment of the case, so that no case depends on how fast the machine is: timers of
 * that length fire then, all others when their time comes.
 */
const createLimit = (timeoutMs: number) => {
  const waiting = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    timer(ms, fire) {
      if (ms !== timeoutMs) return systemClock.timer(ms, fire);
      waiting.add(fire);
      return { cancel: () => void waiting.delete(fire) };
    },
  };
  return {
    clock,
    reach() {
      for (const fire of [...waiting]) {
        waiting.delete(fire);
        fire();
      }
    },
  };
};

/** Without the members that are undefined. */
const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
