import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readJournal } from '../../src/journal/index.ts';
import { certify, eventually, fixture, handshake, inWorld, referenceAgent, type World } from './world.ts';

const journal = 'out/journals/initialize-handshake.jsonl';

/** Ignores the end of its input and SIGTERM, as does a child of it in a session of its own. */
const stubborn = [
  process.execPath,
  fileURLToPath(new URL('../process/fixtures/stubborn.mjs', import.meta.url)),
  'child',
];

const isWritten = ({ path, read }: World, text: string): boolean =>
  existsSync(path(journal)) && read(journal).includes(text);

describe('Ctrl-C', {
  concurrency: 4,
  timeout: 60_000,
  skip: process.platform === 'win32' && 'POSIX signals',
}, () => {
  it('ends a run that waits, with a partial report that says so', () =>
    inWorld(async world => {
      const { process: bench, ended } = world.start(
        certify('--start-timeout', '5m', ...handshake, '--', ...fixture('silent.mjs')),
      );
      await eventually('the agent is asked', () => isWritten(world, '"initialize"'), undefined, 20_000);
      bench.kill('SIGINT');
      const { code, stdout, stderr } = await ended;
      assert.deepEqual({ code, stderr }, { code: 130, stderr: '' });
      assert.match(stdout, / \(interrupted: partial report\) /);
      const { finishedAt: _, ...footer } = world.report().footer!;
      assert.deepEqual(footer, { complete: false, interrupted: true, exitCode: 130 });
    }));

  it('keeps the scenarios that were finished, and no verdict of those that were not', () =>
    inWorld(async world => {
      const { process: bench, ended } = world.start(
        certify('--json', '--repeat', '1000', ...handshake, '--', ...referenceAgent),
      );
      const first = () => existsSync(world.path('out/report.jsonl')) && world.read('out/report.jsonl') !== '';
      await eventually('a scenario is finished', first, undefined, 20_000);
      bench.kill('SIGINT');
      const { code, stdout, stderr } = await ended;
      assert.deepEqual({ code, stderr }, { code: 130, stderr: '' });
      const { scenarios, summary, footer } = world.report();
      assert.deepEqual(JSON.parse(stdout), world.report());
      assert.equal(footer!.complete, false);
      assert.deepEqual(
        scenarios.map(({ verdict }) => verdict),
        ['pass'],
      );
      assert.equal(summary.counts.fail, undefined);
    }));

  it('again, while an agent refuses to end, ends the bench at once', () =>
    inWorld(async world => {
      const { process: bench, ended } = world.start(
        certify('--start-timeout', '5m', ...handshake, '--', ...stubborn),
      );
      await eventually('the agent runs', () => isWritten(world, '"child":'), undefined, 20_000);
      bench.kill('SIGINT');
      await eventually('the agent is being ended', () => isWritten(world, '"signal-sent"'));
      bench.kill('SIGINT');
      assert.deepEqual((await ended).code, 130);
    }));
});

describe('kill -9', { timeout: 60_000, skip: process.platform === 'win32' && 'POSIX signals' }, () => {
  it('of the bench ends agent and grandchild, and what was recorded can be read', () =>
    inWorld(async world => {
      const { process: bench, ended } = world.start(
        certify('--start-timeout', '5m', ...handshake, '--', ...stubborn),
      );
      await eventually('the agent runs', () => isWritten(world, '"child":'), undefined, 20_000);
      // The bench, its guardian, the agent, its child, and the temporary folder.
      assert.equal(
        world.leftovers().filter(line => /main\.js certify|guardian|stubborn|acp-testbench-/.test(line))
          .length,
        5,
      );
      bench.kill('SIGKILL');
      await ended;
      await eventually('nothing is left', () => world.leftovers().length === 0, world.leftovers);
      for (const name of readdirSync(world.path('out/journals'))) {
        const { header, entries } = readJournal(world.path(`out/journals/${name}`));
        assert.equal(header.scripts?.[0]?.id, 'initialize/handshake');
        assert.ok([...entries].some(({ channel }) => channel === 'acp'));
      }
    }));
});
