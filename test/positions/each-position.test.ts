import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';

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

  it('let nothing that is disputed decide, but where they say that the schema wins', () => {
    const decisive = [...catalogue.requirements.values()].filter(
      ({ disputed, verdict }) => disputed && verdict === 'fail',
    );
    assert.deepEqual(
      decisive.map(({ id, position }) => [id, position]),
      [
        ['MCP-06', 'A-10'],
        ['TOOL-14', 'A-02'],
        ['MODE-05', 'A-02'],
      ],
    );
  });
});
