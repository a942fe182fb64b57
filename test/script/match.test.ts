import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { describeMiss, nearestMiss } from '../../src/script/explain.ts';
import { compare, matches } from '../../src/script/match.ts';
import type { Received } from '../../src/script/received.ts';
import { loadSchemaTest } from '../../src/script/schema-test.ts';
import { type Json, type JsonObject, readMessage } from '../../src/wire/index.ts';

const fits = await loadSchemaTest();
const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe('partial equality', () => {
  for (const [pattern, value, expected] of [
    [{}, { a: 1 }, true],
    [{}, [], false],
    [{}, null, false],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { b: {} } }, { a: { b: { c: 1 } } }, true],
    [{ a: null }, {}, false],
    [[1, { a: 1 }], [1, { a: 1, b: 2 }], true],
    [[1], [1, 2], false],
    ['7', 7, false],
    [null, null, true],
    [{ a: { $match: { type: 'integer', minimum: 1 } } }, { a: 3 }, true],
    [{ a: { $match: { type: 'integer', minimum: 1 } } }, { a: 0 }, false],
    [{ a: { $match: {} } }, {}, false],
    [{ constructor: {} }, {}, false],
  ] as const satisfies readonly (readonly [Json, Json, boolean])[]) {
    it(`${JSON.stringify(pattern)} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(value)}`, () => {
      assert.equal(matches(pattern, value, fits), expected);
      assert.equal(compare(pattern, value, fits).differs === undefined, expected);
    });
  }

  it('holds between a value and itself, and with more members', () => {
    fc.assert(
      fc.property(json, json, (value, more) => {
        assert.ok(matches(value, value, fits));
        assert.ok(matches({ value }, { value, more }, fits));
      }),
    );
  });

  it('differs exactly where compare says so', () => {
    fc.assert(
      fc.property(json, json, (pattern, value) => {
        assert.equal(matches(pattern, value, fits), compare(pattern, value, fits).differs === undefined);
      }),
    );
  });
});

describe('the nearest miss', () => {
  const frame = (seq: number, value: JsonObject): Received => ({
    kind: 'frame',
    order: seq,
    seq,
    frame: value,
    message: readMessage(value),
    request: undefined,
    session: undefined,
  });
  const context = { fits, exchange: () => undefined };
  const items = [
    frame(1, { method: 'a', params: { x: 1, y: 2 } }),
    frame(2, { method: 'a', params: { x: 1, y: 3 } }),
    frame(3, { method: 'a', params: { x: 9 } }),
    frame(4, { method: 'b', params: { x: 1, y: 4 } }),
  ];

  it('is the item that meets most of the pattern, of equals the latest; another method is never near', () => {
    const miss = nearestMiss({ method: 'a', params: { x: 1, y: 4 } }, items, context)!;
    assert.equal(
      describeMiss(miss),
      'closest was #2 {"method":"a","params":{"x":1,"y":3}}: /params/y is 3, expected 4',
    );
    assert.equal(nearestMiss({ method: 'c' }, items, context), undefined);
  });

  it('says what is missing, and is cut at 2 kB', () => {
    const miss = nearestMiss({ method: 'a', params: { z: {} } }, items, context)!;
    assert.match(describeMiss(miss), /: \/params\/z is missing, expected \{\}$/);
    const long = frame(5, { method: 'a', params: { text: 'x'.repeat(9000) } });
    const cut = describeMiss(nearestMiss({ method: 'a', params: { text: 'y' } }, [long], context)!);
    assert.ok(cut.length <= 2048, String(cut.length));
    assert.match(cut, /\/params\/text is "x+…, expected "y"$/);
  });
});
