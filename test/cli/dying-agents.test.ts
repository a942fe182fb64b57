import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certify, fixture, inWorld } from './world.ts';

/** Lines of an ordinary turn, and ways to die: most at session/new, which a login comes before. */
const deaths = [
  ['1', 'exit-0'],
  ['2', 'half-a-line'],
  ['3', 'exit-0'],
  ['3', 'exit-1'],
  ['3', 'kill'],
  ['3', 'half-a-line'],
  ['3', 'close-output'],
  ['3', 'silence'],
] as const;

/** A scenario of each kind: in one process, in two, in a turn, with a request of the agent, with bad lines. */
const scenarios = [
  'prompt/ordinary-turn',
  'permission/allow',
  'rpc/malformed-line',
  'LOAD-11',
  'stdio/end-of-input',
];

describe('an agent whose process dies', { concurrency: 2, timeout: 300_000 }, () => {
  for (const [line, manner] of deaths) {
    it(`at line ${line}, ${manner}: the run ends with verdicts, and verify says the same`, () =>
      inWorld(async ({ run, report }) => {
        const only = scenarios.flatMap(name => ['--only', name]);
        const { code, stdout, stderr } = await run(
          certify(
            ...['--profile', 'reference-agent', '--start-timeout', '2s', ...only],
            ...['--', ...fixture('dies-at.mjs', line, manner)],
          ),
        );
        assert.deepEqual({ code, stderr }, { code: 1, stderr: '' }, stdout);
        assert.doesNotMatch(stdout, /\bundefined\b|^ +at .*:\d+:\d+/m);
        const { scenarios: found, footer } = report();
        assert.equal(footer!.complete, true);
        assert.ok(found.length >= scenarios.length);
        assert.deepEqual(
          found.filter(({ verdict }) => verdict === 'bench-error'),
          [],
        );
        const verified = await run(['verify', 'out']);
        assert.deepEqual([verified.code, verified.stderr], [0, ''], verified.stdout);
      }));
  }
});
