import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadDefects } from '../../tools/mutants/defects.ts';

/** Name of a defect -> mutants without the folder that all stand in, or why there is none. */
type Table = Readonly<Record<string, readonly string[] | string>>;

const { defects, kinds } = parse(readFileSync(new URL('defects.yaml', import.meta.url), 'utf8')) as {
  readonly defects: Table;
  readonly kinds: Table;
};
const mutants = new Set((await loadDefects()).filter(({ breaks }) => breaks).map(({ id }) => id));

const kindsOfAgents = (): readonly string[] => {
  const log = readFileSync(new URL('../faults/fault-log.jsonl', import.meta.url), 'utf8');
  const faults = log
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { party: string; kind: string });
  return [...new Set(faults.filter(({ party }) => party === 'agent').map(({ kind }) => kind))];
};

describe('known defects of agents', () => {
  it('have a mutant each, or a reason why there is none', () => {
    const missing = [...Object.entries(defects), ...Object.entries(kinds)].flatMap(([name, shownBy]) =>
      typeof shownBy === 'string'
        ? []
        : shownBy.filter(id => !mutants.has(`mutants/${id}`)).map(id => `${name}: ${id}`),
    );
    assert.deepEqual(missing, []);
    const empty = [...Object.entries(defects), ...Object.entries(kinds)].filter(
      ([, shownBy]) => !shownBy.length,
    );
    assert.deepEqual(empty, []);
  });

  it('are of every kind that the fault log holds of agents', () => {
    assert.deepEqual(Object.keys(kinds).sort(), [...kindsOfAgents()].sort());
  });
});
