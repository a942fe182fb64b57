import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  climbStopLadder,
  type Exit,
  type StopEvent,
  type StopOptions,
  type Stoppable,
} from '../../src/process/stop-ladder.ts';
import type { Clock } from '../../src/wire/index.ts';
import { virtualClock } from './world.ts';

type Stimulus = 'eof' | 'SIGTERM' | 'SIGKILL';

/** An agent that ends `afterMs` after the stimulus, and whose children end `childrenMs` after the agent. */
const agentThat = (
  clock: Clock,
  behaviour: { endsOn?: Stimulus; afterMs?: number; children?: readonly number[]; childrenMs?: number },
): Stoppable => {
  const { endsOn, afterMs = 0, children = [], childrenMs } = behaviour;
  let exit: Exit | undefined;
  let isOpen = true;
  let left = [...children];
  let resolveExit: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>(resolve => {
    resolveExit = resolve;
  });
  const feel = (stimulus: Stimulus): void => {
    if (stimulus !== endsOn) return;
    clock.timer(afterMs, () => {
      exit = stimulus === 'eof' ? { code: 0, signal: null } : { code: null, signal: stimulus };
      resolveExit(exit);
      if (childrenMs !== undefined) {
        clock.timer(childrenMs, () => {
          left = [];
        });
      }
    });
  };
  return {
    exit: () => exit,
    exited,
    closeInput() {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) feel('eof');
      return wasOpen;
    },
    signal: feel,
    survivors: () => left,
    killSurvivors() {
      left = [];
    },
  };
};

const climb = async (behaviour: Parameters<typeof agentThat>[1], options: StopOptions = {}) => {
  const clock = virtualClock();
  const events: { at: number; what: StopEvent }[] = [];
  const agent = agentThat(clock, behaviour);
  const onEvent = (what: StopEvent): void => void events.push({ at: clock.now(), what });
  const report = await climbStopLadder(agent, { ...options, onEvent }, clock);
  return { report, events };
};

describe('stop ladder', () => {
  test('an agent that ends with its input gets no signal', async () => {
    const { report, events } = await climb({ endsOn: 'eof', afterMs: 1200 });
    assert.deepEqual(report, {
      exit: { code: 0, signal: null },
      latencyMs: 1200,
      ladder: 'eof',
      leftBehind: [],
    });
    assert.deepEqual(events, [{ at: 0, what: { event: 'input-closed' } }]);
  });

  test('an agent that outlives the grace of its input gets SIGTERM, and its latency counts from the start', async () => {
    const { report, events } = await climb(
      { endsOn: 'SIGTERM', afterMs: 30 },
      { graceMs: { eof: 700, SIGTERM: 400 } },
    );
    assert.equal(report.ladder, 'SIGTERM');
    assert.equal(report.latencyMs, 730);
    assert.deepEqual(events.at(-1), { at: 700, what: { event: 'signal-sent', signal: 'SIGTERM' } });
  });

  test('an agent that ignores SIGTERM gets SIGKILL after the second grace', async () => {
    const { report, events } = await climb({ endsOn: 'SIGKILL' }, { graceMs: { eof: 700, SIGTERM: 400 } });
    assert.equal(report.ladder, 'SIGKILL');
    assert.deepEqual(
      events.map(({ at, what }) => [at, what.event]),
      [
        [0, 'input-closed'],
        [700, 'signal-sent'],
        [1100, 'signal-sent'],
      ],
    );
  });

  test('a stop that begins with SIGKILL leaves out what comes before', async () => {
    const { report, events } = await climb({ endsOn: 'SIGKILL' }, { from: 'SIGKILL' });
    assert.equal(report.ladder, 'SIGKILL');
    assert.deepEqual(events, [{ at: 0, what: { event: 'signal-sent', signal: 'SIGKILL' } }]);
  });

  test('an agent that nothing ends is reported without an exit', async () => {
    const { report } = await climb({}, { graceMs: { eof: 1, SIGTERM: 1, SIGKILL: 1 } });
    assert.deepEqual(report, { exit: undefined, latencyMs: undefined, ladder: 'none', leftBehind: [] });
  });

  test('an agent that had ended before gets neither signal nor latency', async () => {
    const clock = virtualClock();
    const agent = agentThat(clock, { endsOn: 'eof' });
    agent.closeInput();
    await agent.exited;
    const report = await climbStopLadder(agent, {}, clock);
    assert.deepEqual(report, {
      exit: { code: 0, signal: null },
      latencyMs: 0,
      ladder: 'exited',
      leftBehind: [],
    });
  });

  test('children that end soon after the agent are not left behind', async () => {
    const { report, events } = await climb({ endsOn: 'eof', children: [71, 72], childrenMs: 300 });
    assert.deepEqual(report.leftBehind, []);
    assert.deepEqual(
      events.map(({ what }) => what.event),
      ['input-closed'],
    );
  });

  test('children that outlive the agent are reported, then ended', async () => {
    const { report, events } = await climb({ endsOn: 'eof', children: [71, 72] }, { settleMs: 300 });
    assert.deepEqual(report.leftBehind, [71, 72]);
    assert.deepEqual(events.at(-1), { at: 300, what: { event: 'left-behind', pids: [71, 72] } });
  });
});
