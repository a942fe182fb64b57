import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { JsonObject } from '../../src/wire/index.ts';
import { begin, type Conversation, converse, initialize, newSession, promptOf } from './conversation.ts';

/** An MCP server that writes down what it was given and what it reads, and pings once before it answers. */
const recorder = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [log] = process.argv.slice(2);
const note = entry => appendFileSync(log, JSON.stringify(entry) + '\\n');
const send = frame => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...frame }) + '\\n');
note({ argv: process.argv.slice(3), env: process.env.COLOUR, cwd: process.cwd() });
createInterface({ input: process.stdin })
  .on('line', line => {
    const { id, method, params, result } = JSON.parse(line);
    note({ method, result, params });
    if (method === 'initialize') {
      send({ id: 'p', method: 'ping' });
      send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
    }
    if (method === 'tools/list') send({ id, result: { tools: [] } });
  })
  .on('close', () => note({ closed: true }));
`;

const withServer = async (test: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'reference-agent-mcp-'));
  test.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'server.mjs'), recorder);
  const server = (name: string): JsonObject => ({
    name,
    command: process.execPath,
    args: [join(folder, 'server.mjs'), join(folder, name), 'a b', '$HOME'],
    env: [{ name: 'COLOUR', value: 'blue green' }],
  });
  const logOf = async (name: string): Promise<JsonObject[]> =>
    (await readFile(join(folder, name), 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  return { folder, server, logOf };
};

const turn = (agent: Conversation, sessionId: string) =>
  agent.request('session/prompt', promptOf(sessionId, 'hi'));

describe('MCP servers of a session', () => {
  it('are all started with their args and env in the cwd, and shaken hands with before the turn ends', async test => {
    const { folder, server, logOf } = await withServer(test);
    const agent = converse(test);
    await initialize(agent);
    const sessionId = await newSession(agent, { cwd: folder, mcpServers: [server('one'), server('two')] });
    assert.equal((await turn(agent, sessionId)).result?.stopReason, 'end_turn');
    for (const name of ['one', 'two']) {
      const [start, ...lines] = await logOf(name);
      assert.deepEqual(start, { argv: ['a b', '$HOME'], env: 'blue green', cwd: folder });
      assert.deepEqual(
        lines.flatMap(({ method }) => method ?? []),
        ['initialize', 'notifications/initialized', 'tools/list'],
      );
      assert.deepEqual(lines.find(({ method }) => method === undefined)?.result, {});
      assert.equal((lines[0]!.params as JsonObject).protocolVersion, '2025-06-18');
    }
  });

  it('end with the session', async test => {
    const { folder, server, logOf } = await withServer(test);
    const agent = converse(test);
    await initialize(agent);
    const sessionId = await newSession(agent, { cwd: folder, mcpServers: [server('one')] });
    await turn(agent, sessionId);
    assert.deepEqual((await agent.request('session/close', { sessionId })).result, {});
    assert.deepEqual((await logOf('one')).at(-1), { closed: true });
  });

  it('are connected again when the session is loaded', async test => {
    const { folder, server, logOf } = await withServer(test);
    const agent = converse(test);
    await initialize(agent);
    const sessionId = await newSession(agent, { cwd: folder });
    await agent.request('session/load', { sessionId, cwd: folder, mcpServers: [server('one')] });
    await turn(agent, sessionId);
    assert.equal((await logOf('one'))[1]!.method, 'initialize');
  });

  it('that do not start are done without', async test => {
    const agent = await begin(test);
    const broken = [
      { name: 'missing', command: '/no/such/command', args: [], env: [] },
      { name: 'ends at once', command: process.execPath, args: ['-e', ''], env: [] },
      { name: 'impossible', command: 'a\0b', args: [], env: [] },
    ];
    const sessionId = await newSession(agent, { cwd: tmpdir(), mcpServers: broken });
    assert.equal((await turn(agent, sessionId)).result?.stopReason, 'end_turn');
  });

  it('that say nothing do not keep a turn from being cancelled', async test => {
    const { folder } = await withServer(test);
    const agent = converse(test);
    await initialize(agent);
    const mute = { name: 'mute', command: process.execPath, args: ['-e', 'process.stdin.resume()'], env: [] };
    const sessionId = await newSession(agent, { cwd: folder, mcpServers: [mute] });
    const pending = turn(agent, sessionId);
    agent.notify('session/cancel', { sessionId });
    assert.equal((await pending).result?.stopReason, 'cancelled');
  });
});
