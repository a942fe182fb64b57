import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createWordDigest, wordsOf } from '../../src/rules/word-digest.ts';

const digestOf = (...pieces: readonly string[]): number => {
  const digest = createWordDigest();
  for (const piece of pieces) digest.add(piece);
  return digest.value;
};

describe('the digest of words', () => {
  it('is the same in whatever pieces the text comes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), pieces => {
        assert.equal(digestOf(...pieces), digestOf(pieces.join('')));
      }),
    );
  });

  it('knows the white space that the language knows', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      assert.equal(digestOf(character) === 0, wordsOf(character) === '', `U+${unit.toString(16)}`);
    }
  });

  it('tells words apart that differ in one letter, in order or in number', () => {
    const words = [
      '',
      'a',
      'b',
      'ab',
      'ba',
      'aa',
      'aaa',
      'Good day.',
      'Good day',
      'good day.',
      '漢字',
      '字漢',
    ];
    assert.equal(new Set(words.map(word => digestOf(word))).size, words.length);
  });
});
