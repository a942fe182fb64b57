import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { type Coverage, coverageOf } from '../../src/bench/index.ts';
import { loadCatalogue, type Requirement } from '../../src/catalogue/index.ts';
import { type AnyRule, allRules, defineRule } from '../../src/rules/index.ts';
import { defineScript } from '../../src/script/index.ts';
import { loadScenarios } from '../../src/script-library/index.ts';

/** The file as it stands, so that what is due is decided here by the text and not by the code. */
const { rules: all } = JSON.parse(readFileSync(shipped('requirements/requirements.json'), 'utf8')) as {
  readonly rules: readonly Requirement[];
};
const scenarios = (await loadScenarios()).map(({ script }) => script);
const covered = new Map(coverageOf(loadCatalogue(), allRules, scenarios).map(each => [each.id, each]));
const bindsAgents = all.filter(({ party }) => party !== 'client');
const ownersOf = (id: string) => covered.get(id)?.owners ?? [];

describe('the requirements that bind agents', () => {
  it('are judged by a rule or a scenario, wherever no scripted agent and no server of the bench is needed', () => {
    const unjudged = bindsAgents
      .filter(({ needs }) => ['none', 'passive', 'turn'].includes(needs))
      .filter(({ requires }) => !requires.includes('mcp-server') && !requires.includes('mcp-server-http'))
      .filter(({ excluded }) => excluded === undefined)
      .filter(({ id }) => ownersOf(id).length === 0)
      .map(({ id }) => id);
    assert.deepEqual(unjudged, []);
  });

  it('are excluded in five cases at most, and only where nothing judges them', () => {
    const excluded = all.filter(requirement => requirement.excluded !== undefined).map(({ id }) => id);
    assert.ok(excluded.length <= 5, excluded.join(', '));
    assert.deepEqual(
      excluded.filter(id => ownersOf(id).length > 0),
      [],
    );
  });

  it('are judged where they only permit, so that a report says whether the permission was used', () => {
    const permissions = all.filter(({ permission }) => permission !== undefined);
    assert.deepEqual(
      permissions.filter(({ level, verdict }) => level !== 'MAY' || verdict !== 'info'),
      [],
    );
    assert.deepEqual(
      permissions.filter(({ id, needs }) => needs !== 'scripted' && ownersOf(id).length === 0),
      [],
    );
  });

  it('are never judged by anything where they cannot be seen', () => {
    const judged = bindsAgents.filter(({ id, needs }) => needs === 'untestable' && ownersOf(id).length > 0);
    assert.deepEqual(judged, []);
  });
});

describe('coverage', () => {
  const rule: AnyRule = defineRule({
    name: 'one-rule',
    requirements: { 'RPC-01': 'any frame', 'RPC-02': 'any response' },
    init: () => undefined,
    step() {},
  });
  const forClients: AnyRule = {
    ...rule,
    name: 'of-clients',
    party: 'client',
    requirements: { 'MCP-01': '' },
  };
  const scenario = defineScript({
    id: 'test/one',
    title: 'One',
    role: 'client',
    steps: [
      { initialize: {}, as: 'start' },
      {
        either: [
          { when: { of: 'start', is: {} }, passes: ['RPC-02'] },
          { else: true, fails: ['RPC-05'] },
        ],
      },
    ],
  });
  const found = new Map(
    coverageOf(loadCatalogue(), [rule, forClients], [scenario]).map(each => [each.id, each]),
  );
  const told = (id: string): Pick<Coverage, 'path' | 'owners' | 'isDue'> => {
    const { path, owners, isDue } = found.get(id)!;
    return { path, owners, isDue };
  };

  it('names who judges a requirement', () => {
    assert.deepEqual(told('RPC-01'), { path: 'rule', owners: ['one-rule'], isDue: true });
    assert.deepEqual(told('RPC-02'), { path: 'both', owners: ['one-rule', 'test/one'], isDue: true });
    assert.deepEqual(told('RPC-05'), { path: 'scenario', owners: ['test/one'], isDue: true });
  });

  it('says what an unjudged one waits for', () => {
    assert.deepEqual(told('RPC-03'), { path: 'open', owners: [], isDue: true });
    assert.deepEqual(told('MCP-01'), { path: 'mcp-server', owners: [], isDue: false });
    assert.deepEqual(told('MCP-09'), { path: 'mcp-server-http', owners: [], isDue: false });
    assert.deepEqual(told('PERM-01'), { path: 'scripted', owners: [], isDue: false });
    assert.deepEqual(told('FRM-10'), { path: 'untestable', owners: [], isDue: false });
  });

  it('gives the reason of the catalogue for what is excluded', () => {
    const catalogue = loadCatalogue();
    const requirement = { ...catalogue.requirements.get('RPC-03')!, excluded: 'Nobody hears it.' };
    const [one] = coverageOf({ ...catalogue, requirements: new Map([['RPC-03', requirement]]) }, [], []);
    assert.deepEqual([one!.path, one!.reason], ['excluded', 'Nobody hears it.']);
  });

  it('leaves out what binds clients alone', () => {
    const clients = all.filter(({ party }) => party === 'client').map(({ id }) => id);
    assert.deepEqual(
      clients.filter(id => found.has(id)),
      [],
    );
  });
});
