import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConnectionLost,
  createPeer,
  createPortPair,
  encodeFrame,
  type JsonObject,
  type Peer,
  type PeerOptions,
  type Port,
  ResponseError,
  type Stray,
} from '../../src/wire/index.ts';

/** A peer, and the hand-worked other side of its Port. */
const setUp = (options: PeerOptions = {}) => {
  const [own, other] = createPortPair({ chunk: 5 });
  const strays: Stray[] = [];
  const peer = createPeer(own, { onStray: stray => strays.push(stray), ...options });
  return { peer, strays, other: byHand(other) };
};

const byHand = (port: Port) => {
  const received: JsonObject[] = [];
  let wake = (): void => {};
  port.listen(event => {
    if (event.type === 'line' && event.line.kind === 'frame') received.push(event.line.value);
    wake();
  });
  return {
    ...port,
    /** The next frame that the peer sent. */
    async next(): Promise<JsonObject> {
      while (received.length === 0) await new Promise<void>(resolve => (wake = resolve));
      return received.shift()!;
    },
    write: (frame: JsonObject) => port.send(encodeFrame({ jsonrpc: '2.0', ...frame })),
    text: (text: string) => port.send(Buffer.from(text)),
  };
};

const types = (strays: readonly Stray[]) => strays.map(stray => stray.type);

test('a result finds its request, whatever the order of the answers', async () => {
  const { peer, other } = setUp();
  const answers = Promise.all([peer.request('a', { x: 1 }), peer.request('b')]);
  const [a, b] = [await other.next(), await other.next()];
  assert.deepEqual(
    [a, b],
    [
      { jsonrpc: '2.0', id: 0, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 1, method: 'b' },
    ],
  );
  await other.write({ id: 1, result: 'B' });
  await other.write({ id: 0, result: 'A' });
  assert.deepEqual(await answers, ['A', 'B']);
});

test('an error response rejects with its code, message and data', async () => {
  const { peer, other } = setUp();
  const answer = peer.request('a');
  await other.write({ id: 0, error: { code: -32000, message: 'log in first', data: { how: 'x' } } });
  await assert.rejects(answer, new ResponseError(-32000, 'log in first', { how: 'x' }));
});

test('an answer with the id as text answers nothing', async () => {
  const { peer, other, strays } = setUp();
  const answer = peer.request('a');
  await other.write({ id: '0', result: 'wrong' });
  assert.deepEqual(types(strays), ['unsolicited']);
  await other.write({ id: 0, result: 'right' });
  assert.equal(await answer, 'right');
});

test('a second answer is reported as duplicate and changes nothing', async () => {
  const { peer, other, strays } = setUp();
  const answer = peer.request('a');
  await other.write({ id: 0, result: 1 });
  await other.write({ id: 0, error: { code: 1, message: 'too late' } });
  assert.equal(await answer, 1);
  assert.deepEqual(types(strays), ['duplicate']);
});

test('an answer that nobody waits for any more is late once, then a duplicate', async () => {
  const { peer, other, strays } = setUp();
  const patience = new AbortController();
  const answer = peer.request('a', {}, patience.signal);
  patience.abort(new Error('waited long enough'));
  await assert.rejects(answer, /waited long enough/);
  await other.write({ id: 0, result: 1 });
  await other.write({ id: 0, result: 1 });
  assert.deepEqual(types(strays), ['late', 'duplicate']);
});

test('answers to requests that were never sent are unsolicited, but an error with id null is not', async () => {
  const { other, strays } = setUp();
  await other.write({ id: 0, result: 1 });
  await other.write({ id: 99, result: 1 });
  await other.write({ id: null, result: 1 });
  await other.write({ id: null, error: { code: -32700, message: 'what?' } });
  assert.deepEqual(types(strays), ['unsolicited', 'unsolicited', 'unsolicited', 'unaddressed']);
});

test('an answer with a faulty envelope is reported and still counts as the answer', async () => {
  const { peer, other, strays } = setUp();
  const answer = peer.request('a');
  await other.write({ jsonrpc: '1.0', id: 0, result: 'old' });
  assert.equal(await answer, 'old');
  assert.deepEqual(types(strays), ['invalid']);
});

test('requests are served while own ones are open, and answered in the order in which they finish', async () => {
  const releases = new Map<string, () => void>();
  const { peer, other } = setUp({
    onRequest: ({ method }) => new Promise(resolve => releases.set(method, () => resolve({ did: method }))),
  });
  void peer.request('mine').catch(() => {});
  await other.next();
  await other.write({ id: 'x', method: 'slow' });
  await other.write({ id: 0, method: 'fast' });
  releases.get('fast')?.();
  assert.deepEqual(await other.next(), { jsonrpc: '2.0', id: 0, result: { did: 'fast' } });
  releases.get('slow')?.();
  assert.deepEqual(await other.next(), { jsonrpc: '2.0', id: 'x', result: { did: 'slow' } });
});

const answered: readonly [what: string, options: PeerOptions, line: string, answer: JsonObject][] = [
  ['an unknown method', {}, '{"jsonrpc":"2.0","id":1,"method":"_x"}', { id: 1, error: { code: -32601 } }],
  [
    'a handler that throws a ResponseError',
    {
      onRequest: () => {
        throw new ResponseError(-32002, 'none', { path: '/x' });
      },
    },
    '{"jsonrpc":"2.0","id":1,"method":"m"}',
    { id: 1, error: { code: -32002, message: 'none', data: { path: '/x' } } },
  ],
  [
    'a handler that fails otherwise',
    { onRequest: () => Promise.reject(new TypeError('oops')) },
    '{"jsonrpc":"2.0","id":1,"method":"m"}',
    { id: 1, error: { code: -32603, message: 'oops' } },
  ],
  ['a line that is not JSON', {}, 'banner', { id: null, error: { code: -32700 } }],
  ['a batch', {}, '[]', { id: null, error: { code: -32600 } }],
  ['a request without jsonrpc', {}, '{"id":1,"method":"m"}', { id: 1, error: { code: -32600 } }],
  [
    'a method that is no text',
    {},
    '{"jsonrpc":"2.0","id":"a","method":1}',
    { id: 'a', error: { code: -32600 } },
  ],
  ['a fractional id', {}, '{"jsonrpc":"2.0","id":1.5,"method":"m"}', { id: null, error: { code: -32600 } }],
];

for (const [what, options, line, expected] of answered) {
  test(`${what} is answered with ${JSON.stringify(expected)}`, async () => {
    const { other } = setUp(options);
    await other.text(`${line}\n`);
    const { id, error } = await other.next();
    assert.equal(id, expected.id);
    assert.deepEqual({ ...(error as JsonObject), ...(expected.error as JsonObject) }, error);
  });
}

test('notifications, responses and blank lines are never answered, however faulty', async () => {
  const { peer, other } = setUp();
  await other.text('{"jsonrpc":"2.0","method":"_unknown"}\n{"method":"m"}\n{"id":5,"result":1}\n\n');
  await other.text('{"jsonrpc":"2.0","id":5,"result":1,"error":{}}\n{"jsonrpc":"2.0","error":{}}\n');
  peer.notify('marker');
  assert.equal((await other.next()).method, 'marker');
});

test('notifications arrive in order, before the answer that follows them', async () => {
  const seen: string[] = [];
  const { peer, other } = setUp({ onNotification: ({ method }) => seen.push(method) });
  const answer = peer.request('a').then(() => seen.push('answer'));
  await other.write({ method: 'one' });
  await other.write({ method: 'two' });
  await other.write({ id: 0, result: {} });
  await answer;
  assert.deepEqual(seen, ['one', 'two', 'answer']);
});

test('an answer that is decided at once goes out before anything that is sent afterwards', async () => {
  const { peer, other } = setUp({
    onRequest: () => 'decided',
    onNotification: () => peer.notify('afterwards'),
  });
  await other.text('{"jsonrpc":"2.0","id":1,"method":"m"}\n{"jsonrpc":"2.0","method":"n"}\n');
  assert.equal((await other.next()).result, 'decided');
  assert.equal((await other.next()).method, 'afterwards');
});

test('a request that the other side cancels has its signal aborted, once the ids are equal in type', async () => {
  const { other } = setUp({
    onRequest: (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new ResponseError(-32800, 'cancelled'))),
      ),
  });
  await other.write({ id: 4, method: 'wait' });
  await other.write({ id: '4', method: 'wait' });
  await other.write({ method: '$/cancel_request', params: { requestId: '4' } });
  const answer = await other.next();
  assert.deepEqual([answer.id, (answer.error as JsonObject).code], ['4', -32800]);
});

test('when the other side closes its output, all that is open and all that is later is rejected', async () => {
  const { peer, other } = setUp();
  const open: Promise<unknown>[] = [peer.request('a'), peer.request('a')];
  other.end();
  for (const answer of open) {
    await assert.rejects(answer, new ConnectionLost('no answer to a: the other side closed its output'));
  }
  await assert.rejects(peer.request('a'), ConnectionLost);
});

test('a broken input and the end of the process reject what is open too', async () => {
  const lose = async (event: Parameters<Parameters<Port['listen']>[0]>[0]): Promise<string> => {
    let tell: (e: typeof event) => void = () => {};
    const port: Port = { send: async () => {}, end: () => {}, listen: listener => (tell = listener) };
    const peer: Peer = createPeer(port);
    const answer = peer.request('a');
    tell(event);
    return answer.then(
      () => 'answered',
      error => error.message,
    );
  };
  assert.match(await lose({ type: 'broken', reason: 'EPIPE' }), /takes no more input \(EPIPE\)/);
  assert.match(await lose({ type: 'exit', code: 3, signal: null }), /exited with code 3/);
  assert.match(await lose({ type: 'exit', code: null, signal: 'SIGKILL' }), /ended by SIGKILL/);
});
