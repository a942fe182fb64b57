import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { certify, fixture, inWorld } from './world.ts';

describe('a command that cannot be started', { concurrency: 8, timeout: 60_000 }, () => {
  const refuses = (word: string, message: (path: string) => string) =>
    inWorld(async ({ run, write, path }) => {
      write('no-program', 'text');
      write('no-interpreter', '#!/nonexistent/interpreter\n');
      chmodSync(path('no-interpreter'), 0o755);
      assert.deepEqual(await run(certify('--', word), { PATH: '/nonexistent' }), {
        code: 2,
        stdout: '',
        stderr: `cannot start "${word}": ${message(path(word))}\n`,
      });
    });

  it('is not on PATH', () =>
    refuses(
      'no-such-agent',
      () => 'not found on PATH (/nonexistent). Give a path, or put its folder on PATH.',
    ));

  it('is a path to nothing', () =>
    refuses('./nowhere', path => `no such file (${path}). Check the path, or give a name that is on PATH.`));

  it('is a directory', () => refuses('/', () => 'it is a directory. Name the program inside it.'));

  it('is not executable', () =>
    refuses(
      './no-program',
      path => `${path} is not executable. Run chmod +x on it, or name its interpreter first.`,
    ));

  it('needs an interpreter that is not there', () =>
    refuses(
      './no-interpreter',
      path =>
        `the first line of ${path} names the interpreter "/nonexistent/interpreter", which is not there. Install it, or name another one before the script.`,
    ));

  it('is empty', () => refuses('', () => 'the command is empty. Name the program to start.'));
});

/** Agents that start and do not answer initialize, and the reason that the report gives. */
const unstartable: readonly (readonly [
  what: string,
  command: readonly string[],
  wait: string,
  reason: string,
])[] = [
  [
    'ends at once with 0',
    fixture('exits.mjs', '0'),
    '20s',
    'the agent ended before the response to initialize came (exit code 0)',
  ],
  [
    'ends at once with 1',
    fixture('exits.mjs', '1'),
    '20s',
    'the agent ended before the response to initialize came (exit code 1)',
  ],
  [
    'is a script with a mistake',
    [process.execPath, '/nonexistent/agent.js'],
    '20s',
    `the agent ended before the response to initialize came (exit code 1, stderr: "Error: Cannot find module '/nonexistent/agent.js'")`,
  ],
  ['says nothing', fixture('silent.mjs'), '1s', 'the response to initialize did not come within 1s'],
  [
    'writes to stderr only',
    fixture('only-stderr.mjs'),
    '1s',
    'the response to initialize did not come within 1s (stderr: "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1}")',
  ],
  [
    'floods stdout without a line feed',
    fixture('floods.mjs'),
    '60s',
    'a line without end came instead of the response to initialize',
  ],
];

const longestLine = 64 * 1024 * 1024;

describe('an agent that does not answer initialize', { concurrency: 8, timeout: 120_000 }, () => {
  for (const [what, command, wait, reason] of unstartable) {
    it(`${what}: it is non-conformant, and nothing else is run`, () =>
      inWorld(async ({ run, report, path }) => {
        const { code, stdout, stderr } = await run(certify('--start-timeout', wait, '--', ...command));
        assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
        assert.match(stdout, /^FAIL {2}INIT-05 /m);
        const { summary, scenarios, requirements, footer } = report();
        assert.deepEqual([summary.level, footer!.complete], ['non-conformant', true]);
        assert.equal(requirements.find(({ id }) => id === 'INIT-05')!.verdict, 'fail');
        const [first, ...others] = scenarios;
        assert.deepEqual([first!.verdict, first!.reason], ['fail', reason]);
        assert.ok(others.length > 5);
        for (const { verdict, attempts } of others) assert.deepEqual([verdict, attempts], ['blocked', 0]);
        const journals = readdirSync(path('out/journals')).map(name =>
          statSync(path(`out/journals/${name}`)),
        );
        // A flood is cut off at what the bench accepts as one line, and ends soon after.
        assert.deepEqual(
          journals.map(({ size }) => size < 4 * longestLine),
          [true],
        );
      }));
  }
});

describe('an agent that answers nothing after initialize', { timeout: 120_000 }, () => {
  it('is found to be so by every scenario in its time, and the run ends', () =>
    inWorld(async ({ run, report }) => {
      const agent = fixture('only-initialize.mjs');
      const words = ['--start-timeout', '1s', '--timeout', '300ms', '--skip', 'rpc/unknown-methods'];
      const { code, stderr } = await run(certify(...words, '--', ...agent));
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      const { scenarios, footer } = report();
      assert.equal(footer!.complete, true);
      const [first] = scenarios;
      assert.deepEqual(
        [first!.verdict, first!.reason],
        ['blocked', 'the result of session/new did not come within 1s'],
      );
      assert.ok(scenarios.every(({ verdict }) => verdict !== 'bench-error'));
    }));
});

describe('an agent that writes frames for ever', { timeout: 120_000 }, () => {
  it('is cut off: the scenario is blocked, its journal bounded, and verify says the same', () =>
    inWorld(async ({ run, report, path }) => {
      const agent = fixture('floods-frames.mjs');
      const { code, stderr } = await run(certify('--only', 'initialize/handshake', '--', ...agent));
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      const { scenarios, summary } = report();
      assert.equal(summary.level, 'incomplete');
      assert.deepEqual(
        scenarios.map(({ verdict, reason }) => [verdict, reason]),
        [['blocked', 'more than 64 MiB went over the connection, and the scenario was ended there']],
      );
      // What frames cost beside their bytes, and what was under way.
      assert.ok(statSync(path('out/journals/initialize-handshake.jsonl')).size < 1.5 * longestLine);
      const verified = await run(['verify', 'out']);
      assert.deepEqual([verified.code, verified.stderr], [0, ''], verified.stdout);
    }));
});
