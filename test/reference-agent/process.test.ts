import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import * as oldSdk from 'acp-sdk-0.14.1';
import * as newSdk from 'acp-sdk-2.4.0';
import { compiled } from '../../src/base/index.ts';
import { triggerPrompt } from '../../src/reference-agent/index.ts';
import { createPeer, type JsonObject, type Peer, type Port, streamPort } from '../../src/wire/index.ts';

const start = async (test: TestContext, args: readonly string[] = []) => {
  const home = await mkdtemp(join(tmpdir(), 'reference-agent-home-'));
  test.after(() => rm(home, { recursive: true }));
  const again = () => {
    const child = spawn(process.execPath, [compiled('reference-agent/main.js'), ...args], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    test.after(() => child.kill('SIGKILL'));
    return child;
  };
  return { home, child: again(), again };
};

const exitOf = async (child: ChildProcess): Promise<unknown> => {
  if (child.exitCode === null) await once(child, 'close');
  return child.exitCode;
};

const portOf = ({ stdin, stdout }: ChildProcess): Port => streamPort({ input: stdin!, output: stdout! });
const peerOf = (child: ChildProcess): Peer => createPeer(portOf(child));

const web = ({ stdin, stdout }: ChildProcess) =>
  [Writable.toWeb(stdin!), Readable.toWeb(stdout!) as ReadableStream<Uint8Array>] as const;

const prompt = (sessionId: string, text: string) => ({
  sessionId,
  prompt: [{ type: 'text' as const, text }],
});

describe('The reference agent as a program', () => {
  it('plays a whole turn with permission for the client of the newest SDK', async test => {
    const { home, child } = await start(test);
    const kinds: string[] = [];
    const asked: string[] = [];
    const app = newSdk
      .client({ name: 'test' })
      .onRequest('session/request_permission', ({ params }) => {
        asked.push(params.toolCall.toolCallId);
        const { optionId } = params.options.find(({ kind }) => kind === 'allow_once')!;
        return { outcome: { outcome: 'selected', optionId } };
      })
      .onNotification('session/update', ({ params }) => void kinds.push(params.update.sessionUpdate));

    await app.connectWith(newSdk.ndJsonStream(...web(child)), async agent => {
      const { agentInfo } = await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
      assert.equal(agentInfo?.name, 'acp-reference-agent');
      const { sessionId } = await agent.request('session/new', { cwd: home, mcpServers: [] });
      assert.deepEqual(
        await agent.request('session/prompt', prompt(sessionId, triggerPrompt('permission'))),
        {
          stopReason: 'end_turn',
        },
      );
    });
    assert.equal(asked.length, 1);
    for (const kind of ['agent_message_chunk', 'tool_call', 'tool_call_update', 'usage_update']) {
      assert.ok(kinds.includes(kind), kind);
    }
    assert.equal(await readFile(join(home, 'guarded.txt'), 'utf8'), 'Written with permission.\n');
    child.stdin.end();
    assert.equal(await exitOf(child), 0);
  });

  it('plays and cancels turns for the client of an old SDK', async test => {
    const { home, child } = await start(test);
    const kinds: string[] = [];
    let streaming = (): void => {};
    const isStreaming = new Promise<void>(resolve => {
      streaming = resolve;
    });
    const client: oldSdk.Client = {
      async requestPermission({ options }: oldSdk.RequestPermissionRequest) {
        return {
          outcome: {
            outcome: 'selected',
            optionId: options.find(({ kind }) => kind === 'reject_once')!.optionId,
          },
        };
      },
      async sessionUpdate({ update }: oldSdk.SessionNotification) {
        kinds.push(update.sessionUpdate);
        if (update.sessionUpdate === 'agent_message_chunk' && kinds.includes('tool_call')) streaming();
      },
    };
    const agent = new oldSdk.ClientSideConnection(() => client, oldSdk.ndJsonStream(...web(child)));
    await agent.initialize({ protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.newSession({ cwd: home, mcpServers: [] });
    const rejected = await agent.prompt(prompt(sessionId, triggerPrompt('permission')));
    assert.equal(rejected.stopReason, 'end_turn');
    await assert.rejects(readFile(join(home, 'guarded.txt')), { code: 'ENOENT' });

    const slow = agent.prompt(prompt(sessionId, triggerPrompt('slow-turn')));
    await isStreaming;
    await agent.cancel({ sessionId });
    assert.equal((await slow).stopReason, 'cancelled');
    child.stdin.end();
    assert.equal(await exitOf(child), 0);
  });

  it('keeps its sessions under HOME for the next process', async test => {
    const { home, child, again } = await start(test);
    const first = peerOf(child);
    await first.request('initialize', { protocolVersion: 1 });
    const { sessionId } = (await first.request('session/new', { cwd: home, mcpServers: [] })) as {
      sessionId: string;
    };
    await first.request('session/prompt', prompt(sessionId, 'remember me'));
    child.kill('SIGKILL');

    const replayed: JsonObject[] = [];
    const second = createPeer(portOf(again()), {
      onNotification: ({ params }) => void replayed.push((params as JsonObject).update as JsonObject),
    });
    await second.request('initialize', { protocolVersion: 1 });
    const { sessionId: other } = (await second.request('session/new', { cwd: home, mcpServers: [] })) as {
      sessionId: string;
    };
    assert.notEqual(other, sessionId);
    await second.request('session/load', { sessionId, cwd: home, mcpServers: [] });
    assert.match(JSON.stringify(replayed), /user_message_chunk.*remember me/);
    second.end();
  });

  it('takes a behaviour, and says what is wrong with it', async test => {
    const { child } = await start(test, ['--behaviour', '{"modes":false,"capabilities":{"load":false}}']);
    const { agentCapabilities } = (await peerOf(child).request('initialize', { protocolVersion: 1 })) as {
      agentCapabilities: JsonObject;
    };
    assert.equal(agentCapabilities.loadSession, false);
    child.stdin.end();

    for (const [args, message] of [
      [['--behaviour', '{"mods":false}'], 'behaviour.mods  unknown member; did you mean "modes"?\n'],
      [['--behaviour', '{'], /^--behaviour {2}.*JSON/],
      [['--behavior'], /--behavior/],
    ] as const) {
      const wrong = (await start(test, args)).child;
      const said: Buffer[] = [];
      wrong.stderr.on('data', chunk => said.push(chunk));
      assert.equal(await exitOf(wrong), 2);
      const text = Buffer.concat(said).toString();
      if (typeof message === 'string') assert.equal(text, message);
      else assert.match(text, message);
      assert.doesNotMatch(text, /\n\s+at /);
    }
  });

  it('writes all its answers before it ends, however much the client sent at once', async test => {
    const { child } = await start(test);
    let output = '';
    child.stdout.on('data', chunk => {
      output += chunk;
    });
    const requests = Array.from({ length: 2_000 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'none',
      params: { id },
    }));
    child.stdin.end(requests.map(request => `${JSON.stringify(request)}\n`).join(''));
    assert.equal(await exitOf(child), 0);
    const lines = output.split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map(line => JSON.parse(line).id),
      requests.map(({ id }) => id),
    );
  });
});
