import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPortPair, type JsonObject } from '../../src/wire/index.ts';
import { agent, decisions, inSession, type OnFrame, type Other, paramsOf, run } from './world.ts';

describe('initialize', () => {
  it('introduces the bench with what the fixture client serves, and takes id 0', async () => {
    const { sent, result } = await run({ steps: [{ initialize: {} }] }, { onFrame: agent() });
    assert.equal(result.verdict, 'done');
    assert.deepEqual(sent[0], {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: 1,
        clientInfo: { name: 'acp-testbench', version: '9.9.9' },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      },
    });
  });

  it('sends the capabilities, the version or the params that the script names', async () => {
    const { sent } = await run(
      {
        steps: [{ initialize: { capabilities: { terminal: false }, version: 7 } }],
      },
      { onFrame: agent() },
    );
    assert.equal(paramsOf(sent[0]).protocolVersion, 7);
    assert.deepEqual(paramsOf(sent[0]).clientCapabilities, { terminal: false });
    const own = await run({ steps: [{ initialize: { params: { odd: true } } }] }, { onFrame: agent() });
    assert.deepEqual(own.sent[0]?.params, { odd: true });
  });

  it('saves the exchange, and $agent and $client for everybody', async () => {
    const { result, sent } = await run(
      {
        steps: [
          { initialize: {}, as: 'hello' },
          { assert: { of: 'hello', is: { result: { protocolVersion: 1 } }, checks: ['INIT-05'] } },
          { notify: '_x', params: { agent: '$agent.protocolVersion', client: '$client.clientInfo.name' } },
        ],
      },
      { onFrame: agent() },
    );
    assert.equal(result.verdict, 'done');
    assert.deepEqual(sent[1]?.params, { agent: 1, client: 'acp-testbench' });
  });

  for (const [name, onFrame, blockedBy, reason] of [
    ['does not answer', () => {}, 'INIT-05', 'the result of initialize did not come within 5s'],
    [
      'refuses',
      (frame: JsonObject, other: Other) => other.refuse(frame, -32603),
      'INIT-05',
      'the result of initialize was expected, got {"error":{"code":-32603,"message":"no"}}',
    ],
    [
      'names no version',
      (frame: JsonObject, other: Other) => other.answer(frame, {}),
      'INIT-05',
      'the result of initialize was expected, got {"result":{}}',
    ],
    [
      'names another version',
      (frame: JsonObject, other: Other) => other.answer(frame, { protocolVersion: 2 }),
      'INIT-06',
      'the agent answered protocol version 1 with version 2',
    ],
    [
      'ends',
      (_: JsonObject, other: Other) => other.exit(1),
      'INIT-05',
      'the agent ended before the result of initialize came',
    ],
  ] as const) {
    it(`blocks the script by ${blockedBy} when the agent ${name}`, async () => {
      const world = await run({ steps: [{ initialize: {} }] }, { onFrame: onFrame as OnFrame });
      assert.deepEqual(
        { verdict: world.result.verdict, blockedBy: world.result.blockedBy, reason: world.result.reason },
        { verdict: 'blocked', blockedBy, reason },
      );
      assert.equal(decisions(world), '');
    });
  }

  it('runs the set-up that the agent needs, with $session after new-session', async () => {
    const { sent } = await run(inSession([]), {
      onFrame: agent((frame, other) => other.answer(frame, {})),
      bindings: {
        setUp: {
          initialize: [
            { request: 'authenticate', params: { methodId: 'key' }, as: 'auth' },
            { expect: { response: 'auth', result: {} } },
          ],
          'new-session': [{ notify: '_mode', params: { sessionId: '$session.sessionId' } }],
        },
      },
    });
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['initialize', 'authenticate', 'session/new', '_mode'],
    );
    assert.deepEqual(sent[3]?.params, { sessionId: 's-1' });
  });
});

describe('new-session', () => {
  it('opens a session in the workspace without servers, and saves its result with cwd', async () => {
    const { sent, result } = await run(inSession([]), { onFrame: agent() });
    assert.deepEqual(sent[1], {
      jsonrpc: '2.0',
      id: 1,
      method: 'session/new',
      params: { cwd: '/work/space', mcpServers: [] },
    });
    assert.deepEqual(result.saved.s, { sessionId: 's-1', cwd: '/work/space' });
  });

  it('takes another cwd and MCP servers by name, dollars in them left alone', async () => {
    const echo = { name: 'echo', command: '/bin/echo', args: ['$HOME'], env: [] };
    const { sent } = await run(
      { steps: [{ initialize: {} }, { 'new-session': { as: 's', cwd: '${workspace}/sub', mcp: ['echo'] } }] },
      { onFrame: agent(), bindings: { mcp: { echo } } },
    );
    assert.deepEqual(sent[1]?.params, { cwd: '/work/space/sub', mcpServers: [echo] });
  });

  it('gives a session the servers that the agent needs when it names none', async () => {
    const echo = { name: 'echo' };
    const { sent } = await run(inSession([]), {
      onFrame: agent(),
      bindings: { mcp: { echo }, sessionMcp: ['echo'] },
    });
    assert.deepEqual(paramsOf(sent[1]).mcpServers, [echo]);
  });

  it('is an error of the script when there is no server of that name', async () => {
    const { result } = await run(
      { steps: [{ initialize: {} }, { 'new-session': { as: 's', mcp: ['nobody'] } }] },
      { onFrame: agent() },
    );
    assert.deepEqual([result.verdict, result.reason], ['bench-error', 'there is no MCP server "nobody"']);
  });

  for (const [code, blockedBy] of [
    [-32000, 'AUTH-03'],
    [-32603, 'SESS-02'],
  ] as const) {
    it(`blocks the script by ${blockedBy} when it is refused with ${code}`, async () => {
      const { result } = await run(inSession([]), {
        onFrame(frame, other) {
          if (frame.method === 'initialize') other.answer(frame, { protocolVersion: 1 });
          else other.refuse(frame, code);
        },
      });
      assert.deepEqual([result.verdict, result.blockedBy], ['blocked', blockedBy]);
    });
  }

  it('holds it against the agent that it ends in place of an answer', async () => {
    const world = await run(inSession([]), {
      onFrame(frame, other) {
        if (frame.method === 'initialize') other.answer(frame, { protocolVersion: 1 });
        else other.exit(1);
      },
    });
    assert.equal(decisions(world), '-RPC-05');
    assert.equal(world.result.reason, 'the agent ended before the result of session/new came');
  });

  it('blocks the script by AUTH-04 when authentication is asked for after it succeeded', async () => {
    const { result } = await run(
      {
        steps: [
          { initialize: {} },
          { request: 'authenticate', as: 'auth', params: { methodId: 'key' } },
          { expect: { response: 'auth' } },
          { 'new-session': { as: 's' } },
        ],
      },
      {
        onFrame(frame, other) {
          if (frame.method === 'initialize') other.answer(frame, { protocolVersion: 1 });
          else if (frame.method === 'authenticate') other.answer(frame, {});
          else other.refuse(frame, -32000);
        },
      },
    );
    assert.deepEqual([result.verdict, result.blockedBy], ['blocked', 'AUTH-04']);
  });

  it('blocks the script by SESS-02 when the result has no sessionId', async () => {
    const { result } = await run(inSession([]), {
      onFrame(frame, other) {
        other.answer(frame, { protocolVersion: 1 });
      },
    });
    assert.deepEqual([result.verdict, result.blockedBy], ['blocked', 'SESS-02']);
  });
});

describe('restart', () => {
  it('goes on with a new connection, saved values kept, unread frames gone', async () => {
    const world = await run(
      inSession([
        { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
        { restart: { stop: 'eof' } },
        { initialize: {} },
        { request: 'session/load', as: 'load', params: { sessionId: '$s.sessionId' } },
        { expect: { method: 'session/update' }, as: 'first' },
        { expect: { response: 'load' }, checks: ['LOAD-09'] },
        { restart: { stop: 'kill' } },
      ]),
      {
        onFrame: agent((frame, other) => {
          other.send({ jsonrpc: '2.0', method: 'session/update', params: { connection: other.connection } });
          other.answer(frame, {});
        }),
      },
    );
    assert.equal(world.result.reason, undefined);
    assert.equal(decisions(world), '+LOAD-09');
    assert.deepEqual(paramsOf(world.result.saved.first as JsonObject), { connection: 2 });
    assert.deepEqual(world.calls, ['started', 'eof', 'kill']);
  });

  it('blocks the script when the agent does not start again', async () => {
    let count = 0;
    const { result } = await run(
      { steps: [{ restart: { stop: 'kill' } }] },
      {
        replays: false,
        host: {
          async connect() {
            count += 1;
            if (count > 1) throw new Error('no such program');
            return createPortPair()[0];
          },
        },
      },
    );
    assert.deepEqual(
      [result.verdict, result.reason],
      ['blocked', 'the agent did not start again: no such program'],
    );
  });
});
