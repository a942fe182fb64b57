/** One mutant alone: `npm run mutants -- <part of its id>`. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { loadDefects } from '../../tools/mutants/defects.ts';
import type { MutantRow } from '../../tools/mutants/kill-matrix.ts';
import { matrixOf, measured } from '../../tools/mutants/measured.ts';
import { createMutantPool } from '../../tools/mutants/pool.ts';

const defects = await loadDefects();

/** One of each kind of defect, since a program can go wrong in ways that a pair of Ports cannot show. */
const asPrograms = [
  'behaviour/noisy',
  'mutants/framing/banner-on-stdout',
  'mutants/framing/outlives-its-input',
  'mutants/rpc/dies-on-bad-line',
];

describe('the kill matrix', { concurrency: true }, () => {
  const pool = createMutantPool('in-process');
  after(() => pool.end());
  const rows: Promise<MutantRow>[] = [];

  for (const defect of defects) {
    const { id, breaks = [] } = defect;
    it(`${id} gets ${breaks.length > 0 ? `exactly ${breaks.join(', ')}` : 'nothing'} in this process`, async () => {
      const row = measured(defect, pool);
      rows.push(row);
      assert.deepEqual((await row).mistakes, []);
    });
  }

  it('has a killer for every requirement that something can violate', async () => {
    const { requirements, mistakes } = await matrixOf(await Promise.all(rows));
    const surviving = requirements.filter(({ survives }) => survives).map(({ id }) => id);
    assert.deepEqual({ surviving, mistakes }, { surviving: [], mistakes: [] });
  });
});

describe('a mutant as a program', { concurrency: true }, () => {
  const pool = createMutantPool('process');
  after(() => pool.end());

  for (const id of asPrograms) {
    it(`${id} gets the same as in this process`, async () => {
      const defect = defects.find(each => each.id === id)!;
      assert.deepEqual((await measured(defect, pool)).mistakes, []);
    });
  }
});
