import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { startGuardian } from '../../src/process/index.ts';
import { processTable } from '../../src/process/process-table.ts';
import { eventually, fixture, inRun, isGone } from './world.ts';

/** A process that is none of the run's business; ended by its input. */
const startBystander = async (env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const child = spawn(fixture('silent.mjs'), { env: { PATH: process.env.PATH, ...env }, detached: true });
  await once(child, 'spawn');
  return child;
};

const endBystander = async (child: ChildProcess): Promise<void> => {
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** SIGHUP is the last that it asks for; Node itself asks for others. Source: proc(5), SigCgt. */
const handlesHangUp = (pid: number): boolean => {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${mask}`) & 1n) === 1n;
};

describe('guardian', { skip: process.platform === 'win32' && 'POSIX processes' }, () => {
  for (const [kinds, how] of [
    [['marked'], 'agent known by the mark of the run'],
    [['home'], 'agent known by a HOME that the run created'],
    [['marked', 'stranger'], 'agent and its child without any environment'],
  ] as const) {
    test(`after kill -9 of the bench nothing stays of a stubborn ${how}`, async () => {
      const bench = spawn(fixture('bench.mjs'), kinds, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(createInterface({ input: bench.stdout! }), 'line')) as [string];
      const started = JSON.parse(line) as { guardian: number; agent: number; child: number; root: string };
      const pids = [started.guardian, started.agent, started.child];
      assert.deepEqual(pids.map(isGone), [false, false, false]);
      assert.equal(processTable.read(started.child)?.session, started.child);
      assert.ok(existsSync(started.root));

      bench.kill('SIGKILL');
      await once(bench, 'exit');
      await eventually('agent, grandchild and guardian are gone', () => pids.every(isGone));
      assert.equal(existsSync(started.root), false);
    });
  }

  test('an orderly end finds nothing to do, and the guardian goes', () =>
    inRun(async run => {
      const agent = await run.start('silent.mjs');
      await agent.stop({ graceMs: { eof: 60_000 } });
      run.folders.remove();
      await run.guardian.end();
      assert.ok(isGone(run.guardian.pid));
    }));

  test('an end with a process and a folder left ends the one and removes the other', () =>
    inRun(async run => {
      const agent = await run.start('stubborn.mjs');
      await agent.frame;
      await run.guardian.end();
      assert.ok(isGone(agent.pid));
      assert.equal(existsSync(run.folders.root), false);
    }));

  const skip = process.platform !== 'linux' && 'needs /proc to know when it is ready';
  test('it survives the signals that end a bench', { skip }, () =>
    inRun(async run => {
      const agent = await run.start('surroundings.mjs');
      await agent.frame;
      await eventually('the guardian handles signals', () => handlesHangUp(run.guardian.pid));
      for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(run.guardian.pid, signal);
      await run.guardian.end();
      assert.ok(isGone(agent.pid), 'it still did its work');
    }),
  );

  test('processes of others stay: unmarked, of another run, with a HOME that only looks like one of the run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-testbench-test-'));
    const guardian = await startGuardian();
    const home = join(folder, 'home');
    mkdirSync(home);
    const bystanders = await Promise.all([
      startBystander({}),
      startBystander({ ACP_TESTBENCH_RUN: `${guardian.run}1` }),
      startBystander({ ACP_TESTBENCH_RUN: 'another' }),
      startBystander({ HOME: home }),
    ]);
    const other = bystanders[0]!.pid!;
    // Even a bench gone wrong cannot make it touch what carries no mark of the run.
    guardian.tell({ folder });
    guardian.tell({ home });
    guardian.tell({ leader: { pid: other, startTime: 'long ago' } });
    await guardian.end();
    const gone = bystanders.map(child => isGone(child.pid!));
    const homeStays = existsSync(home);
    await Promise.all(bystanders.map(endBystander));
    rmSync(folder, { recursive: true });
    assert.deepEqual(gone, [false, false, false, false]);
    assert.ok(homeStays);
  });
});
