import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { benchVersion, shipped } from '../../src/base/index.ts';
import {
  catalogueFile,
  loadCatalogue,
  type RequirementId,
  situationNames,
} from '../../src/catalogue/index.ts';

const catalogue = loadCatalogue();
const file = JSON.parse(readFileSync(catalogueFile(), 'utf8'));
const all = [...catalogue.requirements.values()];

describe('the catalogue file', () => {
  it('fits its schema', () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
    const validate = ajv.compile(JSON.parse(readFileSync(shipped('schemas/catalogue.schema.json'), 'utf8')));
    validate(file);
    assert.deepEqual(validate.errors ?? [], []);
  });

  it('has a schema that knows exactly the situations of the code', () => {
    const schema = JSON.parse(readFileSync(shipped('schemas/catalogue.schema.json'), 'utf8'));
    const known: string[] = schema.$defs.case.properties.situation.enum;
    assert.deepEqual([...known].sort(), [...situationNames].sort());
  });

  it('gives every id once', () => {
    assert.equal(catalogue.requirements.size, file.rules.length);
  });

  it('counts itself correctly', () => {
    const count = (party: string, member: 'level' | 'verdict') => {
      const counts: Record<string, number> = {};
      for (const requirement of all.filter(each => each.party === party)) {
        counts[requirement[member]] = (counts[requirement[member]] ?? 0) + 1;
      }
      return counts;
    };
    for (const party of ['agent', 'client', 'both']) {
      assert.deepEqual(count(party, 'level'), file.counts.level_by_party[party]);
      assert.deepEqual(count(party, 'verdict'), file.counts.verdict_by_party[party]);
    }
    assert.equal(all.length, file.counts.rules);
    assert.equal(all.filter(({ disputed }) => disputed).length, file.counts.disputed);
    assert.equal(catalogue.positions.size, file.counts.positions);
  });

  it('names only positions that it has', () => {
    const named = all.flatMap(({ position, cases = [] }) => [position, ...cases.map(each => each.position)]);
    assert.deepEqual(
      named.filter(position => position !== undefined && !catalogue.positions.has(position)),
      [],
    );
  });

  it('names no release of the bench that is still to come', () => {
    const later = all.filter(({ bench }) => bench.localeCompare(benchVersion(), 'en', { numeric: true }) > 0);
    assert.deepEqual(later, []);
  });

  it('marks use without advertisement only on later features, since the baseline always applies', () => {
    assert.deepEqual(
      all.filter(({ usedWhen, since }) => usedWhen && since === catalogue.sinceOrder[0]).map(({ id }) => id),
      [],
    );
  });
});

describe('dependsOn', () => {
  it('names known requirements whose violation fails', () => {
    const wrong = all.flatMap(({ id, dependsOn = [] }) =>
      dependsOn
        .filter(dependency => catalogue.requirements.get(dependency)?.verdict !== 'fail')
        .map(dependency => `${id} -> ${dependency}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no cycle', () => {
    const assertAcyclic = (id: RequirementId, path: readonly RequirementId[]) => {
      assert.ok(!path.includes(id), `${[...path, id].join(' -> ')}`);
      for (const dependency of catalogue.requirements.get(id)?.dependsOn ?? []) {
        assertAcyclic(dependency, [...path, id]);
      }
    };
    for (const { id } of all) assertAcyclic(id, []);
  });

  it('names nothing that another dependency brings along', () => {
    const reach = (id: RequirementId): readonly RequirementId[] =>
      (catalogue.requirements.get(id)?.dependsOn ?? []).flatMap(next => [next, ...reach(next)]);
    const redundant = all.flatMap(({ id, dependsOn = [] }) =>
      dependsOn
        .filter(dependency =>
          dependsOn.some(other => other !== dependency && reach(other).includes(dependency)),
        )
        .map(dependency => `${id} -> ${dependency}`),
    );
    assert.deepEqual(redundant, []);
  });

  it('leads every agent requirement that needs a frame of the agent to the answer to initialize', () => {
    const reaches = (id: RequirementId): boolean =>
      id === 'INIT-05' || (catalogue.requirements.get(id)?.dependsOn ?? []).some(reaches);
    const loose = all
      .filter(({ party, needs }) => party !== 'client' && needs !== 'untestable')
      .filter(({ id }) => !reaches(id))
      .map(({ id }) => id);
    // Logging on stderr and starting under a command line need no answer.
    assert.deepEqual(loose, ['FRM-06', 'FRM-08']);
  });

  it('keeps to requirements that a party which is judged alone can fail', () => {
    const foreign = all.flatMap(({ id, party, dependsOn = [] }) =>
      dependsOn
        .filter(dependency => {
          const other = catalogue.requirements.get(dependency)!.party;
          return party !== 'both' && other !== 'both' && other !== party;
        })
        .map(dependency => `${id} -> ${dependency}`),
    );
    assert.deepEqual(foreign, []);
  });
});

describe('names', () => {
  it('resolves an id to itself', () => {
    assert.equal(catalogue.resolve('CANCEL-02'), 'CANCEL-02');
    assert.deepEqual(catalogue.matching('CANCEL-02'), ['CANCEL-02']);
  });

  it('resolves an id of another kit with and without the name of the kit', () => {
    assert.equal(catalogue.resolve('acp-tck:ACP-SHUTDOWN-001'), 'FRM-12');
    assert.equal(catalogue.resolve('ACP-SHUTDOWN-001'), 'FRM-12');
  });

  it('leaves an alias of several requirements to those who can take all of them', () => {
    assert.equal(catalogue.resolve('acp-tck:ACP-CANCEL-001'), undefined);
    assert.deepEqual(catalogue.matching('acp-tck:ACP-CANCEL-001'), ['CANCEL-02', 'CANCEL-03']);
  });

  it('knows no other name', () => {
    assert.equal(catalogue.resolve('CANCEL-99'), undefined);
    assert.deepEqual(catalogue.matching('constructor'), []);
  });

  it('covers every alias of the file', () => {
    const unmatched = all.flatMap(({ id, aliases = [] }) =>
      aliases.filter(alias => !catalogue.matching(alias).includes(id)),
    );
    assert.deepEqual(unmatched, []);
  });
});
