import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileScript } from '../../src/script/index.ts';
import { agent, answering, decisions, inSession, paramsOf, run, update } from './world.ts';

const textsOf = (lines: readonly { readonly bytes: Uint8Array }[]) =>
  lines.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));

describe('request, notify and respond', () => {
  it('send frames with values filled in; requests count from 0', async () => {
    const { sent } = await run(
      {
        parameters: { method: ['_one'] },
        steps: [
          { request: '$param.method', as: 'first', params: { path: '${workspace}/a', price: '$$5' } },
          { request: '_two', id: 'own' },
          { notify: '$/cancel_request', params: { requestId: '$first.request.id' } },
          { expect: { method: 'ask' }, as: 'asked' },
          { respond: '$asked.id', result: { echo: '$asked.params' } },
          { respond: '$asked.id', error: { code: -32603, message: 'no' } },
        ],
      },
      {
        onStart: other => other.send({ jsonrpc: '2.0', id: 'q', method: 'ask', params: { a: [1] } }),
      },
    );
    assert.deepEqual(sent, [
      { jsonrpc: '2.0', id: 0, method: '_one', params: { path: '/work/space/a', price: '$5' } },
      { jsonrpc: '2.0', id: 'own', method: '_two' },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 0 } },
      { jsonrpc: '2.0', id: 'q', result: { echo: { a: [1] } } },
      { jsonrpc: '2.0', id: 'q', error: { code: -32603, message: 'no' } },
    ]);
  });

  it('an agent script names its requests by texts', async () => {
    const { sent } = await run(
      { role: 'agent', steps: [{ request: 'session/request_permission' }, { request: '_x' }] },
      { onStart: other => other.end() },
    );
    assert.deepEqual(
      sent.map(({ id }) => id),
      ['script-1', 'script-2'],
    );
  });

  it("marks what is sent as the script's, and as a declared fault where it says so", async () => {
    const { entries } = await run({ steps: [{ notify: '_good' }, { notify: '_bad', fault: true }] });
    const marks = entries.flatMap(entry =>
      entry.channel === 'acp' ? [[entry.by, entry.declaredFault]] : [],
    );
    assert.deepEqual(marks, [
      ['script', undefined],
      ['script', true],
    ]);
  });

  it('what the counterparty left out blocks the script', async () => {
    const { result } = await run(
      {
        steps: [
          { expect: { method: '_hello' }, as: 'hello' },
          { notify: '_x', params: { option: '$hello.params.options.0' } },
        ],
      },
      { onStart: other => other.send({ jsonrpc: '2.0', method: '_hello', params: { options: [] } }) },
    );
    assert.deepEqual([result.verdict, result.reason], ['blocked', '$hello.params.options.0 has no value']);
  });
});

describe('raw', () => {
  it('writes text, hex and fill, each with a line feed or its own terminator', async () => {
    const { lines } = await run(
      {
        steps: [
          { raw: { text: '{"method":"${workspace}",', terminator: '' } },
          { raw: { text: '"n":1}', terminator: '\r\n' } },
          { raw: { hex: 'ff fe' }, fault: true },
          { raw: { fill: { bytes: 5, with: 'ab' } }, fault: true },
          { raw: { fill: { bytes: 3 } }, fault: true },
          { notify: '_last' },
        ],
      },
      { onStart() {}, onFrame: (frame, other) => frame.method === '_last' && other.end() },
    );
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    assert.deepEqual(textsOf(lines).slice(0, 4), [
      '{"method":"/work/space","n":1}',
      '\ufffd\ufffd',
      'ababa',
      'xxx',
    ]);
    assert.deepEqual(
      lines.slice(0, 3).map(line => (line.kind === 'malformed' ? line.fault : line.carriageReturn)),
      [true, 'invalid-utf8', 'not-json'],
    );
  });

  it('puts values into its text as they stand within a JSON string', async () => {
    const workspace = '/a "b" \\c\nd';
    const { sent } = await run(
      {
        steps: [
          { notify: '_named', params: { uri: '${workspaceUri}/x' } },
          { raw: { text: '{"jsonrpc":"2.0","method":"_raw","params":{"cwd":"${workspace}"}}' } },
        ],
      },
      { bindings: { workspace } },
    );
    const uri = 'file:///a%20%22b%22%20%5Cc%0Ad/x';
    assert.deepEqual(sent.map(paramsOf), [{ uri }, { cwd: workspace }]);
  });

  it('knows the method that the user has credentials for', async () => {
    const { sent } = await run(
      { steps: [{ request: 'authenticate', params: { methodId: '$auth' } }] },
      { bindings: { auth: 'key' } },
    );
    assert.deepEqual(sent.map(paramsOf), [{ methodId: 'key' }]);
  });

  it('reads a file beside the script when it is compiled, and the digest covers it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'script-'));
    try {
      const script = {
        id: 'a/b',
        title: 'T',
        role: 'client',
        steps: [{ raw: { file: 'line.bin' } }],
      } as const;
      const source = join(folder, 'script.yaml');
      writeFileSync(join(folder, 'line.bin'), Buffer.from([0x7b, 0x7d]));
      const first = await compileScript(script, source);
      writeFileSync(join(folder, 'line.bin'), Buffer.from([0x5b, 0x5d]));
      const second = await compileScript(script, source);
      assert.deepEqual(first.script.steps, [{ raw: { hex: '7b7d' } }]);
      assert.notEqual(first.digest, second.digest);
      await assert.rejects(
        compileScript({ ...script, steps: [{ raw: { file: 'none' } }] }, source),
        /script\.yaml#\/steps\/0\/raw\/file {2}cannot read none: ENOENT/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can begin an exchange whose id stands in the bytes', async () => {
    const { result } = await run(
      {
        steps: [
          { raw: { text: '{"jsonrpc":"2.0","id":900,', terminator: '' } },
          { raw: { text: '"method":"_x"}' }, as: 'x', id: 900 },
          { expect: { response: 'x', result: { ok: true } }, checks: ['FRM-14'] },
        ],
      },
      { onFrame: (frame, other) => other.answer(frame, { ok: true }) },
    );
    assert.deepEqual(result.decided, [{ requirement: 'FRM-14', outcome: 'pass' }]);
  });

  it('lets no frame of the actor into a line that is half written', async () => {
    const { factory } = answering({ from: 'actor' });
    const { lines } = await run(
      {
        steps: [
          { raw: { text: '{"jsonrpc":"2.0",', terminator: '' } },
          { await: 'asked' },
          { raw: { text: '"method":"_whole"}' } },
          { expect: { method: '_done' } },
        ],
        handlers: [{ match: { method: '_second' }, steps: [{ signal: 'asked' }] }],
      },
      {
        actor: factory,
        onStart(other) {
          other.send({ jsonrpc: '2.0', id: 1, method: '_first' });
          other.send({ jsonrpc: '2.0', id: 2, method: '_second' });
        },
        onFrame: (frame, other) => frame.id === 1 && other.send({ jsonrpc: '2.0', method: '_done' }),
      },
    );
    assert.deepEqual(textsOf(lines), [
      '{"jsonrpc":"2.0","method":"_whole"}',
      '{"jsonrpc":"2.0","id":1,"result":{"from":"actor"}}',
    ]);
  });
});

describe('options of sending', () => {
  it('chunk writes in pieces, and the other side puts them together', async () => {
    const { lines } = await run(
      {
        steps: [
          { request: '_größe', as: 'x', params: { text: '漢字' }, chunk: 1 },
          { expect: { response: 'x' } },
        ],
      },
      { onFrame: (frame, other) => other.answer(frame, null) },
    );
    assert.deepEqual(textsOf(lines), ['{"jsonrpc":"2.0","id":0,"method":"_größe","params":{"text":"漢字"}}']);
  });

  it('repeat sends again with $repeat, and requests get an id each', async () => {
    const { sent, result } = await run(
      {
        steps: [
          { notify: '_n', params: { number: '$repeat' }, repeat: 3 },
          { request: '_r', as: 'last', repeat: 2 },
          { expect: { response: 'last' }, as: 'answer' },
        ],
      },
      { onFrame: (frame, other) => frame.id !== undefined && other.answer(frame, frame.id as number) },
    );
    assert.deepEqual(
      sent.map(frame => frame.id ?? paramsOf(frame).number),
      [0, 1, 2, 0, 1],
    );
    assert.deepEqual(result.saved.answer, { jsonrpc: '2.0', id: 1, result: 1 });
  });

  it('delay waits first', async () => {
    const { entries } = await run({ steps: [{ notify: '_a' }, { notify: '_b', delay: '20ms' }] });
    const kinds = entries.flatMap(entry =>
      entry.channel === 'acp'
        ? ['frame']
        : entry.channel === 'bench' && entry.what.event === 'timer'
          ? ['timer']
          : [],
    );
    assert.deepEqual(kinds, ['frame', 'timer', 'frame']);
  });

  const cancelAt = (frames: number | '$param.frames') =>
    inSession(
      [
        { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
        {
          notify: 'session/cancel',
          params: { sessionId: '$s.sessionId' },
          at: { frames, of: 'turn' },
          guard: { unanswered: 'turn' },
        },
        { expect: { response: 'turn' }, checks: ['RPC-05'] },
      ],
      { parameters: { frames: [2] } },
    );
  const streaming = (count: number) =>
    agent((frame, other) => {
      if (frame.method === 'session/prompt') {
        other.send(update('elsewhere', 's-2'));
        for (let number = 1; number <= count; number += 1) other.send(update(`${number}`));
        if (count < 5) other.answer(frame, { stopReason: 'end_turn' });
        else
          other.send({ jsonrpc: '2.0', id: 'p', method: 'fs/read_text_file', params: { sessionId: 's-1' } });
      }
      if (frame.method === 'session/cancel')
        other.send({ jsonrpc: '2.0', id: 2, result: { stopReason: 'cancelled' } });
    });

  it('at waits for n frames of the exchange, those of other sessions not counted, handled or not', async () => {
    for (const frames of [5, 6, '$param.frames'] as const) {
      const world = await run(cancelAt(frames), { onFrame: streaming(5), actor: answering().factory });
      assert.equal(world.result.verdict, 'done');
      assert.equal(decisions(world), '+RPC-05');
    }
  });

  it('at is inconclusive when the exchange is answered before', async () => {
    const { result } = await run(cancelAt(4), { onFrame: streaming(3) });
    assert.deepEqual(
      [result.verdict, result.reason],
      ['inconclusive', '"turn" was answered after 3 frames, before frame 4'],
    );
  });

  it('at blocks when too few frames come', async () => {
    const { result } = await run(cancelAt(9), { onFrame: streaming(5) });
    assert.deepEqual(
      [result.verdict, result.reason],
      ['blocked', 'frame 9 of session/prompt did not come within 5s'],
    );
  });

  it('guard is inconclusive when the exchange was answered before the write', async () => {
    const { result, sent } = await run(
      inSession([
        { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
        { expect: { method: 'session/update' } },
        { notify: 'session/cancel', delay: '10ms', guard: { unanswered: 'turn' } },
      ]),
      { onFrame: streaming(1) },
    );
    assert.deepEqual(
      [result.verdict, result.reason],
      ['inconclusive', 'the race was lost: "turn" was answered before this was written'],
    );
    assert.equal(sent.length, 3);
  });

  it('guard is inconclusive when the answer is read while it is written', async () => {
    const { result, sent } = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          { notify: '_late', params: { text: 'some bytes' }, chunk: 1, guard: { unanswered: 'x' } },
        ],
      },
      { onFrame: (frame, other) => frame.method === '_x' && other.answer(frame, {}) },
    );
    assert.equal(result.verdict, 'inconclusive');
    assert.equal(sent.length, 2);
  });

  it('an agent that does not read its input blocks a write that is waited for', async () => {
    const { result } = await run(
      { steps: [{ notify: '_x', chunk: 4 }] },
      {
        replays: false,
        host: {
          connect: async () => ({ send: () => new Promise(() => {}), end() {}, listen() {} }),
        },
      },
    );
    const { verdict, reason, timedOut } = result;
    // A slow machine looks the same, so that it is worth another run with nothing beside it.
    assert.deepEqual([verdict, reason, timedOut], ['blocked', 'the agent does not read its input', true]);
  });
});

describe('close and exit', () => {
  it('close input ends the input of the agent', async () => {
    const { result } = await run(
      { steps: [{ close: 'input' }, { expect: { event: 'exit', code: 0 }, checks: ['FRM-12'] }] },
      { onEnd: other => other.exit(0) },
    );
    assert.deepEqual(result.decided, [{ requirement: 'FRM-12', outcome: 'pass' }]);
  });

  it('close output of a client script stops reading; of an agent script it ends its own output', async () => {
    const client = await run({ steps: [{ close: 'output' }] });
    assert.deepEqual(client.calls, ['started', 'stopReading']);
    let ended = false;
    await run(
      { role: 'agent', steps: [{ close: 'output' }] },
      {
        onEnd(other) {
          ended = true;
          other.end();
        },
      },
    );
    assert.equal(ended, true);
  });

  it('exit ends the run with that code, whatever else goes on', async () => {
    const { calls, result } = await run({
      role: 'agent',
      steps: [{ notify: '_bye' }, { exit: 3 }, { notify: '_never' }],
    });
    assert.deepEqual(calls, ['started', 'exit 3']);
    assert.equal(result.verdict, 'done');
  });
});
