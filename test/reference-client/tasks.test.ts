import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../src/reference-client/index.ts';
import type { JsonObject, Peer } from '../../src/wire/index.ts';
import { assertLawful, methodsOf, paramsOf, withAgent } from './run-client.ts';

const plain = { protocolVersion: 1, agentCapabilities: {} };

const offering = (agentCapabilities: JsonObject, more: JsonObject = {}) => ({
  ...plain,
  agentCapabilities,
  ...more,
});

const update = (agent: Peer, text: string) =>
  agent.notify('session/update', {
    sessionId: 's-1',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });

const start: Task[] = [{ initialize: {} }, { 'session/new': {} }];

const tiny = {
  initialize: plain,
  'session/new': { sessionId: 's-1' },
  'session/prompt': { stopReason: 'end_turn' },
};

test('a client initializes, opens a session, prompts, and leaves', async () => {
  const run = await withAgent(tiny, [...start, { 'session/prompt': { text: 'hi' } }]);
  assert.equal(run.exitCode, 0);
  assert.deepEqual(
    run.outcomes.map(({ status }) => status),
    ['done', 'done', 'done'],
  );
  assert.deepEqual(methodsOf(run), ['initialize', 'session/new', 'session/prompt']);
  const [hello] = paramsOf(run, 'initialize');
  assert.equal(hello?.protocolVersion, 1);
  assert.deepEqual(hello?.clientCapabilities, {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
  });
  assert.deepEqual(Object.keys(hello?.clientInfo as JsonObject), ['name', 'version']);
  assert.deepEqual(paramsOf(run, 'session/new'), [{ cwd: run.workspace, mcpServers: [] }]);
  assert.deepEqual(paramsOf(run, 'session/prompt'), [
    { sessionId: 's-1', prompt: [{ type: 'text', text: 'hi' }] },
  ]);
  await assertLawful(run);
});

test('an agent that answers with another version is left at once', async () => {
  const run = await withAgent({ ...tiny, initialize: { protocolVersion: 2 } }, start);
  assert.equal(run.exitCode, 1);
  assert.deepEqual(methodsOf(run), ['initialize']);
  assert.equal(run.outcomes[0]?.status, 'refused');
});

const leave = (_: JsonObject, agent: Peer) => {
  agent.end();
  return new Promise<never>(() => {});
};

test('an agent that goes away ends the client, with the reason', async () => {
  const run = await withAgent({ initialize: plain, 'session/new': leave }, [
    ...start,
    { 'session/prompt': {} },
  ]);
  assert.equal(run.exitCode, 1);
  assert.deepEqual(run.outcomes.at(-1), {
    task: start[1],
    status: 'lost',
    reason: 'no answer to session/new: the agent closed its output',
  });
});

test('what the agent does not offer is not asked for', async () => {
  const all: Task[] = [
    { authenticate: {} },
    { logout: {} },
    { 'session/load': { id: 'x' } },
    { 'session/resume': { id: 'x' } },
    { 'session/list': {} },
    { 'session/close': {} },
    { 'session/delete': {} },
    { 'session/set_mode': {} },
    { 'session/set_config_option': { configId: 'c', value: 'v' } },
    { 'session/prompt': { content: [{ type: 'image', data: '', mimeType: 'image/png' }] } },
    { initialize: {} },
  ];
  const run = await withAgent(tiny, [...start, ...all]);
  assert.deepEqual(methodsOf(run), ['initialize', 'session/new']);
  assert.deepEqual(
    run.outcomes.slice(2).map(({ status }) => status),
    all.map(() => 'skipped'),
  );
});

test('nothing is asked for before initialize, and no turn is run before a session', async () => {
  const run = await withAgent(tiny, [{ 'session/new': {} }, { initialize: {} }, { 'session/prompt': {} }]);
  assert.deepEqual(
    run.outcomes.map(({ status }) => status),
    ['skipped', 'done', 'skipped'],
  );
});

test('what the agent offers is asked for, with its own ids and in the schema', async () => {
  const agent = {
    ...tiny,
    initialize: offering(
      {
        loadSession: true,
        auth: { logout: {} },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        mcpCapabilities: { http: true },
      },
      {
        authMethods: [
          { id: 'tty', name: 'Terminal', type: 'terminal' },
          { id: 'key', name: 'Key' },
        ],
      },
    ),
    authenticate: {},
    logout: {},
    'session/load': {},
    'session/resume': {},
    'session/close': {},
    'session/delete': {},
    'session/list': ({ cursor }: JsonObject) =>
      cursor === undefined ? { sessions: [], nextCursor: '' } : { sessions: [] },
  };
  const http = { type: 'http', name: 'h', url: 'http://127.0.0.1/', headers: [] };
  const run = await withAgent(agent, [
    { initialize: {} },
    { authenticate: {} },
    { authenticate: { methodId: 'tty' } },
    { 'session/new': { additionalDirectories: ['/more'], mcpServers: [http, { ...http, type: 'sse' }] } },
    { 'session/close': {} },
    { 'session/prompt': {} },
    { 'session/resume': {} },
    { 'session/load': { cwd: '/elsewhere' } },
    { 'session/list': {} },
    { 'session/delete': {} },
    { logout: {} },
  ]);
  assert.deepEqual(
    run.outcomes.map(({ status }) => status),
    ['done', 'done', 'skipped', 'done', 'done', 'skipped', 'done', 'done', 'done', 'done', 'done'],
  );
  assert.deepEqual(paramsOf(run, 'authenticate'), [{ methodId: 'key' }]);
  const roots = { cwd: run.workspace, additionalDirectories: ['/more'] };
  assert.deepEqual(paramsOf(run, 'session/new'), [{ ...roots, mcpServers: [http] }]);
  assert.deepEqual(paramsOf(run, 'session/resume'), [{ sessionId: 's-1', ...roots, mcpServers: [] }]);
  assert.deepEqual(paramsOf(run, 'session/load'), [
    { sessionId: 's-1', ...roots, cwd: '/elsewhere', mcpServers: [] },
  ]);
  assert.deepEqual(paramsOf(run, 'session/list'), [{}, { cursor: '' }]);
  assert.deepEqual(paramsOf(run, 'session/delete'), [{ sessionId: 's-1' }]);
  await assertLawful(run);
});

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

const configOptions = [
  {
    id: 'model',
    name: 'Model',
    type: 'select',
    currentValue: 'a',
    options: [{ group: 'g', name: 'G', options: [{ value: 'b', name: 'B' }] }],
  },
  { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
];

test('a mode is one that is available and not current', async () => {
  const run = await withAgent(
    { ...tiny, 'session/new': { sessionId: 's-1', modes }, 'session/set_mode': {} },
    [...start, { 'session/set_mode': {} }, { 'session/set_mode': { modeId: 'none' } }],
  );
  assert.deepEqual(paramsOf(run, 'session/set_mode'), [{ sessionId: 's-1', modeId: 'code' }]);
});

test('config options replace modes, and take only their own values', async () => {
  const agent = {
    ...tiny,
    'session/new': { sessionId: 's-1', modes, configOptions },
    'session/set_config_option': { configOptions },
  };
  const run = await withAgent(agent, [
    ...start,
    { 'session/set_mode': {} },
    { 'session/set_config_option': { configId: 'model', value: 'b' } },
    { 'session/set_config_option': { configId: 'model', value: 'g' } },
    { 'session/set_config_option': { configId: 'fast', value: true } },
    { 'session/set_config_option': { configId: 'fast', value: 'true' } },
  ]);
  assert.deepEqual(methodsOf(run).slice(2), ['session/set_config_option', 'session/set_config_option']);
  assert.deepEqual(paramsOf(run, 'session/set_config_option'), [
    { sessionId: 's-1', configId: 'model', value: 'b' },
    { sessionId: 's-1', configId: 'fast', value: true, type: 'boolean' },
  ]);
  await assertLawful(run);
});

test('a client without config options falls back to modes', async () => {
  const agent = {
    ...tiny,
    'session/new': { sessionId: 's-1', modes, configOptions },
    'session/set_mode': {},
  };
  const run = await withAgent(agent, [...start, { 'session/set_mode': {} }], { usesConfigOptions: false });
  assert.deepEqual(paramsOf(run, 'session/set_mode'), [{ sessionId: 's-1', modeId: 'code' }]);
});

/** An agent whose turn writes two chunks and then waits for the cancel. */
const untilCancelled = () => {
  let cancel = (): void => {};
  return {
    ...tiny,
    'session/prompt': (_: JsonObject, agent: Peer) => {
      update(agent, 'one');
      update(agent, 'two');
      return new Promise<JsonObject>(resolve => {
        cancel = () => {
          update(agent, 'late, but allowed');
          resolve({ stopReason: 'cancelled' });
        };
      });
    },
    'session/cancel': () => {
      cancel();
      return {};
    },
  };
};

for (const cancelAfter of [0, 1, 2]) {
  test(`a turn is cancelled once, after ${cancelAfter} updates, and its answer is awaited`, async () => {
    const run = await withAgent(untilCancelled(), [
      ...start,
      { 'session/prompt': { cancelAfter } },
      { 'session/prompt': { text: 'again', cancelAfter } },
    ]);
    assert.deepEqual(
      run.outcomes.slice(2).map(outcome => outcome.status === 'done' && outcome.result),
      [{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }],
    );
    assert.deepEqual(paramsOf(run, 'session/cancel'), [{ sessionId: 's-1' }, { sessionId: 's-1' }]);
    await assertLawful(run);
  });
}

const asking = {
  ...tiny,
  'session/prompt': async (_: JsonObject, agent: Peer) => {
    const answer = await agent.request('session/request_permission', {
      sessionId: 's-1',
      toolCall: { toolCallId: 'c' },
      options: [{ kind: 'allow_once', name: 'Yes', optionId: 'yes' }],
    });
    return { stopReason: 'end_turn', _meta: { answer } };
  },
};

test('a turn that is cancelled when it asks has its permission request answered cancelled, after the cancel', async () => {
  const run = await withAgent(asking, [...start, { 'session/prompt': { cancelAfter: 'permission' } }], {
    permission: 'allow',
  });
  assert.deepEqual(
    run.sent.slice(3).map(({ method, result }) => method ?? result),
    ['session/cancel', { outcome: { outcome: 'cancelled' } }],
  );
});

test('the agent is served in its sessions alone', async () => {
  const seen: unknown[] = [];
  const attempt = (agent: Peer, sessionId: string) =>
    agent
      .request('fs/write_text_file', { sessionId, path: '/nowhere-at-all/x', content: '' })
      .catch(error => error.message);
  const agent = {
    ...tiny,
    'session/prompt': async (_: JsonObject, peer: Peer) => {
      seen.push(await attempt(peer, 'other'), await attempt(peer, 's-1'));
      return { stopReason: 'end_turn' };
    },
  };
  await withAgent(agent, [...start, { 'session/prompt': {} }]);
  assert.deepEqual(seen, [
    'there is no session other',
    "path is outside the session's folders: /nowhere-at-all/x",
  ]);
});

test('a task that the agent refuses does not keep the client from the next', async () => {
  const run = await withAgent({ initialize: plain }, [
    ...start,
    { 'session/new': { session: 'b' } },
    { 'session/prompt': {} },
  ]);
  assert.equal(run.exitCode, 0);
  assert.deepEqual(
    run.outcomes.map(outcome => [outcome.status, outcome.status === 'refused' && outcome.code]),
    [
      ['done', false],
      ['refused', -32601],
      ['refused', -32601],
      ['skipped', false],
    ],
  );
});
