import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { type PackageRunnerOptions, resolvePackageRunner } from '../../src/process/index.ts';
import { processTable } from '../../src/process/process-table.ts';
import { eventually, fixture, inRun, isGone, type Run } from './world.ts';

/** What the runner of `fixtures/package-runner.mjs` does. */
interface Fake {
  /** What npx hands to its shell. */
  readonly shellCommand?: string;
  /** A script that npx hands to its shell before that. */
  readonly installs?: string;
  readonly stderr?: string;
  readonly fails?: boolean;
  readonly hangs?: boolean;
}

interface Call {
  readonly args: readonly string[];
  readonly home: string;
  readonly asked?: string;
}

interface World {
  readonly run: Run;
  /** Folder of the programs that the runner puts before its PATH. */
  readonly bins: string;
  readonly calls: () => readonly Call[];
  /** Adds a program. @returns its path */
  program(name: string, text?: string): string;
  resolve(line: string, fake?: Fake, changes?: Partial<PackageRunnerOptions>): Promise<Resolved>;
}

type Resolved = Awaited<ReturnType<typeof resolvePackageRunner>>;

/** A folder with `npx` and `uvx` that install nothing, first on PATH. */
const withFakes = (test: (world: World) => Promise<void>): Promise<void> =>
  inRun(async run => {
    const [tools, bins] = ['tools', 'bins'].map(name => join(run.folders.root, name)) as [string, string];
    for (const folder of [tools, bins]) mkdirSync(folder);
    for (const name of ['npx', 'uvx']) symlinkSync(fixture('package-runner.mjs'), join(tools, name));
    const log = join(run.folders.root, 'calls.jsonl');
    writeFileSync(log, '');
    await test({
      run,
      bins,
      calls: () =>
        readFileSync(log, 'utf8')
          .split('\n')
          .filter(line => line !== '')
          .map(line => JSON.parse(line) as Call),
      program(name, text = '#!/bin/sh\n') {
        const path = join(bins, name);
        writeFileSync(path, text);
        chmodSync(path, 0o755);
        return path;
      },
      resolve: (line, fake = {}, changes = {}) =>
        resolvePackageRunner(line.split(' ') as [string, ...string[]], {
          ...optionsIn(run),
          env: {
            PATH: [tools, process.env.PATH].join(delimiter),
            HOME: '/home/me',
            npm_config_package: 'what-the-bench-was-started-from',
            FAKE: JSON.stringify({ log, bins: [bins], shellCommand: "'my-agent'", ...fake }),
          },
          ...changes,
        }),
    });
  });

const optionsIn = ({ guardian, folders }: Run): Omit<PackageRunnerOptions, 'env'> => ({
  cwd: folders.root,
  folder: folders.root,
  guardian,
  timeoutMs: 60_000,
  interrupted: new AbortController().signal,
});

const refusal = async (resolved: Promise<unknown>): Promise<string> => {
  try {
    await resolved;
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.equal(error.exitCode, 2);
    return error.message;
  }
  assert.fail('it was resolved');
};

describe('a package runner', { skip: process.platform === 'win32' && 'stays as it is' }, () => {
  test('npx is asked once, with its own options and the home of the user, and its program takes the rest', () =>
    withFakes(async ({ resolve, program, calls }) => {
      const agent = program('my-agent');
      assert.deepEqual(await resolve('npx -p @acme/tools@1.2.3 my-agent --acp -y'), {
        command: [agent, '--acp', '-y'],
      });
      assert.deepEqual(calls(), [
        { args: ['--yes', '-p', '@acme/tools@1.2.3', '--', 'my-agent'], home: '/home/me' },
      ]);
    }));

  test('a script of the installation that npx hands to the same shell runs as ever', () =>
    withFakes(async ({ resolve, program, bins }) => {
      const agent = program('my-agent');
      const made = join(bins, 'made');
      const { command } = await resolve('npx my-agent', { installs: `echo built >'${made}'` });
      assert.deepEqual(command, [agent]);
      assert.equal(readFileSync(made, 'utf8'), 'built\n');
    }));

  test('uvx is asked with the tool as package, and for a tool of another package with that', () =>
    withFakes(async ({ resolve, program, calls }) => {
      const agent = program('my-agent');
      assert.deepEqual((await resolve('uvx my-agent@1.2 serve')).command, [agent, 'serve']);
      assert.deepEqual((await resolve('uvx --from acme==1 my-agent --acp')).command, [agent, '--acp']);
      const [first, second] = calls().map(({ args }) => args.slice(0, -1));
      assert.deepEqual(first, ['--from', 'my-agent@1.2']);
      assert.deepEqual(second, ['--from', 'acme==1']);
    }));

  test('uvx: a program that is on PATH but not in the environment of the package is not taken for the tool', () =>
    withFakes(async ({ resolve }) => {
      assert.deepEqual(await resolve('uvx sh -c true'), {
        command: ['uvx', 'sh', '-c', 'true'],
        notice: '"uvx" is run anew for each start of the agent: no program of "sh" is found',
      });
    }));

  test('any other command stays as it is, and nothing is asked', () =>
    withFakes(async ({ resolve, calls }) => {
      assert.deepEqual(await resolve('node agent.js npx'), { command: ['node', 'agent.js', 'npx'] });
      assert.deepEqual(calls(), []);
    }));

  test('an unclear command stays as it is with a notice, and nothing is asked', () =>
    withFakes(async ({ resolve, calls }) => {
      assert.deepEqual(await resolve('npx --prefix /tmp my-agent'), {
        command: ['npx', '--prefix', '/tmp', 'my-agent'],
        notice: '"npx" is run anew for each start of the agent: its option --prefix is not known here',
      });
      assert.deepEqual(calls(), []);
    }));

  test('a package without such a program stays as it is', () =>
    withFakes(async ({ resolve }) => {
      const { command, notice } = await resolve('npx -p tools my-agent');
      assert.deepEqual(command, ['npx', '-p', 'tools', 'my-agent']);
      assert.match(notice!, /: no program of "my-agent" is found$/);
    }));

  test('a program whose interpreter only npx would find stays as it is', () =>
    withFakes(async ({ resolve, program }) => {
      program('special-runtime');
      program('my-agent', '#!/usr/bin/env special-runtime\n');
      const { command, notice } = await resolve('npx my-agent');
      assert.deepEqual(command, ['npx', 'my-agent']);
      assert.match(notice!, /names the interpreter "special-runtime", which is not on PATH/);
    }));

  test('without a network the command stays as it is, with the reason', () =>
    withFakes(async ({ resolve }) => {
      const stderr = 'npm error code ENOTCACHED\nnpm error request to https://packages.example/x failed\n';
      const { command, notice } = await resolve('npx x', { fails: true, stderr });
      assert.deepEqual(command, ['npx', 'x']);
      assert.match(notice!, /: it did not tell what it starts \(request to https:\S+ failed\)$/);
    }));

  test('a runner that ends without a word stays as it is', () =>
    withFakes(async ({ resolve }) => {
      const { notice } = await resolve('npx x', { fails: true });
      assert.match(notice!, /: it did not tell what it starts$/);
    }));

  test('a package that does not exist ends it, in the words of npm', () =>
    withFakes(async ({ resolve }) => {
      const stderr =
        'npm error code ETARGET\nnpm error notarget No matching version found for x@9.\nnpm error notarget In most cases\n';
      assert.equal(
        await refusal(resolve('npx -y x@9 --key s3cret', { fails: true, stderr })),
        'cannot install what "npx -y x@9" asks for: notarget No matching version found for x@9.',
      );
    }));

  test('an installation that takes too long is ended with all that it started', () =>
    withFakes(async ({ resolve, run }) => {
      assert.equal(
        await refusal(resolve('npx -y x', { hangs: true }, { timeoutMs: 50 })),
        '--start-timeout  "npx -y x" was still installing after 0.05 s; give it more time',
      );
      assert.deepEqual(installersOf(run), []);
    }));

  test('an interruption ends the installation, and says nothing', () =>
    withFakes(async ({ resolve, run, calls }) => {
      const controller = new AbortController();
      const resolved = resolve('npx -y x', { hangs: true }, { interrupted: controller.signal });
      await eventually('it installs', () => calls().length === 1);
      const [pid] = installersOf(run);
      controller.abort();
      assert.deepEqual(await resolved, { command: ['npx', '-y', 'x'] });
      assert.ok(isGone(pid!));
    }));

  test('the real npx finds the programs of a local package without a registry', async context => {
    await inRun(run => withRealNpx(context, run));
  });
});

/** Pids of what carries the mark of the run. */
const installersOf = ({ guardian }: Run): readonly number[] =>
  processTable
    .all()
    .filter(row => !row.zombie && row.carries(`ACP_TESTBENCH_RUN=${guardian.run}`))
    .map(row => row.pid);

const withRealNpx = async (context: TestContext, run: Run): Promise<void> => {
  const { root } = run.folders;
  const env = {
    PATH: process.env.PATH,
    HOME: run.folders.createHome(),
    npm_config_cache: join(root, 'cache'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const source = join(root, 'source');
  mkdirSync(source);
  const manifest = { name: '@acme/several', version: '1.0.0', bin: { several: 'a.js', another: 'b.js' } };
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  for (const name of ['a', 'b']) {
    writeFileSync(
      join(source, `${name}.js`),
      `#!/usr/bin/env node\nconsole.log('{"${name}":' + JSON.stringify(process.argv.slice(2)) + '}')\n`,
    );
  }
  const packed = spawnSync('npm', ['pack', '--silent'], { cwd: source, env, encoding: 'utf8' });
  if (packed.error) {
    const reason = 'npm is not installed';
    console.error(`SKIPPED: the real npx: ${reason}`);
    assert.notEqual(process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES, '1', reason);
    return context.skip(reason);
  }
  assert.equal(packed.status, 0, packed.stderr);
  const spec = `file:${join(source, packed.stdout.trim())}`;

  const ask = (...command: [string, ...string[]]) =>
    resolvePackageRunner(command, { ...optionsIn(run), env });
  const started = async (...command: [string, ...string[]]) => {
    const resolved = await ask(...command);
    assert.equal(resolved.notice, undefined);
    const [program, ...args] = resolved.command;
    assert.ok(program.startsWith(join(root, 'cache', '_npx')), program);
    return (await run.start(program, args)).frame;
  };
  assert.deepEqual(await started('npx', '-y', spec, '--acp'), { a: ['--acp'] });
  assert.deepEqual(await started('npx', '--yes', '--package', spec, '--', 'another', '-y'), { b: ['-y'] });

  const missing = await ask('npx', '-p', spec, 'a-third');
  assert.match(missing.notice!, /no program of "a-third" is found/);
  const uncached = await ask('npx', '@acme/nowhere@1.0.0');
  assert.match(uncached.notice!, /it did not tell what it starts \(request to .*only-if-cached/);
  assert.match(await refusal(ask('npx', `file:${root}/none.tgz`)), /no such file or directory/);
};
