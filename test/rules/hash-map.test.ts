import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHashMap, digest } from '../../src/rules/hash-map.ts';

describe('the hash map', () => {
  it('holds what a map of whole keys holds', () => {
    const writes = fc.array(fc.tuple(fc.string(), fc.integer()), { maxLength: 200 });
    fc.assert(
      fc.property(writes, list => {
        const hashed = createHashMap();
        const whole = new Map<string, number>();
        for (const [key, value] of list) {
          hashed.set(key, value);
          // A 0 makes no entry.
          if (value !== 0 || whole.has(key)) whole.set(key, value);
        }
        for (const [key] of list) assert.equal(hashed.get(key), whole.get(key) ?? 0);
        assert.equal(hashed.size, whole.size);
      }),
    );
  });

  it('knows nothing of keys that were not set', () => {
    const map = createHashMap();
    for (let index = 0; index < 10_000; index++) map.set(`call-${index}`, index + 1);
    for (let index = 0; index < 10_000; index++) assert.equal(map.get(`other-${index}`), 0);
  });

  it('tells keys apart that differ in one character, in order, or in length', () => {
    const map = createHashMap();
    const keys = ['', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', '\u0000', '\u0000\u0000', 'é', 'e\u0301'];
    for (const [index, key] of keys.entries()) map.set(key, index + 1);
    for (const [index, key] of keys.entries()) assert.equal(map.get(key), index + 1);
  });

  it('takes at most 43 bytes an entry, however long the keys are', () => {
    const map = createHashMap();
    for (let index = 0; index < 100_000; index++) map.set(`${'x'.repeat(500)}${index}`, 1);
    assert.equal(map.size, 100_000);
    assert.ok(map.bytes <= 43 * map.size, `${map.bytes} bytes`);
  });

  it('gives digests that fit a number and are never 0', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const number = digest(text);
        assert.ok(Number.isSafeInteger(number) && number > 0);
      }),
    );
  });
});
