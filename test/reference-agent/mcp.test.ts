import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { JsonObject } from '../../src/wire/index.ts';
import {
  begin,
  type Conversation,
  codeOf,
  converse,
  initialize,
  newSession,
  promptOf,
} from './conversation.ts';

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

describe('MCP servers over HTTP', () => {
  /** Answers as JSON, or as a stream of events in pieces; notes the requests. */
  const serve = async (test: TestContext, isStream: boolean) => {
    const seen: { method: string; headers: IncomingHttpHeaders; body: JsonObject }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      seen.push({ method: request.method!, headers: request.headers, body });
      if (body.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const answer = JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { tools: [] } });
      response.setHeader('mcp-session-id', 'abc');
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      if (!isStream) {
        response.end(answer);
        return;
      }
      // The stream stays open: the answer must be taken from it all the same.
      response.write(': hello\n\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\nid: 1\ndata: ');
      response.write(answer.slice(0, 9));
      response.write(`${answer.slice(9)}\r\n\r\n`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    test.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/mcp`, seen };
  };

  for (const isStream of [false, true]) {
    it(`are shaken hands with, with the headers given (${isStream ? 'events' : 'JSON'})`, async test => {
      const { url, seen } = await serve(test, isStream);
      const agent = await begin(test);
      const headers = [{ name: 'X-Key', value: 'blue' }];
      const sessionId = await newSession(agent, {
        mcpServers: [{ type: 'http', name: 'web', url, headers }],
      });
      assert.equal((await turn(agent, sessionId)).result?.stopReason, 'end_turn');
      await agent.request('session/close', { sessionId });
      assert.deepEqual(
        seen.map(({ method, body }) => [method, body.method]),
        [
          ['POST', 'initialize'],
          ['POST', 'notifications/initialized'],
          ['POST', 'tools/list'],
          ['DELETE', undefined],
        ],
      );
      assert.ok(seen.every(request => request.headers['x-key'] === 'blue'));
      assert.deepEqual(
        seen.map(request => request.headers['mcp-session-id']),
        [undefined, 'abc', 'abc', 'abc'],
      );
    });
  }

  it('that cannot be reached, or make no sense, are done without', async test => {
    const agent = await begin(test);
    const mcpServers = ['http://127.0.0.1:1/', 'no url at all'].map(url => ({
      type: 'http',
      name: 'web',
      url,
      headers: [],
    }));
    const sessionId = await newSession(agent, { mcpServers });
    assert.equal((await turn(agent, sessionId)).result?.stopReason, 'end_turn');
  });

  it('are refused where they are not advertised', async test => {
    const agent = converse(test, { behaviour: { capabilities: { mcpHttp: false } }, accepts: ['MCP-03'] });
    await initialize(agent);
    const mcpServers = [{ type: 'http', name: 'web', url: 'http://127.0.0.1:1/', headers: [] }];
    assert.equal(await codeOf(agent.request('session/new', { cwd: '/work', mcpServers })), -32602);
  });
});
