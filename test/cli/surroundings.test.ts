import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { certify, fixture, handshake, inWorld, type World } from './world.ts';

const agent = fixture('surroundings.mjs');

/** What the agent saw of its process. */
const seen = async (world: World, words: readonly string[], env: Record<string, string> = {}) => {
  const { stderr } = await world.run(certify('--start-timeout', '20s', ...handshake, ...words), env);
  assert.equal(stderr, '');
  const { _meta } = world.report().header.agentInfo as unknown as {
    _meta: { env: Record<string, string>; cwd: string; args: readonly string[] };
  };
  return _meta;
};

describe('the agent', { concurrency: 8, timeout: 120_000 }, () => {
  it('gets a new HOME, what --env names, and no variable of the parent beyond the few', () =>
    inWorld(async world => {
      const { env } = await seen(world, ['--env', 'MODE=a=b', '--', ...agent], { PRIVATE: 'of the parent' });
      assert.equal(env.MODE, 'a=b');
      assert.equal(env.PRIVATE, undefined);
      assert.ok(env.HOME!.includes('acp-testbench-'), env.HOME);
      assert.match(env.ACP_TESTBENCH_RUN!, /^[0-9a-f-]{36}$/);
    }));

  it('gets the HOME of the user with --home inherit', () =>
    inWorld(async world => {
      const { env } = await seen(world, ['--home', 'inherit', '--', ...agent], { HOME: world.folder });
      assert.equal(env.HOME, world.folder);
    }));

  it('gets the HOME that --home names, which stays', () =>
    inWorld(async world => {
      world.write('home/kept.txt', '');
      const { env } = await seen(world, ['--home', 'home', '--', ...agent]);
      assert.equal(env.HOME, world.path('home'));
      assert.ok(readdirSync(world.path('home')).includes('kept.txt'));
    }));

  it('is started in the directory that --cwd names, and gets its sessions in --workspace', () =>
    inWorld(async world => {
      for (const name of ['here', 'there']) mkdirSync(world.path(name));
      const { cwd } = await seen(world, ['--cwd', 'here', '--workspace', 'there', '--', ...agent]);
      assert.equal(cwd, world.path('here'));
      assert.ok(
        world
          .read('out/journals/initialize-handshake.jsonl')
          .includes(`"cwd":${JSON.stringify(world.path('there'))}`),
      );
    }));

  it('gets its command, its arguments and its variables from a manifest', () =>
    inWorld(async world => {
      const [command, ...args] = agent;
      const manifest = { command, args: [...args, '--acp'], env: { AGENT_TOKEN: '${MY_TOKEN}' } };
      world.write('agent.json', JSON.stringify(manifest));
      const { args: got, env } = await seen(world, ['--manifest', 'agent.json'], { MY_TOKEN: 'tok-123456' });
      assert.deepEqual(got, ['--acp']);
      assert.equal(env.AGENT_TOKEN, '[redacted:AGENT_TOKEN]');
    }));

  for (const [words, env, message] of [
    [['--home', 'nowhere'], {}, '--home  no such folder "nowhere"; create it, or name another'],
    [['--cwd', 'nowhere'], {}, '--cwd  no such folder "nowhere"; create it, or name another'],
    [['--workspace', 'agent.json'], {}, '--workspace  "agent.json" is a file; name a folder'],
    [['--secret', 'NOT_SET'], {}, '--secret  the variable NOT_SET is not set; set it and try again'],
    [
      ['--manifest', 'agent.json'],
      {},
      '--manifest  the manifest names the command already; leave one of the two away',
    ],
  ] as const) {
    it(`is not started with ${words.join(' ')}`, () =>
      inWorld(async ({ run, write }) => {
        write('agent.json', '{ "command": "agent" }');
        assert.deepEqual(await run(certify(...words, '--', ...agent), env), {
          code: 2,
          stdout: '',
          stderr: `${message}\n`,
        });
      }));
  }

  it('is not started where its sessions are', () =>
    inWorld(async ({ run, folder }) => {
      const { code, stdout, stderr } = await run(
        certify('--workspace', '.', '--cwd', folder, '--', ...agent),
      );
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, /^--workspace {2}.* is also the directory that the agent is started in/);
    }));

  it('is not started from a manifest whose variables are missing', () =>
    inWorld(async ({ run, write }) => {
      write('agent.json', '{ "command": "agent", "env": { "A": "${SECOND}", "B": "${FIRST}" } }');
      const { code, stderr } = await run(certify('--manifest', 'agent.json'));
      assert.deepEqual(
        [code, stderr],
        [2, 'the manifest refers to variables that are not set: FIRST, SECOND; set them and try again\n'],
      );
    }));
});

describe('a secret', { concurrency: 8, timeout: 120_000 }, () => {
  const token = 'sk-Zq7"\\/-9f3';

  it('reaches the agent, and is in no file of the report and in no output', () =>
    inWorld(async ({ run, path, report }) => {
      const words = certify(
        '--secret',
        'AGENT_TOKEN',
        '--only',
        'initialize/*',
        '--verbose',
        '--',
        ...agent,
        token,
      );
      const { stdout, stderr } = await run(words, { AGENT_TOKEN: token });
      const written = readdirSync(path('out'), { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));
      assert.ok(written.filter(({ text }) => text.includes('[redacted:AGENT_TOKEN]')).length >= 3);
      // As it is, and as it stands in JSON.
      const forms = [token, JSON.stringify(token).slice(1, -1)];
      for (const { name, text } of [
        ...written,
        { name: 'stdout', text: stdout },
        { name: 'stderr', text: stderr },
      ]) {
        for (const form of forms) assert.ok(!text.includes(form), `${form} in ${name}`);
      }
      assert.deepEqual(report().header.command.at(-1), '[redacted:AGENT_TOKEN]');
    }));

  it('changes nothing of what verify derives', () =>
    inWorld(async ({ run }) => {
      await run(certify('--secret', 'AGENT_TOKEN', '--only', 'initialize/*', '--', ...agent, token), {
        AGENT_TOKEN: token,
      });
      const { code, stdout } = await run(['verify', 'out']);
      assert.equal(code, 0, stdout);
    }));

  for (const [value, reason] of [
    ['abc', /^the value of secret "AGENT_TOKEN" is too short to be redacted/],
    ['session', /^the value of secret "AGENT_TOKEN" is a part of "/],
    ['requirements', /^the value of secret "AGENT_TOKEN" is a part of "requirements"/],
  ] as const) {
    it(`is refused when it is ${value}`, () =>
      inWorld(async ({ run }) => {
        const { code, stdout, stderr } = await run(certify('--secret', 'AGENT_TOKEN', '--', ...agent), {
          AGENT_TOKEN: value,
        });
        assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
        assert.match(stderr, reason);
      }));
  }
});
