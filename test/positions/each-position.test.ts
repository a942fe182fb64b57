import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';

const catalogue = loadCatalogue();
const folder = new URL('./', import.meta.url);

/** Positions in the names of the tests of this folder. */
const tested = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .flatMap(name => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^describe\('(A-[^:]*):/gm)])
  .flatMap(([, ids = '']) => ids.match(/A-\d\d/g) ?? []);

describe('the positions of the catalogue', () => {
  it('each have a test that bears their id', () => {
    assert.equal(catalogue.positions.size, 37);
    assert.deepEqual([...new Set(tested)].sort(), [...catalogue.positions.keys()]);
  });

  it('are named by every requirement that is disputed and fails, and say who wins', () => {
    const loose = [...catalogue.requirements.values()].filter(
      ({ disputed, verdict, position }) => disputed && verdict === 'fail' && position === undefined,
    );
    assert.deepEqual(
      loose.map(({ id }) => id),
      [],
    );
  });

  it('leave a requirement that is disputed without one at a warning', () => {
    for (const requirement of catalogue.requirements.values()) {
      if (!requirement.disputed || requirement.position !== undefined) continue;
      assert.notEqual(gradeViolation(requirement, { detail: 'seen' }).verdict, 'fail', requirement.id);
    }
  });
});
