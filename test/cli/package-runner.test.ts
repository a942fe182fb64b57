import assert from 'node:assert/strict';
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Entry, readJournal } from '../../src/journal/index.ts';
import { certify, handshake, inWorld, referenceAgent, type World } from './world.ts';

const runner = fileURLToPath(new URL('../process/fixtures/package-runner.mjs', import.meta.url));

/** The reference agent as `my-agent`, which only npx finds; what npx does beside that. */
const withNpx = (world: World, fake: Readonly<Record<string, unknown>> = {}) => {
  const agent = world.write('bins/my-agent', `#!/bin/sh\nexec '${referenceAgent.join("' '")}' "$@"\n`);
  chmodSync(agent, 0o755);
  const log = world.write('calls', '');
  world.write('tools/nothing', '');
  symlinkSync(runner, world.path('tools/npx'));
  return {
    agent,
    calls: () => world.read('calls').split('\n').length - 1,
    env: {
      PATH: [world.path('tools'), process.env.PATH].join(delimiter),
      FAKE: JSON.stringify({ log, bins: [world.path('bins')], shellCommand: "'my-agent'", ...fake }),
    },
  };
};

test('a run asks npx once, starts what it named, and reports the command as typed', () =>
  inWorld(async world => {
    const { agent, calls, env } = withNpx(world);
    const typed = ['npx', '-y', 'my-agent@1.2.3', '--behaviour={}'];
    const { code, stderr } = await world.run(
      certify(...handshake, '--allow-incomplete', '--repeat', '2', '--', ...typed),
      env,
    );
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /anew/);
    assert.equal(calls(), 1);
    const { header, scenarios } = world.report();
    assert.deepEqual(header.command, typed);
    assert.equal(scenarios[0]!.verdict, 'pass');
    const isStart = (entry: Entry) => entry.channel === 'process' && entry.what.event === 'start';
    const { entries } = readJournal(world.path(`out/${scenarios[0]!.journals[0]!.file}`));
    const start = [...entries].find(isStart);
    assert.ok(start?.channel === 'process' && start.what.event === 'start');
    assert.deepEqual(start.what.command, [agent, '--behaviour={}']);
  }));

test('a command of npx that is not understood runs as it stands, with one notice', () =>
  inWorld(async world => {
    const { env } = withNpx(world);
    const { stdout, stderr } = await world.run(
      certify(...handshake, '--json', '--', 'npx', '--prefix', '.', 'my-agent'),
      env,
    );
    assert.equal(
      stderr,
      '"npx" is run anew for each start of the agent: its option --prefix is not known here\n',
    );
    assert.equal(JSON.parse(stdout).scenarios.length, 1);
  }));

test('a package that does not exist ends the run before there is a report', () =>
  inWorld(async world => {
    const stderr = 'npm error code E404\nnpm error 404 Not Found - GET https://packages.example/my-agent\n';
    const { env } = withNpx(world, { fails: true, stderr });
    const outcome = await world.run(certify('--', 'npx', 'my-agent'), env);
    assert.equal(outcome.code, 2);
    assert.equal(
      outcome.stderr,
      'cannot install what "npx my-agent" asks for: 404 Not Found - GET https://packages.example/my-agent\n',
    );
    assert.ok(!existsSync(world.path('out')));
  }));
