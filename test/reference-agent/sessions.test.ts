import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderStore, memoryStore, referenceAgent } from '../../src/reference-agent/index.ts';
import type { Json, JsonObject } from '../../src/wire/index.ts';
import { begin, codeOf, converse, initialize, listed, newSession, play, promptOf } from './conversation.ts';

const texts = (updates: readonly JsonObject[], kind: string): Json[] =>
  updates.flatMap(({ sessionUpdate, content }) =>
    sessionUpdate === kind ? [(content as JsonObject).text ?? null] : [],
  );

describe('session/new', () => {
  it('gives each session an id of its own, with modes and options', async test => {
    const agent = converse(test);
    await initialize(agent);
    const { result } = await agent.request('session/new', { cwd: '/work', mcpServers: [] });
    assert.equal((result!.modes as JsonObject).currentModeId, 'ask');
    assert.deepEqual(
      (result!.configOptions as JsonObject[]).map(({ id }) => id),
      ['mode', 'model', 'thought'],
    );
    assert.notEqual(await newSession(agent), result!.sessionId);
  });

  it('tells the commands once the id is known, not before', async test => {
    const agent = await begin(test);
    await agent.settle();
    const [, answer, update] = agent.frames;
    assert.equal((answer!.result as JsonObject).sessionId, agent.sessionId);
    assert.equal(
      ((update!.params as JsonObject).update as JsonObject).sessionUpdate,
      'available_commands_update',
    );
  });

  const server = { name: 'a', command: '/bin/a', args: [], env: [] };
  const refused: Readonly<Record<string, JsonObject>> = {
    'no cwd': { mcpServers: [] },
    'a relative cwd': { cwd: 'some/dir', mcpServers: [] },
    'a cwd that is no string': { cwd: 7, mcpServers: [] },
    'no mcpServers': { cwd: '/work' },
    'mcpServers that are no list': { cwd: '/work', mcpServers: {} },
    'an MCP server without args': { cwd: '/work', mcpServers: [{ ...server, args: undefined }] },
    'an MCP server whose env is a map': { cwd: '/work', mcpServers: [{ ...server, env: { A: 'b' } }] },
    'an MCP server over sse': {
      cwd: '/work',
      mcpServers: [{ type: 'sse', name: 'a', url: 'http://x', headers: [] }],
    },
    'an MCP server over http without headers': {
      cwd: '/work',
      mcpServers: [{ type: 'http', name: 'a', url: 'http://x' }],
    },
    'a relative additional directory': { cwd: '/work', mcpServers: [], additionalDirectories: ['relative'] },
    'an empty additional directory': { cwd: '/work', mcpServers: [], additionalDirectories: [''] },
    'an additional directory that is no string': { cwd: '/work', mcpServers: [], additionalDirectories: [7] },
    'additional directories that are no list': { cwd: '/work', mcpServers: [], additionalDirectories: '/a' },
  };
  for (const [what, params] of Object.entries(refused)) {
    it(`refuses ${what} with -32602`, async test => {
      const agent = converse(test);
      await initialize(agent);
      assert.equal(await codeOf(agent.request('session/new', params)), -32602);
      assert.deepEqual(await listed(agent), []);
    });
  }

  it('tolerates unknown members', async test => {
    const agent = converse(test);
    await initialize(agent);
    await newSession(agent, { _meta: { any: 1 }, extra: {}, additionalDirectories: ['/more'] });
  });
});

describe('session/load', () => {
  it('replays the whole conversation, with its message ids, before it answers', async test => {
    const store = memoryStore();
    const first = await begin(test, { store });
    await first.request('session/prompt', promptOf(first.sessionId, 'Grüße 👋\nzweite Zeile'));
    await play(first, 'tool-call');
    const lived = first.updates();

    const second = converse(test, { store });
    await initialize(second);
    const { result } = await second.request('session/load', {
      sessionId: first.sessionId,
      cwd: '/work',
      mcpServers: [],
    });
    assert.equal((result!.modes as JsonObject).currentModeId, 'ask');
    const replayed = second.updates();
    assert.deepEqual(texts(replayed, 'user_message_chunk'), ['Grüße 👋\nzweite Zeile', 'do: tool-call']);
    assert.ok(
      replayed.every(({ sessionUpdate, messageId }) => !/chunk/.test(String(sessionUpdate)) || messageId),
    );
    const isConversation = ({ sessionUpdate }: JsonObject) => /chunk|tool|plan/.test(String(sessionUpdate));
    assert.deepEqual(
      replayed.filter(update => update.sessionUpdate !== 'user_message_chunk'),
      lived.filter(isConversation),
    );
    await second.settle();
    const after = second.frames.slice(second.frames.findIndex(frame => frame.result === result) + 1);
    assert.deepEqual(
      after.map(({ params }) => ((params as JsonObject).update as JsonObject).sessionUpdate),
      ['available_commands_update', 'usage_update'],
    );
    assert.equal(
      (await second.request('session/prompt', promptOf(first.sessionId, 'on'))).result?.stopReason,
      'end_turn',
    );
  });

  it('does not replay what is no conversation: notices, and terminals that are gone', async test => {
    const capabilities = { terminal: true, session: { notices: {} } };
    const store = memoryStore();
    const first = await begin(test, { store, capabilities });
    first.serve({
      'terminal/create': () => ({ terminalId: 't1' }),
      'terminal/wait_for_exit': () => ({ exitCode: 0 }),
      'terminal/output': () => ({ output: 'hello', truncated: false }),
      'terminal/release': () => ({}),
    });
    await play(first, 'notice');
    await play(first, 'terminal');
    assert.equal(first.updates('notice').length, 1);

    const second = converse(test, { store });
    await initialize(second, capabilities);
    await second.request('session/load', { sessionId: first.sessionId, cwd: '/work', mcpServers: [] });
    const replay = JSON.stringify(second.updates());
    assert.doesNotMatch(replay, /"notice"|"terminal"/);
    assert.match(replay, /hello/);
  });

  it('does not bring back extra roots that the request leaves out', async test => {
    const store = memoryStore();
    const first = converse(test, { store });
    await initialize(first);
    const sessionId = await newSession(first, { additionalDirectories: ['/more'] });
    for (const method of ['session/load', 'session/resume']) {
      const agent = converse(test, { store });
      await initialize(agent);
      await agent.request(method, { sessionId, cwd: '/work', mcpServers: [] });
      const { result } = await agent.request('session/list', {});
      assert.equal((result!.sessions as JsonObject[])[0]!.additionalDirectories, undefined);
    }
  });

  for (const method of ['session/load', 'session/resume']) {
    it(`${method} refuses an unknown id, another cwd, and a session in the middle of a turn`, async test => {
      const agent = await begin(test, { accepts: ['CANCEL-04'] });
      const { sessionId } = agent;
      const attempt = (params: JsonObject) =>
        codeOf(agent.request(method, { cwd: '/work', mcpServers: [], ...params }));
      assert.equal(await attempt({ sessionId: 'bench-nope' }), -32002);
      assert.equal(await attempt({ sessionId, cwd: '/elsewhere' }), -32602);
      assert.equal(await attempt({ sessionId, cwd: 'relative' }), -32602);
      const turn = play(agent, 'slow-turn');
      assert.equal(await attempt({ sessionId }), -32600);
      agent.notify('session/cancel', { sessionId });
      await turn;
      assert.equal(await attempt({ sessionId }), undefined);
      assert.equal(agent.updates('user_message_chunk').length, method === 'session/load' ? 1 : 0);
    });
  }
});

describe('session/resume', () => {
  it('goes on without a replay, and without mcpServers', async test => {
    const store = memoryStore();
    const first = await begin(test, { store });
    await first.request('session/prompt', promptOf(first.sessionId, 'hello'));
    const second = converse(test, { store });
    await initialize(second);
    const { result } = await second.request('session/resume', { sessionId: first.sessionId, cwd: '/work' });
    assert.ok(result?.modes);
    await second.settle();
    assert.deepEqual(
      second.updates().map(({ sessionUpdate }) => sessionUpdate),
      ['available_commands_update', 'usage_update'],
    );
    assert.equal(
      (await second.request('session/prompt', promptOf(first.sessionId, 'on'))).result?.stopReason,
      'end_turn',
    );
  });
});

describe('session/close', () => {
  it('cancels the turn, answers its prompt first, and takes no more prompts', async test => {
    const agent = await begin(test);
    const turn = play(agent, 'slow-turn');
    const closed = agent.request('session/close', { sessionId: agent.sessionId });
    assert.equal((await turn).result?.stopReason, 'cancelled');
    assert.deepEqual((await closed).result, {});
    assert.deepEqual(
      agent.frames.slice(-2).map(({ result }) => result),
      [{ stopReason: 'cancelled' }, {}],
    );
    assert.equal(await codeOf(agent.request('session/prompt', promptOf(agent.sessionId, 'hi'))), -32002);
    assert.equal(await codeOf(agent.request('session/close', { sessionId: agent.sessionId })), -32002);
    assert.deepEqual(await listed(agent), [agent.sessionId]);
  });
});

describe('session/delete', () => {
  it('removes the session for good, and succeeds again and for ids that never were', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    for (const id of [sessionId, sessionId, 'bench-nope', '../../etc/passwd']) {
      assert.deepEqual((await agent.request('session/delete', { sessionId: id })).result, {});
    }
    assert.deepEqual(await listed(agent), []);
    assert.equal(
      await codeOf(agent.request('session/load', { sessionId, cwd: '/work', mcpServers: [] })),
      -32002,
    );
  });

  it('cancels the turn of an open session', async test => {
    const agent = await begin(test);
    const turn = play(agent, 'slow-turn');
    await agent.request('session/delete', { sessionId: agent.sessionId });
    assert.equal((await turn).error?.code, -32800);
    assert.deepEqual(await listed(agent), []);
  });
});

describe('A session that does not exist', () => {
  it('is refused by every method that needs one', async test => {
    const agent = await begin(test);
    const none = { sessionId: 'bench-nope' };
    for (const [method, params] of [
      ['session/prompt', { ...none, prompt: [] }],
      ['session/set_mode', { ...none, modeId: 'ask' }],
      ['session/set_config_option', { ...none, configId: 'model', value: 'large' }],
    ] as const) {
      assert.equal(await codeOf(agent.request(method, params)), -32002, method);
      assert.equal(await codeOf(agent.request(method, { ...params, sessionId: 7 })), -32602, method);
    }
  });
});

describe('Optional methods that are not advertised', () => {
  it('are not found', async test => {
    const off = { load: false, list: false, resume: false, close: false, delete: false, logout: false };
    const agent = converse(test, { behaviour: { capabilities: off } });
    const { result } = await agent.request('initialize', { protocolVersion: 1 });
    assert.deepEqual(result!.agentCapabilities, {
      loadSession: false,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { additionalDirectories: {} },
      auth: {},
    });
    const sessionId = await newSession(agent);
    for (const name of ['load', 'list', 'resume', 'close', 'delete']) {
      assert.equal(
        await codeOf(agent.request(`session/${name}`, { sessionId, cwd: '/work', mcpServers: [] })),
        -32601,
        name,
      );
    }
    assert.equal(await codeOf(agent.request('logout', {})), -32601);
  });
});

describe('Sessions of another process', () => {
  it('are found in a folder, and never share an id with a new one', async test => {
    const folder = await mkdtemp(join(tmpdir(), 'reference-agent-'));
    test.after(() => rm(folder, { recursive: true }));
    const inProcess = () => referenceAgent({}, { store: folderStore(folder) });

    const first = converse(test, {}, inProcess());
    await initialize(first);
    const sessionId = await newSession(first);
    await first.request('session/prompt', promptOf(sessionId, 'remember me'));

    const second = converse(test, {}, inProcess());
    await initialize(second);
    await second.request('session/load', { sessionId, cwd: '/work', mcpServers: [] });
    assert.deepEqual(texts(second.updates(), 'user_message_chunk'), ['remember me']);
    const other = await newSession(second);
    assert.notEqual(other, sessionId);
    assert.deepEqual((await listed(second)).sort(), [other, sessionId].sort());
    await second.request('session/delete', { sessionId });
    assert.deepEqual(await readdir(folder), [`${other}.json`]);
  });

  it('are passed over when their file is damaged', async test => {
    const folder = await mkdtemp(join(tmpdir(), 'reference-agent-'));
    test.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'broken.json'), '{"sessionId":');
    await writeFile(join(folder, 'foreign.json'), '[]');
    const agent = await begin(test, { store: folderStore(folder) });
    assert.deepEqual(await listed(agent), [agent.sessionId]);
    for (const sessionId of ['broken', 'foreign', `../${folder.split('/').at(-1)}/broken`]) {
      assert.equal(await codeOf(agent.request('session/resume', { sessionId, cwd: '/work' })), -32002);
    }
  });
});
