import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { referenceAgent } from '../../src/reference-agent/index.ts';
import { encodeFrame, type Frame, type JsonObject, readMessage, systemClock } from '../../src/wire/index.ts';
import { allCapabilities, codeOf, converse, initialize, newSession } from './conversation.ts';

describe('initialize', () => {
  it('states every capability and who the agent is', async test => {
    const agent = converse(test);
    const { result } = await agent.request('initialize', { protocolVersion: 1 });
    const { agentInfo, ...rest } = result!;
    assert.deepEqual(Object.keys(agentInfo as object).sort(), ['name', 'title', 'version']);
    assert.deepEqual(rest, {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      authMethods: [{ id: 'reference-login', name: 'Reference login' }],
    });
  });

  for (const version of [0, 1, 2, 999, 65535]) {
    it(`answers version ${version} with 1, the latest it speaks`, async test => {
      const { result } = await converse(test).request('initialize', { protocolVersion: version });
      assert.equal(result?.protocolVersion, 1);
    });
  }

  for (const version of [undefined, null, '1', 1.5, -1, 65536]) {
    it(`refuses version ${JSON.stringify(version)} with -32602`, async test => {
      assert.equal(await codeOf(converse(test).request('initialize', { protocolVersion: version })), -32602);
    });
  }

  it('tolerates unknown members and malformed optional ones', async test => {
    const { result } = await converse(test).request('initialize', {
      protocolVersion: 1,
      clientInfo: 5,
      clientCapabilities: { fs: 'all', terminal: 'yes', holograms: { depth: 3 }, _meta: { 'x.y/z': [1] } },
      _meta: { traceparent: 7 },
      extra: true,
    });
    assert.equal(result?.protocolVersion, 1);
  });

  it('refuses a second time and keeps serving', async test => {
    const agent = converse(test);
    await initialize(agent);
    assert.equal(await codeOf(agent.request('initialize', { protocolVersion: 1 })), -32600);
    await newSession(agent);
  });

  it('comes before everything but unknown methods', async test => {
    const agent = converse(test);
    assert.equal(await codeOf(agent.request('session/new', { cwd: '/work', mcpServers: [] })), -32600);
    assert.equal(await codeOf(agent.request('authenticate', { methodId: 'reference-login' })), -32600);
    assert.equal(await codeOf(agent.request('nothing/like_this', {})), -32601);
    agent.notify('session/cancel', { sessionId: 'none' });
    await agent.settle();
    assert.equal(agent.frames.length, 3);
    await initialize(agent);
  });
});

describe('An initialize that a script answered', () => {
  it('counts for the agent behind it', async () => {
    const sent: JsonObject[] = [];
    const actor = referenceAgent()({ clock: systemClock, send: frame => sent.push(frame), exit() {} });
    const frame = { jsonrpc: '2.0', id: 1, method: 'session/list' };
    const list = () => actor.receive(lineOf(frame), readMessage(frame));
    list();
    actor.sent?.({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } });
    list();
    assert.deepEqual(
      sent.map(({ error, result }) => (error as JsonObject | undefined)?.code ?? result),
      [-32600, { sessions: [] }],
    );
    await actor.dispose();
  });
});

const lineOf = (value: JsonObject): Frame => ({
  kind: 'frame',
  bytes: encodeFrame(value).subarray(0, -1),
  value,
  carriageReturn: false,
});

describe('authenticate and logout', () => {
  it('succeed with an announced method and refuse another', async test => {
    const agent = converse(test);
    await initialize(agent);
    assert.deepEqual((await agent.request('authenticate', { methodId: 'reference-login' })).result, {});
    assert.equal(await codeOf(agent.request('authenticate', { methodId: 'bench-unknown' })), -32602);
    assert.equal(await codeOf(agent.request('authenticate', {})), -32602);
    assert.deepEqual((await agent.request('logout', {})).result, {});
  });

  it('gate sessions with -32000 where the behaviour demands it', async test => {
    const agent = converse(test, {
      behaviour: { auth: { required: true, methods: [{ id: 'key', name: 'Key' }] } },
    });
    await initialize(agent);
    const attempt = () => codeOf(agent.request('session/new', { cwd: '/work', mcpServers: [] }));
    assert.equal(await attempt(), -32000);
    await agent.request('authenticate', { methodId: 'key' });
    assert.equal(await attempt(), undefined);
    await agent.request('logout');
    assert.equal(await attempt(), -32000);
  });

  it('offer terminal methods only to clients that advertise auth.terminal', async test => {
    const methods = [
      { id: 'key', name: 'Key' },
      { id: 'tty', name: 'Terminal', type: 'terminal', args: ['--login'] },
    ];
    for (const [clientCapabilities, offered] of [
      [{}, ['key']],
      [allCapabilities, ['key', 'tty']],
    ] as const) {
      const agent = converse(test, { behaviour: { auth: { methods } } });
      const { result } = await agent.request('initialize', { protocolVersion: 1, clientCapabilities });
      assert.deepEqual(
        (result!.authMethods as { id: string }[]).map(({ id }) => id),
        offered,
      );
    }
  });
});

describe('What is no request for the agent', () => {
  const answers: readonly (readonly [line: string, code: number, id: number | string | null])[] = [
    ['{"jsonrpc":"2.0",', -32700, null],
    ['plain words', -32700, null],
    ['[]', -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', -32600, null],
    ['42', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":1}', -32600, 7],
    ['{"jsonrpc":"1.0","id":"a","method":"initialize"}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":{},"method":"initialize"}', -32600, null],
    ['{}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":"_bench/none"}', -32601, 7],
    ['{"jsonrpc":"2.0","id":"7","method":"authenticate","params":[]}', -32602, '7'],
  ];
  for (const [line, code, id] of answers) {
    it(`gets ${code} with id ${id} for the line ${line}, and the connection survives`, async test => {
      const agent = converse(test, { accepts: ['RPC-05'] });
      await initialize(agent);
      agent.raw(`${line}\n`);
      await agent.settle();
      const [, { error, ...rest }, ...others] = agent.frames as [unknown, { error?: { code: number } }];
      assert.deepEqual([error?.code, rest, others], [code, { jsonrpc: '2.0', id }, []]);
      await newSession(agent);
    });
  }

  const ignored = [
    '',
    '{"jsonrpc":"2.0","method":"_bench/note"}',
    '{"jsonrpc":"2.0","method":"session/cancel","params":[]}',
    '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"none"}}',
    '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":99}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}',
  ];
  for (const line of ignored) {
    it(`is not answered: ${line || 'a blank line'}`, async test => {
      const agent = converse(test);
      await initialize(agent);
      agent.raw(`${line}\n`);
      await agent.settle();
      assert.equal(agent.frames.length, 1);
      await newSession(agent);
    });
  }

  it('is read although its bytes come one at a time, or many frames at once', async test => {
    const agent = converse(test);
    for (const byte of Buffer.from(
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n',
    )) {
      agent.raw(String.fromCharCode(byte));
    }
    agent.raw(
      '{"jsonrpc":"2.0","id":"a","method":"session/list"}\r\n{"jsonrpc":"2.0","id":"b","method":"session/list"}\n',
    );
    await agent.settle();
    assert.deepEqual(
      agent.frames.map(({ id }) => id),
      [0, 'a', 'b'],
    );
  });
});

describe('The end of input', () => {
  it('ends the agent with code 0', async test => {
    const agent = converse(test);
    await initialize(agent);
    agent.end();
    assert.equal(await agent.exited, 0);
  });
});
