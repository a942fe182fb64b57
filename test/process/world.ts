/** What the tests of this room build their world with. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  agentEnvironment,
  createRunFolders,
  type Guardian,
  type Launched,
  type LaunchOptions,
  launch,
  type RunFolders,
  startGuardian,
} from '../../src/process/index.ts';
import { processTable } from '../../src/process/process-table.ts';
import type { Clock, JsonObject, PortEvent } from '../../src/wire/index.ts';

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** No time passes while the machine is slow: the assertion is that it becomes true, the deadline only ends the test. */
export const eventually = async (
  what: string,
  condition: () => boolean,
  deadlineMs = 5000,
): Promise<void> => {
  for (const began = performance.now(); !condition(); await sleep(10)) {
    if (performance.now() - began > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
  }
};

/** Absent, or ended and waiting for its parent to notice. */
export const isGone = (pid: number): boolean => processTable.read(pid)?.zombie !== false;

export interface Run {
  readonly guardian: Guardian;
  readonly folders: RunFolders;
  start(program: string, args?: readonly string[], more?: Partial<LaunchOptions>): Promise<Watched>;
}

export type Watched = Launched & {
  readonly events: readonly PortEvent[];
  /** The first frame that the agent sends. */
  readonly frame: Promise<JsonObject>;
};

/** A run with guardian and folders; ends all that it started, however the test ends, and checks that nothing stays. */
export const inRun = async (test: (run: Run) => Promise<void>): Promise<void> => {
  const guardian = await startGuardian();
  const folders = createRunFolders(guardian);
  const home = folders.createHome();
  const agents: Launched[] = [];
  try {
    await test({
      guardian,
      folders,
      async start(program, args = [], more = {}) {
        const command = program.endsWith('.mjs') ? fixture(program) : program;
        const env = agentEnvironment({ run: guardian.run, home });
        const agent = await launch({ command, args, cwd: folders.root, env, guardian, ...more });
        agents.push(agent);
        return watch(agent);
      },
    });
  } finally {
    await Promise.all(agents.map(agent => agent.stop({ from: 'SIGKILL', settleMs: 0 })));
    folders.remove();
    await guardian.end();
  }
  if (existsSync(folders.root)) throw new Error(`${folders.root} was left`);
};

const watch = (agent: Launched): Watched => {
  const events: PortEvent[] = [];
  const frame = new Promise<JsonObject>(resolve => {
    agent.port.listen(event => {
      events.push(event);
      if (event.type === 'line' && event.line.kind === 'frame') resolve(event.line.value);
    });
  });
  return { ...agent, events, frame };
};

/** A clock on which time passes only when everything else stands still: then the next timer fires at once. */
export const virtualClock = (): Clock => {
  const timers = new Set<{ at: number; fire: () => void }>();
  let now = 0;
  let isWaking = false;
  const wake = (): void => {
    isWaking = false;
    const next = [...timers].sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    timers.delete(next);
    now = next.at;
    next.fire();
    schedule();
  };
  const schedule = (): void => {
    if (isWaking || timers.size === 0) return;
    isWaking = true;
    setImmediate(wake);
  };
  return {
    now: () => now,
    timer(ms, fire) {
      const timer = { at: now + ms, fire };
      timers.add(timer);
      schedule();
      return { cancel: () => void timers.delete(timer) };
    },
  };
};
