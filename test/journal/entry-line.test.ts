import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, parseEntry, serializeEntry } from '../../src/journal/index.ts';
import { readMessage } from '../../src/wire/index.ts';
import { anyEntry } from './arbitrary-entry.ts';
import { asKept, lineOf } from './support.ts';

const place = { seq: 12, t: 1234.567, connection: 1 } as const;

const acp = (bytes: string | Uint8Array, more: object = {}): Entry => {
  const line = lineOf(bytes);
  const message = line.kind === 'frame' ? readMessage(line.value) : undefined;
  return { ...place, channel: 'acp', from: 'agent', line, message, ...more } as Entry;
};

const textOf = (entry: Entry): string => Buffer.from(serializeEntry(entry)).toString('utf8');

test('the bytes of a frame stand at the end of its line as they came', () => {
  const raw = ' {"id" : 1.0,"id":2e0, "jsonrpc":"2.0","method":"\\u0078\\/y","params":{}}\t';
  assert.equal(
    textOf(acp(raw)),
    `{"seq":12,"t":1234.567,"connection":1,"channel":"acp","from":"agent","frame":${raw}}`,
  );
});

test('a carriage return, the sender and a declared fault are noted before the frame', () => {
  assert.equal(
    textOf(acp('{}\r', { by: 'script', declaredFault: true })),
    '{"seq":12,"t":1234.567,"connection":1,"channel":"acp","from":"agent","by":"script","declaredFault":true,"cr":true,"frame":{}}',
  );
});

test('a malformed line is kept as text when it is UTF-8, and else in base64', () => {
  assert.equal(
    textOf(acp('nö "\\')),
    '{"seq":12,"t":1234.567,"connection":1,"channel":"acp","from":"agent","malformed":"not-json","detail":"Unexpected token \'ö\'","text":"nö \\"\\\\"}'.replace(
      "Unexpected token 'ö'",
      (lineOf('nö "\\') as { detail: string }).detail,
    ),
  );
  const { base64, text } = JSON.parse(textOf(acp(Buffer.from([0x7b, 0xff]))));
  assert.deepEqual([base64, text], ['e/8=', undefined]);
});

test('a carriage return within a frame is white space and survives the way through the file', () => {
  const read = parseEntry(serializeEntry(acp('{\r"a":1}\r\r')));
  assert.deepEqual(read, asKept(acp('{\r"a":1}\r\r')));
});

test('a frame of 16 MiB comes back byte for byte', () => {
  const entry = acp(`{"jsonrpc":"2.0","method":"x","params":{"text":"${'é\\n'.repeat(4 * 1024 * 1024)}"}}`);
  const read = parseEntry(serializeEntry(entry));
  assert.ok(read.channel === 'acp' && entry.channel === 'acp');
  assert.ok(Buffer.from(entry.line.bytes).equals(read.line.bytes));
  assert.deepEqual(read.message?.type, 'notification');
});

test('a text that looks like the marker of a frame is not taken for one', () => {
  const entry: Entry = {
    ...place,
    channel: 'bench',
    what: { event: 'note', text: 'see ,"frame":{"jsonrpc":"2.0"}' },
  };
  assert.deepEqual(parseEntry(serializeEntry(entry)), asKept(entry));
});

test('any entry comes back from its line as it was', () => {
  fc.assert(
    fc.property(anyEntry, entry => {
      const line = serializeEntry(entry);
      assert.equal(line.includes(0x0a), false);
      assert.deepEqual(parseEntry(line), asKept(entry));
    }),
    { numRuns: 500 },
  );
});

for (const [fault, line, complaint] of [
  ['no JSON', '{"seq":1', 'is not valid JSON'],
  ['a list', '[]', 'is not one JSON object'],
  ['no sequence', '{"t":1,"connection":1,"channel":"bench"}', 'lacks "seq"'],
  ['a time without end', '{"seq":1,"t":1e400,"connection":1}', 'has an impossible value in "t"'],
  ['sequence 0', '{"seq":0,"t":1,"connection":1}', 'has an impossible value in "seq"'],
  ['an unknown channel', '{"seq":1,"t":1,"connection":1,"channel":"x"}', 'has the unknown channel "x"'],
  [
    'a foreign event',
    '{"seq":1,"t":1,"connection":1,"channel":"bench","what":{"event":"toString"}}',
    'has the unknown event "toString"',
  ],
  [
    'an event without its members',
    '{"seq":1,"t":1,"connection":1,"channel":"process","from":"agent","what":{"event":"broken"}}',
    'lacks "reason"',
  ],
  [
    'something behind the frame',
    '{"seq":1,"t":1,"connection":1,"channel":"acp","from":"agent","frame":{"a":1},"x":{}}',
    'is not valid JSON',
  ],
  [
    'a frame that is a list',
    '{"seq":1,"t":1,"connection":1,"channel":"acp","from":"agent","frame":[]}',
    'is not one JSON object',
  ],
  [
    'a frame in another channel',
    '{"seq":1,"t":1,"connection":1,"channel":"stderr","from":"agent","frame":{}}',
    'holds a frame outside "acp"',
  ],
  [
    'an unknown sender',
    '{"seq":1,"t":1,"connection":1,"channel":"acp","from":"agent","by":"x","frame":{}}',
    'has an impossible value in "by"',
  ],
] as const) {
  test(`a line with ${fault} is no entry`, () => {
    assert.throws(() => parseEntry(Buffer.from(line)), { name: 'SyntaxError', message: complaint });
  });
}

test('a line that is not UTF-8 is no entry', () => {
  const line = Buffer.from('{"seq":1,"t":1,"connection":1,"channel":"acp","from":"agent","frame":{"a":"?"}}');
  line[line.indexOf('?')] = 0xff;
  assert.throws(() => parseEntry(line), { message: 'is not valid UTF-8' });
});
