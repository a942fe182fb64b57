import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { agentEnvironment } from '../../src/process/index.ts';
import { encodeFrame, type PortEvent } from '../../src/wire/index.ts';
import { eventually, fixture, inRun, isGone } from './world.ts';

const kinds = (events: readonly PortEvent[]): string[] => events.map(event => event.type);

/** What arrives of one kind of event. */
const of = <T extends PortEvent['type']>(events: readonly PortEvent[], type: T) =>
  events.filter((event): event is Extract<PortEvent, { type: T }> => event.type === type);

describe('launching an agent', { skip: process.platform === 'win32' && 'POSIX programs' }, () => {
  for (const code of [0, 1]) {
    test(`an agent that exits at once with ${code} yields eof, then exit`, () =>
      inRun(async run => {
        const agent = await run.start('exit.mjs', [String(code)]);
        assert.deepEqual(await agent.exited, { code, signal: null });
        const report = await agent.stop();
        assert.equal(report.ladder, 'exited');
        assert.deepEqual(agent.events, [{ type: 'eof' }, { type: 'exit', code, signal: null }]);
      }));
  }

  test('an agent that says nothing ends with its input', () =>
    inRun(async run => {
      const agent = await run.start('silent.mjs');
      const report = await agent.stop({ graceMs: { eof: 60_000 } });
      assert.equal(report.ladder, 'eof');
      assert.deepEqual(report.exit, { code: 0, signal: null });
      assert.deepEqual(kinds(agent.events), ['eof', 'exit']);
      assert.ok(isGone(agent.pid));
    }));

  test('a flood without a line feed arrives in pieces no longer than the limit', () =>
    inRun(async run => {
      const size = 8 * 1024 * 1024;
      const agent = await run.start('flood.mjs', [String(size)], { maxLineBytes: 64 * 1024 });
      await agent.exited;
      await agent.stop();
      const lines = of(agent.events, 'line').map(event => event.line);
      assert.ok(lines.length > 1);
      assert.ok(lines.every(line => line.kind === 'malformed' && line.bytes.length <= 2 * 64 * 1024));
      assert.equal(
        lines.reduce((sum, line) => sum + line.bytes.length, 0),
        size,
      );
    }));

  test('an agent that writes only to stderr: all of it arrives, before the exit', () =>
    inRun(async run => {
      const agent = await run.start('stderr.mjs', ['2']);
      await agent.exited;
      await agent.stop();
      assert.equal(Buffer.concat(of(agent.events, 'stderr').map(event => event.bytes)).toString(), 'az');
      assert.equal(agent.events.at(-1)?.type, 'exit');
      assert.equal(Buffer.from(agent.stderrHead()).toString(), 'az');
    }));

  test('of a huge stderr everything is drained, also unheard, and the first 64 KiB are kept', () =>
    inRun(async run => {
      const size = 4 * 1024 * 1024;
      const agent = await run.start('stderr.mjs', [String(size)]);
      assert.deepEqual(await agent.exited, { code: 0, signal: null });
      await agent.stop();
      assert.equal(
        of(agent.events, 'stderr').reduce((sum, event) => sum + event.bytes.length, 0),
        size,
      );
      const head = Buffer.from(agent.stderrHead());
      assert.equal(head.length, 65_536);
      assert.equal(head.toString('latin1', 0, 2), 'a.');
    }));

  test('an agent that closed its input: sending arrives as broken and neither throws nor rejects', () =>
    inRun(async run => {
      const agent = await run.start('deaf.mjs');
      await agent.frame;
      await agent.port.send(encodeFrame({ hello: 'deaf one' }));
      await agent.port.send(encodeFrame({ hello: 'again' }));
      await eventually('broken', () => of(agent.events, 'broken').length > 0);
      assert.equal(of(agent.events, 'broken').length, 1);
    }));

  test('an agent gets exactly the environment of its run, the mark of its launch, its directory and its arguments', () =>
    inRun(async run => {
      const home = run.folders.createHome();
      const env = agentEnvironment({ run: run.guardian.run, home, env: { NAMED: 'a b', EMPTY: '' } });
      const cwd = run.folders.createWorkspace();
      const args = ['a b', ';', '$HOME', '*', ''];
      const agent = await run.start('surroundings.mjs', args, { env, cwd });
      const seen = (await agent.frame) as unknown as {
        env: Record<string, string>;
        cwd: string;
        args: string[];
      };
      const { ACP_TESTBENCH_LAUNCH: launchMark, ...rest } = seen.env;
      assert.match(launchMark ?? '', /^[0-9a-f-]{36}$/);
      assert.deepEqual(rest, env);
      assert.equal(seen.cwd, cwd);
      assert.deepEqual(seen.args, args);
    }));

  test('an environment without the mark of the run is passed on as it is', () =>
    inRun(async run => {
      const env = { PATH: process.env.PATH ?? '', HOME: run.folders.createHome(), ONLY: 'this' };
      const agent = await run.start('surroundings.mjs', [], { env });
      assert.deepEqual((await agent.frame).env, env);
    }));

  test('a command that cannot be started and a directory that is none are errors of the user', () =>
    inRun(async run => {
      const isUserError = (error: unknown): boolean => error instanceof UserError && error.exitCode === 2;
      await assert.rejects(run.start('no-such-program'), isUserError);
      await assert.rejects(run.start(dirname(fixture('exit.mjs'))), isUserError);
      const absent = join(run.folders.root, 'absent');
      await assert.rejects(
        run.start('silent.mjs', [], { cwd: absent }),
        (error: unknown) =>
          isUserError(error) && String(error).includes(`its directory ${absent} is not a folder`),
      );
      const env = {
        ...agentEnvironment({ run: run.guardian.run, home: '/' }),
        HUGE: 'x'.repeat(8 * 1024 * 1024),
      };
      await assert.rejects(
        run.start('silent.mjs', [], { env }),
        (error: unknown) => isUserError(error) && String(error).includes('are too long'),
      );
    }));
});

describe('stopping an agent', { skip: process.platform === 'win32' && 'POSIX programs' }, () => {
  const hasty = { graceMs: { eof: 50, SIGTERM: 50 }, settleMs: 0 };

  test('one that ignores the end of input and SIGTERM is killed, and its child in another session too', () =>
    inRun(async run => {
      const agent = await run.start('stubborn.mjs', ['child']);
      const { child } = (await agent.frame) as { child: number };
      const report = await agent.stop({ ...hasty, settleMs: 50 });
      assert.equal(report.ladder, 'SIGKILL');
      assert.deepEqual(report.exit, { code: null, signal: 'SIGKILL' });
      assert.deepEqual(report.leftBehind, [child]);
      assert.ok(isGone(agent.pid));
      assert.ok(isGone(child));
      assert.deepEqual(kinds(agent.events).slice(-2), ['eof', 'exit']);
    }));

  test('a child in the group dies with it even without any environment', () =>
    inRun(async run => {
      const agent = await run.start('stubborn.mjs', ['bare-child']);
      const { child } = (await agent.frame) as { child: number };
      await agent.stop(hasty);
      await eventually('the child is gone', () => isGone(child));
    }));

  test('what an agent leaves that ended by itself is found: by its mark, though it holds the pipes', () =>
    inRun(async run => {
      const agent = await run.start('leaver.mjs');
      const { child } = (await agent.frame) as { child: number };
      const report = await agent.stop({ graceMs: { eof: 60_000 }, settleMs: 0 });
      assert.equal(report.ladder, 'eof');
      assert.deepEqual(report.leftBehind, [child]);
      assert.ok(isGone(child));
      assert.deepEqual(kinds(agent.events).slice(-2), ['eof', 'exit']);
    }));

  test('what an agent leaves that ended by itself is found: by its session, though it has no environment', () =>
    inRun(async run => {
      const agent = await run.start('leaver.mjs', ['bare']);
      const { child } = (await agent.frame) as { child: number };
      const report = await agent.stop({ graceMs: { eof: 60_000 }, settleMs: 0 });
      assert.deepEqual(report.leftBehind, [child]);
      assert.ok(isGone(child));
    }));

  test('what an agent leaves that ended by itself is found: by its parent, though it has neither', () =>
    inRun(async run => {
      const agent = await run.start('leaver.mjs', ['stranger']);
      const { child } = (await agent.frame) as { child: number };
      const report = await agent.stop({ graceMs: { eof: 60_000 }, settleMs: 0 });
      assert.deepEqual(report.leftBehind, [child]);
      assert.ok(isGone(child));
    }));

  test('what an agent with a fixed environment leaves is found by the HOME that the run created', () =>
    inRun(async run => {
      const env = { PATH: process.env.PATH ?? '', HOME: run.folders.createHome() };
      const agent = await run.start('leaver.mjs', [], { env });
      const { child } = (await agent.frame) as { child: number };
      const report = await agent.stop({ graceMs: { eof: 60_000 }, settleMs: 0 });
      assert.deepEqual(report.leftBehind, [child]);
      assert.ok(isGone(child));
    }));

  test('stopping one agent leaves another of the same run and HOME alone', () =>
    inRun(async run => {
      const [first, second] = await Promise.all([run.start('silent.mjs'), run.start('surroundings.mjs')]);
      await second.frame;
      const report = await first.stop({ settleMs: 0, graceMs: { eof: 60_000 } });
      assert.deepEqual(report.leftBehind, []);
      assert.equal(isGone(second.pid), false);
      assert.equal((await second.stop({ graceMs: { eof: 60_000 } })).ladder, 'eof');
    }));

  test('a HOME that the run did not create selects nothing', () =>
    inRun(async run => {
      const HOME = join(run.folders.root, randomUUID());
      const env = { PATH: process.env.PATH ?? '', HOME };
      const bystander = await run.start('surroundings.mjs', [], { env });
      await bystander.frame;
      const agent = await run.start('silent.mjs', [], { env });
      const report = await agent.stop({ settleMs: 0, graceMs: { eof: 60_000 } });
      assert.deepEqual(report.leftBehind, []);
      assert.equal(isGone(bystander.pid), false);
    }));

  test('is told step by step, and a second stop gives the first report', () =>
    inRun(async run => {
      const agent = await run.start('stubborn.mjs');
      await agent.frame;
      const told: string[] = [];
      const onEvent = (event: { event: string; signal?: string }): void =>
        void told.push(event.signal ?? event.event);
      const first = agent.stop({ ...hasty, onEvent });
      assert.equal(await agent.stop(), await first);
      assert.deepEqual(told, ['input-closed', 'SIGTERM', 'SIGKILL']);
    }));
});
