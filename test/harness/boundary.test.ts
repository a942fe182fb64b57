import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { acpAgent, type McpServer, openSession, runAgent } from '../../src/harness/index.ts';
import { isRunning } from '../../src/process/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { agentThat, agentWith, inTemp, withSession } from './world.ts';

const fixed = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'LANG',
  'LC_ALL',
  'TZ',
].concat(['NO_COLOR', 'CI']);

const parentEnvironment = {
  ...process.env,
  OPENAI_API_KEY: 'sk-parent-4711-4711',
  PROVIDER: 'tok-provider-0815',
  EMPTY: '',
};

describe('what an agent gets of the world', {
  skip: process.platform === 'win32' && 'POSIX programs',
}, () => {
  it('are ten variables and those of the manifest, and none of the parent', () =>
    inTemp(async folder => {
      const agent = agentWith({ TOKEN: '${PROVIDER}', NOTHING: '${EMPTY}' });
      const workspace = join(folder, 'workspace');
      mkdirSync(workspace);
      // The agent tells it in a file, since what it says is redacted.
      const program = join(folder, 'env.sh');
      writeFileSync(program, '#!/bin/sh\nexec /usr/bin/env > environment.txt\n', { mode: 0o755 });
      await runAgent(acpAgent({ model: 'm', manifest: { ...agent.manifest, command: program } }), 'Hello', {
        workspace,
        parentEnvironment,
      });
      const raw: Record<string, string> = Object.fromEntries(
        readFileSync(join(workspace, 'environment.txt'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map(line => line.split(/=(.*)/s) as [string, string]),
      );
      // Shells set these for themselves.
      for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete raw[name];
      assert.deepEqual(Object.keys(raw).sort(), [...fixed, 'TOKEN', 'NOTHING'].sort());
      const { HOME: home = '' } = raw;
      assert.deepEqual(raw, {
        PATH: [folder, '/bin', '/usr/bin'].join(delimiter),
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CACHE_HOME: join(home, 'cache'),
        LANG: 'C.UTF-8',
        LC_ALL: 'C.UTF-8',
        TZ: 'UTC',
        NO_COLOR: '1',
        CI: '1',
        TOKEN: 'tok-provider-0815',
        NOTHING: '',
      });
      assert.ok(home.startsWith(`${folder}/`));
      assert.equal(existsSync(home), false);
      rmSync(workspace, { recursive: true });
      rmSync(program);
    }));

  it('is nothing more for an agent that looks itself, and what it says of a credential is replaced', async () => {
    const { text, frames } = await runAgent(agentWith({ TOKEN: '${PROVIDER}' }), 'Hello', {
      parentEnvironment,
    });
    const seen = JSON.parse(text);
    assert.deepEqual(Object.keys(seen).sort(), [...fixed, 'TOKEN'].sort());
    assert.equal(seen.PATH, [dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter));
    assert.equal(seen.TOKEN, '[redacted:PROVIDER]');
    assert.doesNotMatch(JSON.stringify(frames), /tok-provider-0815|sk-parent-4711/);
  });

  it('may be replaced by the manifest, the fixed ones too', async () => {
    const { text } = await runAgent(agentWith({ TZ: '${ZONE}', HOME: '${ELSEWHERE}' }), 'Hello', {
      parentEnvironment: { ZONE: 'Europe/Rome', ELSEWHERE: '/nowhere' },
    });
    // Both are values of the parent, and so are not shown.
    const { TZ, HOME } = JSON.parse(text);
    assert.deepEqual([TZ, HOME], ['[redacted:ZONE]', '/[redacted:ELSEWHERE]']);
  });

  it('is a workspace that stays where one was given, with what the agent wrote there', () =>
    inTemp(async folder => {
      const workspace = join(folder, 'given');
      mkdirSync(workspace);
      writeFileSync(join(workspace, 'mine.txt'), 'mine');
      const { text } = await runAgent(agentThat('place', 'theirs'), 'Hello', { workspace });
      assert.equal(JSON.parse(text).cwd, workspace);
      assert.equal(existsSync(JSON.parse(text).home), false);
      assert.equal(readFileSync(join(workspace, 'written.txt'), 'utf8'), 'theirs');
      assert.equal(readFileSync(join(workspace, 'mine.txt'), 'utf8'), 'mine');
      rmSync(workspace, { recursive: true });
    }));

  it('is a temporary workspace apart from its home, where none was given', () =>
    inTemp(async folder => {
      const { text } = await runAgent(agentThat('place', 'x'), 'Hello');
      const { cwd, home } = JSON.parse(text);
      assert.ok(cwd.startsWith(`${folder}/`) && home.startsWith(`${folder}/`));
      assert.ok(!`${cwd}/`.startsWith(`${home}/`) && !`${home}/`.startsWith(`${cwd}/`));
    }));

  it('are its arguments as they are written, since no shell takes part', async () => {
    const argument = 'a b; echo $HOME > "c" \\ *';
    const { text } = await runAgent(agentThat('place', argument), 'Hello');
    assert.deepEqual(JSON.parse(text).args, [argument]);
  });

  it('is no credential of a server, and every other variable of it', async () => {
    const env = {
      LEVEL: 'verbose',
      WHOLE: '${PROVIDER}',
      REFERENCE: { source: 'environment', name: 'PROVIDER' },
      API_KEY: 'literal-4711-4711',
      COPY: 'sk-parent-4711-4711',
    } as const;
    const [server] = await serversSent([{ kind: 'stdio', name: 's', command: '/bin/server', env }]);
    const names = (server!.env as JsonObject[]).map(({ name }) => name);
    assert.deepEqual(names, ['LEVEL']);
  });

  it('are servers by absolute commands, and none whose program is not there', async () => {
    const servers: McpServer[] = [
      { kind: 'stdio', name: 'looked up', command: basename(process.execPath) },
      { kind: 'stdio', name: 'not there', command: 'no-such-server', optional: true },
      { kind: 'http', name: 'not for this agent', url: 'http://127.0.0.1:1/', optional: true },
    ];
    const sent = await serversSent(servers);
    assert.deepEqual(
      sent.map(({ name, command }) => [name, command]),
      [['looked up', process.execPath]],
    );
    const required = servers.map(({ optional: _, ...server }) => server as McpServer);
    const parents = { ...parentEnvironment, PATH: dirname(process.execPath) };
    const { outcome, error } = await runAgent(agentThat('greet'), 'Hello', {
      parentEnvironment: parents,
      servers: required,
    });
    assert.deepEqual([outcome, error?.details?.cause?.stage], ['failed', 'session/new']);
  });
});

/** What stands in `session/new` of these servers. */
const serversSent = async (servers: readonly McpServer[]): Promise<readonly JsonObject[]> => {
  const { frames } = await runAgent(agentThat('greet'), 'Hello', {
    parentEnvironment: { ...parentEnvironment, PATH: dirname(process.execPath) },
    servers,
  });
  const sent = frames.map(({ payload }) => payload as JsonObject);
  const params = sent.find(({ method }) => method === 'session/new')?.params as JsonObject;
  return params.mcpServers as JsonObject[];
};

describe('the end of an agent', { skip: process.platform === 'win32' && 'POSIX programs' }, () => {
  it('comes within two seconds of the close, for one that ignores everything and for its child', () =>
    inTemp(async () => {
      const session = await openSession(agentThat('stay'));
      const { text } = await session.send('Hello');
      const { pid, child, home } = JSON.parse(text);
      const limit = new Promise<'too late'>(resolve => setTimeout(resolve, 2000, 'too late').unref());
      const isGone = (): boolean => ![pid, child].some(isRunning);
      const end = await Promise.race([session.close(), limit]);
      assert.notEqual(end, 'too late');
      assert.ok(isGone());
      assert.equal(existsSync(home), false);
      assert.deepEqual(await session.close(), {
        exit: { code: null, signal: 'SIGKILL' },
        isClean: true,
        isRecorded: true,
      });
    }));

  it('is noticed although its child holds the output, and the child is ended', () =>
    inTemp(async () => {
      const result = await runAgent(agentThat('leave'), 'Hello');
      assert.deepEqual([result.outcome, result.exit], ['failed', { code: 17, signal: null }]);
      assert.deepEqual(result.limitations, ['partial_trace']);
      const observed = result.turns[0]?.observations.find(
        each => each.kind === 'process_observed' && each.phase === 'exited',
      );
      assert.ok(observed?.kind === 'process_observed' && observed.phase === 'exited');
      assert.equal(observed.exitCode, 17);
      assert.equal(isRunning(JSON.parse(result.text).child), false);
    }));

  it('spares every process that only looks like one of its own', () =>
    inTemp(async () => {
      const idle = ['-e', 'process.send("ready"); setInterval(() => {}, 1000)'];
      const start = async (env: NodeJS.ProcessEnv, detached: boolean) => {
        const foreign = spawn(process.execPath, idle, {
          env,
          detached,
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        });
        await once(foreign, 'message');
        return foreign;
      };
      const foreigners = [await start(process.env, false), await start(process.env, true)];
      try {
        await withSession(openSession(agentThat('stay')), async session => {
          const { home } = JSON.parse((await session.send('Hello')).text);
          // A home that begins like the agent's, one below it, and the agent's under another name.
          foreigners.push(
            await start({ HOME: `${home}0` }, true),
            await start({ HOME: `${home}/below` }, false),
            await start({ OTHER_HOME: home, NOTE: `HOME=${home}` }, true),
          );
        });
        for (const { pid, exitCode, signalCode } of foreigners)
          assert.deepEqual([isRunning(pid!), exitCode, signalCode], [true, null, null]);
      } finally {
        for (const foreign of foreigners) foreign.kill('SIGKILL');
      }
    }));

  it('leaves nothing behind, whichever way it comes', () =>
    inTemp(async folder => {
      const timeoutMs = 30_000;
      await runAgent(agentThat('greet'), 'Hello', { timeoutMs });
      await runAgent(agentThat('refuse'), 'Hello', { timeoutMs });
      await runAgent(agentThat('reject'), 'Hello', { timeoutMs });
      await runAgent(agentThat('wait'), 'Hello', { timeoutMs: 700 });
      const missing = acpAgent({ model: 'm', manifest: { command: join(folder, 'none') } });
      await runAgent(missing, 'Hello', { timeoutMs });
      await assert.rejects(runAgent(agentThat('greet'), 'Hello', { workspace: join(folder, 'none') }));
      const journalPath = join(folder, 'no', 'folder', 'journal.jsonl');
      await assert.rejects(runAgent(agentThat('greet'), 'Hello', { journalPath }), { name: 'UserError' });
    }));
});
