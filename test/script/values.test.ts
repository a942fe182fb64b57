import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fill, fillLoosely, MissingValue, namesIn } from '../../src/script/values.ts';
import type { Json } from '../../src/wire/index.ts';
import { valueAt } from '../../src/wire/index.ts';

const world = { a: { b: [10, { c: 'deep' }] }, text: 'words', none: null };
const resolve = (path: readonly string[]) => valueAt(world, path);

describe('values', () => {
  for (const [template, expected] of [
    ['$a.b.0', 10],
    ['$a', world.a],
    ['$none', null],
    ['${a.b.1.c} and ${text}', 'deep and words'],
    ['${a.b}', '[10,{"c":"deep"}]'],
    ['$$', '$'],
    ['$$a', '$a'],
    ['cost 5$', 'cost 5$'],
    ['$${a}', '${a}'],
    ['$/cancel_request', '$/cancel_request'],
    ['$/${a}', '$/${a}'],
    ['a $b', 'a $b'],
    [{ list: ['$text', 1, null, true] }, { list: ['words', 1, null, true] }],
    [{ $match: { const: '$a' } }, { $match: { const: '$a' } }],
  ] as const satisfies readonly (readonly [Json, Json])[]) {
    it(`${JSON.stringify(template)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(fill(template, resolve), expected);
    });
  }

  it('a name without a value is an error that tells its path', () => {
    assert.throws(() => fill({ x: '$a.b.7' }, resolve), new MissingValue(['a', 'b', '7']));
    assert.throws(() => fill('$toString', resolve), /has no value/);
  });

  it('matches anything where a pattern may lack its values', () => {
    assert.deepEqual(fillLoosely({ x: '$nothing', y: '$text' }, resolve), {
      x: { $match: true },
      y: 'words',
    });
  });

  it('are listed with their places', () => {
    assert.deepEqual(namesIn({ x: ['$a.b', '${c}/${d}'], $y: 1 }), [
      { path: ['a', 'b'], at: ['x', '0'] },
      { path: ['c'], at: ['x', '1'] },
      { path: ['d'], at: ['x', '1'] },
    ]);
  });

  it('any text survives when its dollars are doubled', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        assert.equal(
          fill(
            text.replaceAll('$', () => '$$'),
            resolve,
          ),
          text,
        );
      }),
    );
  });
});
