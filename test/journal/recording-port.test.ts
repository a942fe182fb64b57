import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal, type Entry, recordingPort } from '../../src/journal/index.ts';
import { createPortPair, encodeFrame, type Port, type PortEvent } from '../../src/wire/index.ts';
import { header, rawText } from './support.ts';

const setUp = (port: Port) => {
  const entries: Entry[] = [];
  const journal = createJournal({ header, onEntry: entry => entries.push(entry) });
  return { entries, journal, port: recordingPort(port, journal, { counterparty: 'agent', connection: 2 }) };
};

/** A Port whose events the test makes, and that notes what is sent. */
const handPort = () => {
  let listener: (event: PortEvent) => void = () => {};
  const sent: string[] = [];
  let ends = 0;
  const port: Port = {
    send: async bytes => void sent.push(Buffer.from(bytes).toString()),
    end() {
      ends += 1;
    },
    listen(given) {
      listener = given;
    },
  };
  return { port, sent, ends: () => ends, emit: (event: PortEvent) => listener(event) };
};

/** An entry in short. */
const short = (entry: Entry): string => {
  switch (entry.channel) {
    case 'acp':
      return `${entry.from}${entry.by ? ` ${entry.by}` : ''}${entry.declaredFault ? ' declared' : ''}: ${
        entry.line.kind === 'malformed' ? `${entry.line.fault} ` : ''
      }${rawText(entry)}`;
    case 'stderr':
      return `${entry.from} stderr: ${Buffer.from(entry.bytes)}`;
    default:
      return `${entry.channel} ${entry.what.event}`;
  }
};

test('an answer never precedes its request, even when it comes within the send', async () => {
  const [near, far] = createPortPair();
  const { entries, port } = setUp(near);
  far.listen(event => {
    if (event.type === 'line') void far.send(encodeFrame({ jsonrpc: '2.0', id: 1, result: {} }));
  });
  port.listen(() => {});
  await port.send(encodeFrame({ jsonrpc: '2.0', id: 1, method: 'x' }), { by: 'script' });
  while (entries.length < 2) await new Promise(setImmediate);
  assert.deepEqual(entries.map(short), [
    'client script: {"jsonrpc":"2.0","id":1,"method":"x"}',
    'agent: {"jsonrpc":"2.0","id":1,"result":{}}',
  ]);
  assert.equal(entries[0]?.connection, 2);
  assert.equal(entries[1]?.channel === 'acp' && entries[1].message?.type, 'result');
});

test('an entry is there before its bytes are written and before its event is delivered', async () => {
  const hand = handPort();
  const { entries, port } = setUp({
    ...hand.port,
    async send() {
      assert.equal(entries.length, 1);
    },
  });
  let delivered = 0;
  port.listen(event => {
    delivered += 1;
    assert.equal(entries.length, 1 + delivered);
    if (event.type === 'line') assert.equal(event.seq, entries.at(-1)?.seq);
  });
  await port.send(Buffer.from('{}\n'));
  const [near, far] = createPortPair();
  near.listen(hand.emit);
  await far.send(Buffer.from('{"a":1}\nrubbish\n'));
  await new Promise(setImmediate);
  assert.equal(delivered, 2);
});

test('bytes go to the carrier as given, whatever lines they make', async () => {
  const hand = handPort();
  const { port } = setUp(hand.port);
  for (const part of ['{"a"', ':1}\r\n\n[', ']']) await port.send(Buffer.from(part));
  assert.deepEqual(hand.sent, ['{"a"', ':1}\r\n\n[', ']']);
});

test('a part belongs to the line that it completes, and a declared fault in any part counts', async () => {
  const hand = handPort();
  const { entries, port } = setUp(hand.port);
  const sequences: number[] = [];
  const recorded = (seq: number): void => void sequences.push(seq);
  await port.send(Buffer.from('{"a"'), { by: 'script', declaredFault: true, recorded });
  assert.deepEqual(sequences, []);
  await port.send(Buffer.from(':1}\n{"b":2}\n{"c"'), { by: 'fixture', recorded });
  await port.send(Buffer.from(':3}\n'), { by: 'script', recorded });
  await port.send(Buffer.from('nope\n'), { by: 'script', declaredFault: true });
  await port.send(Buffer.from('{}\n'), { by: 'script' });
  assert.deepEqual(entries.map(short), [
    'client fixture declared: {"a":1}',
    'client fixture: {"b":2}',
    'client script: {"c":3}',
    'client script declared: not-json nope',
    'client script: {}',
  ]);
  assert.deepEqual(sequences, [1, 2, 3]);
});

test('the end of the input is recorded once, after what was not terminated', () => {
  const hand = handPort();
  const { entries, port } = setUp(hand.port);
  void port.send(Buffer.from('{"a":1}'), { by: 'script', declaredFault: true });
  port.end();
  port.end();
  assert.deepEqual(entries.map(short), [
    'client script declared: unterminated {"a":1}',
    'process input-closed',
  ]);
  assert.ok(hand.ends() >= 1);
});

test('all that a counterparty does is recorded in the order observed', () => {
  const hand = handPort();
  const { entries, port } = setUp(hand.port);
  const events: PortEvent['type'][] = [];
  port.listen(event => events.push(event.type));
  void port.send(Buffer.from('half'));
  hand.emit({ type: 'stderr', bytes: Buffer.from('oh') });
  hand.emit({ type: 'broken', reason: 'EPIPE' });
  hand.emit({ type: 'eof' });
  hand.emit({ type: 'exit', code: null, signal: 'SIGKILL' });
  assert.deepEqual(entries.map(short), [
    'agent stderr: oh',
    'process broken',
    'process eof',
    'client script: unterminated half',
    'process exit',
  ]);
  assert.deepEqual(events, ['stderr', 'broken', 'eof', 'exit']);
  assert.deepEqual(entries.at(-1)?.channel === 'process' && entries.at(-1), {
    seq: 5,
    t: entries.at(-1)?.t,
    connection: 2,
    channel: 'process',
    from: 'agent',
    what: { event: 'exit', code: null, signal: 'SIGKILL' },
  });
});

test('of a line that the end of the process cuts off, the rest is no line of its own', async () => {
  const hand = handPort();
  const { entries, port } = setUp(hand.port);
  port.listen(() => {});
  const send = (text: string) => port.send(Buffer.from(text), { by: 'script' });
  await send('{"a":');
  hand.emit({ type: 'exit', code: 0, signal: null });
  await send('1');
  await send('}\n');
  await send('{"b":2}\n');
  assert.deepEqual(entries.map(short), [
    'client script: unterminated {"a":',
    'process exit',
    'client script: {"b":2}',
  ]);
  assert.deepEqual(hand.sent.join(''), '{"a":1}\n{"b":2}\n');
});
