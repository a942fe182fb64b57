import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import {
  type ActorFactory,
  connectActor,
  createPortPair,
  encodeFrame,
  type Port,
  type PortEvent,
  streamPort,
} from '../../src/wire/index.ts';

/** Events of a Port, up to and with the first of the given type. */
const eventsUntil = (port: Port, type: PortEvent['type']): Promise<PortEvent[]> =>
  new Promise(resolve => {
    const events: PortEvent[] = [];
    port.listen(event => {
      events.push(event);
      if (event.type === type) resolve(events);
    });
  });

const summary = (events: readonly PortEvent[]) =>
  events.map(event => (event.type === 'line' ? Buffer.from(event.line.bytes).toString() : event.type));

test('what one Port of a pair sends the other reads, with the end after it', async () => {
  const [a, b] = createPortPair({ chunk: 1 });
  void a.send(encodeFrame({ text: 'é' }));
  void a.send(Buffer.from('rest'));
  a.end();
  a.end();
  assert.deepEqual(summary(await eventsUntil(b, 'eof')), ['{"text":"é"}', 'rest', 'eof']);
});

test('one direction of a pair stays open when the other has ended', async () => {
  const [a, b] = createPortPair();
  a.end();
  void b.send(encodeFrame({ still: 'here' }));
  b.end();
  assert.deepEqual(summary(await eventsUntil(a, 'eof')), ['{"still":"here"}', 'eof']);
});

test('a sender may use its buffer again once a pair took it', async () => {
  const [a, b] = createPortPair();
  const bytes = Buffer.from('{"n":1}\n');
  const sent = a.send(bytes);
  bytes.fill('x');
  await sent;
  a.end();
  assert.deepEqual(summary(await eventsUntil(b, 'eof')), ['{"n":1}', 'eof']);
});

test('events before the first listener are kept for it', async () => {
  const [a, b] = createPortPair();
  await a.send(encodeFrame({ n: 1 }));
  assert.deepEqual(summary(await Promise.race([eventsUntil(b, 'line')])), ['{"n":1}']);
});

test('a pair keeps what comes while reading is paused, and hands it on in order', async () => {
  const [a, b] = createPortPair();
  const events: PortEvent[] = [];
  b.listen(event => events.push(event));
  b.pauseReading?.();
  await a.send(encodeFrame({ n: 1 }));
  await a.send(encodeFrame({ n: 2 }));
  assert.deepEqual(events, []);
  b.resumeReading?.();
  assert.deepEqual(summary(events), ['{"n":1}', '{"n":2}']);
});

const overStreams = (input: Writable = new PassThrough()) => {
  const output = new PassThrough();
  const stderr = new PassThrough();
  let exit: (status: { code: number; signal: null }) => void = () => {};
  const exited = new Promise<{ code: number; signal: null }>(resolve => (exit = resolve));
  return { port: streamPort({ input, output, stderr, exited }), input, output, stderr, exit };
};

test('a stream Port reports lines, the end, and the exit after it', async () => {
  const { port, output, exit } = overStreams();
  exit({ code: 0, signal: null });
  output.end('{"a":1}\nrest');
  assert.deepEqual(summary(await eventsUntil(port, 'exit')), ['{"a":1}', 'rest', 'eof', 'exit']);
});

test('a stream Port passes stderr on as bytes', async () => {
  const { port, stderr } = overStreams();
  stderr.write('log\n');
  const [event] = await eventsUntil(port, 'stderr');
  assert.equal(event?.type === 'stderr' && Buffer.from(event.bytes).toString(), 'log\n');
});

test('an output that is destroyed ends like one that ended', async () => {
  const { port, output } = overStreams();
  output.destroy(new Error('ECONNRESET'));
  assert.deepEqual(summary(await eventsUntil(port, 'eof')), ['eof']);
});

test('a write that fails resolves, and the failure comes once as broken', async () => {
  const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const { port, output } = overStreams(failing);
  const events = eventsUntil(port, 'eof');
  await port.send(Buffer.from('a'));
  await port.send(Buffer.from('b'));
  output.end();
  assert.deepEqual(await events, [{ type: 'broken', reason: 'EPIPE' }, { type: 'eof' }]);
});

test('ending a stream Port twice ends the input once and breaks nothing', async () => {
  const { port, input } = overStreams();
  port.end();
  port.end();
  const chunks: unknown[] = [];
  for await (const chunk of input as PassThrough) chunks.push(chunk);
  assert.deepEqual(chunks, []);
});

test('an actor connected to a Port gets its lines and its end, and closes its output when it exits', async () => {
  const [a, b] = createPortPair();
  const seen: string[] = [];
  const factory: ActorFactory = ({ send, exit }) => ({
    receive(_line, message) {
      seen.push(message?.type ?? 'malformed');
      if (message?.type === 'request') send({ jsonrpc: '2.0', id: message.id, result: {} });
    },
    ended() {
      seen.push('ended');
      exit(4);
    },
    dispose: async () => {},
  });
  const { exited } = connectActor(a, factory);
  void b.send(encodeFrame({ jsonrpc: '2.0', id: 1, method: 'm' }));
  void b.send(Buffer.from('oops\n'));
  b.end();
  assert.deepEqual(summary(await eventsUntil(b, 'eof')), ['{"jsonrpc":"2.0","id":1,"result":{}}', 'eof']);
  assert.equal(await exited, 4);
  assert.deepEqual(seen, ['request', 'malformed', 'ended']);
});

test('a stream Port whose reading is paused lets its writer wait, and loses nothing', async () => {
  const { port, output, exit } = overStreams();
  const events = eventsUntil(port, 'exit');
  port.pauseReading?.();
  const bytes = output.readableHighWaterMark + output.writableHighWaterMark;
  output.write('x'.repeat(bytes));
  output.write('x\n');
  await new Promise(setImmediate);
  assert.equal(output.writableNeedDrain, true);
  output.end();
  exit({ code: 0, signal: null });
  port.resumeReading?.();
  const [line, ...rest] = await events;
  assert.equal(line?.type === 'line' && line.line.bytes.length, bytes + 1);
  assert.deepEqual(
    rest.map(({ type }) => type),
    ['eof', 'exit'],
  );
});
