import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, type JsonObject, type LineFault } from '../../src/wire/index.ts';
import { createLineRest } from '../../src/wire/line-rest.ts';
import { bytesOf, cutAt, lineOf, linesOf, malformedOf } from './framing.ts';

const kib = 1024;
const mib = 1024 * kib;

const faults: readonly [what: string, bytes: string | Buffer, fault: LineFault][] = [
  ['plain text', 'Listening on stdio\n', 'not-json'],
  ['a cut object', '{"jsonrpc":"2.0"\n', 'not-json'],
  ['two objects', '{} {}\n', 'not-json'],
  ['a raw tab in a string', '{"a":"\t"}\n', 'not-json'],
  ['a number', '42\n', 'not-object'],
  ['a string', '"{}"\n', 'not-object'],
  ['null', 'null\n', 'not-object'],
  ['an empty array', '[]\n', 'batch'],
  ['an array of messages', '[{"jsonrpc":"2.0","method":"x"}]\n', 'batch'],
  ['a byte that UTF-8 never has', Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), 'invalid-utf8'],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22, 0x0a]), 'invalid-utf8'],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22, 0x0a]), 'invalid-utf8'],
  ['a cut UTF-8 sequence', Buffer.from([0x22, 0xe2, 0x82, 0x0a]), 'invalid-utf8'],
  ['a byte-order mark before an object', '\ufeff{}\n', 'byte-order-mark'],
  ['an empty line', '\n', 'blank'],
  ['spaces and tabs', ' \t \n', 'blank'],
  ['a carriage return alone', '\r\n', 'blank'],
  ['an object without a line feed', '{}', 'unterminated'],
];

for (const [what, bytes, fault] of faults) {
  test(`${what} is ${fault} and kept byte for byte`, () => {
    const line = malformedOf(bytes);
    const whole = Buffer.from(bytes as string);
    assert.equal(line.fault, fault);
    assert.deepEqual(Buffer.from(line.bytes), fault === 'unterminated' ? whole : whole.subarray(0, -1));
    assert.notEqual(line.detail, '');
  });
}

test('a carriage return before the line feed is noted and is no part of the frame', () => {
  const line = lineOf('{"a":1}\r\n');
  assert.equal(line.kind, 'frame');
  assert.equal(line.carriageReturn, true);
  assert.equal(Buffer.from(line.bytes).toString(), '{"a":1}');
  assert.equal(lineOf('{"a":1}\n').carriageReturn, false);
});

test('a carriage return stays in the bytes of a malformed line', () => {
  const line = malformedOf('oops\r\n');
  assert.equal(line.carriageReturn, true);
  assert.equal(Buffer.from(line.bytes).toString(), 'oops\r');
});

test('a byte-order mark within a line is text like any other', () => {
  const line = lineOf('{"a":"\ufeff"}\n');
  assert.deepEqual(line.kind === 'frame' && line.value, { a: '\ufeff' });
});

test('the complaint about a line does not quote the line', () => {
  assert.doesNotMatch(malformedOf('secret-token-1234\n').detail, /secret|1234/);
  assert.doesNotMatch(malformedOf('{"key": secret-token-1234}\n').detail, /secret|1234/);
});

test('one line that is not UTF-8 does not touch its neighbours in the chunk', () => {
  const chunk = Buffer.concat([
    Buffer.from('{"a":"é"}\n'),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('{"b":"é"}\n'),
  ]);
  const lines = linesOf([chunk]);
  assert.deepEqual(
    lines.map(line => (line.kind === 'frame' ? line.value : line.fault)),
    [{ a: 'é' }, 'invalid-utf8', { b: 'é' }],
  );
});

test('a frame that lies whole in a chunk is a view of it', () => {
  const chunk = Buffer.from('{"a":1}\n{"b":2}\n');
  for (const line of linesOf([chunk])) assert.equal(line.bytes.buffer, chunk.buffer);
});

test('a frame split at any byte, inside a UTF-8 sequence too, is decoded exactly', () => {
  const value = { text: 'a é 日本 👩‍🚀 \u2028 "\\ \n' };
  const bytes = Buffer.from(encodeFrame(value));
  for (let place = 0; place <= bytes.length; place++) {
    const [line, ...others] = linesOf(cutAt(bytes, [place]));
    assert.deepEqual(line?.kind === 'frame' && line.value, value);
    assert.deepEqual(others, []);
  }
});

test('however a stream is cut, the same lines come out and no byte is lost', () => {
  const frame = fc
    .dictionary(fc.string(), fc.jsonValue())
    .map(value => Buffer.from(encodeFrame(value as JsonObject)));
  const rubbish = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map(bytes => Buffer.from(bytes)),
    fc.constantFrom(...faults.map(([, bytes]) => Buffer.from(bytes as string))),
    fc.constant(Buffer.from('{"a":1}\r\n')),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(frame, rubbish), { maxLength: 12 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
      fc.constantFrom(undefined, 1, 7, 40),
      (parts, cuts, limit) => {
        const stream = Buffer.concat(parts);
        const places = cuts.map(cut => Math.floor(cut * stream.length));
        const whole = linesOf([stream], limit);
        const cut = linesOf(cutAt(stream, places), limit);
        assert.deepEqual(cut, whole);
        assert.deepEqual(bytesOf(cut), stream);
      },
    ),
  );
});

test('random frames come back equal in value', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())), values => {
      const sent = values.map(value => JSON.parse(JSON.stringify(value)));
      const lines = linesOf([Buffer.concat(sent.map(value => encodeFrame(value)))]);
      assert.deepEqual(
        lines.map(line => line.kind === 'frame' && line.value),
        sent,
      );
    }),
  );
});

for (const [name, size] of [
  ['64 KiB', 64 * kib],
  ['1 MiB', mib],
  ['16 MiB', 16 * mib],
] as const) {
  test(`a line of ${name} in chunks of 64 KiB is decoded exactly`, () => {
    const text = 'é'.repeat((size - '{"text":""}\n'.length) / 2);
    const bytes = Buffer.from(encodeFrame({ text }));
    const places = Array.from(
      { length: Math.floor(bytes.length / (64 * kib)) },
      (_, index) => index * 64 * kib + 1,
    );
    const lines = linesOf(cutAt(bytes, places));
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.kind === 'frame' && lines[0].value.text === text);
  });
}

test('an over-long line comes in pieces of at most the limit, of which all but the last continue', () => {
  const pieces = linesOf(cutAt(Buffer.from(`${'x'.repeat(25)}\n{}\n`), [4, 11, 18]), 10);
  assert.deepEqual(
    pieces.map(line => [line.kind === 'malformed' ? line.fault : line.kind, line.bytes.length]),
    [
      ['over-long', 10],
      ['over-long', 10],
      ['over-long', 5],
      ['frame', 2],
    ],
  );
  assert.deepEqual(
    pieces.map(line => line.kind === 'malformed' && line.continues),
    [true, true, undefined, false],
  );
});

test('a line of exactly the limit is not over-long', () => {
  assert.equal(linesOf([Buffer.from('{"a":1}\n')], 7)[0]?.kind, 'frame');
  assert.equal(linesOf([Buffer.from('{"a":1}\n')], 6)[0]?.kind, 'malformed');
});

test('a flood without a line feed never holds more than the limit', () => {
  const chunk = Buffer.alloc(64 * kib, 'x');
  const pieces = linesOf(Array(64).fill(chunk), mib);
  assert.deepEqual(
    pieces.map(line => line.bytes.length),
    [mib, mib, mib, mib],
  );
  assert.deepEqual(
    pieces.map(line => line.kind === 'malformed' && line.fault),
    ['over-long', 'over-long', 'over-long', 'unterminated'],
  );
});

for (const size of [1, 10, 64 * kib]) {
  test(`joining a line that comes ${size} bytes at a time copies each byte at most twice`, () => {
    let copied = 0;
    const rest = createLineRest((parts, total) => {
      copied += total;
      return Buffer.concat(parts, total);
    });
    const fragment = Buffer.alloc(size, 'x');
    const count = Math.min(100_000, (16 * mib) / size);
    for (let index = 0; index < count; index++) rest.add(fragment);
    assert.equal(rest.take().length, count * size);
    assert.ok(copied <= 2 * count * size, `${copied} bytes copied`);
  });
}

test('a limit below one byte is refused', () => {
  assert.throws(() => linesOf([], 0), RangeError);
});
