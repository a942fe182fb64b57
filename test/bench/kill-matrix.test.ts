import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Coverage } from '../../src/bench/index.ts';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import {
  type Defect,
  isAsExpected,
  judgeMutant,
  killMatrix,
  type MutantRow,
} from '../../tools/mutants/kill-matrix.ts';
import type { Held, MutantRun } from '../../tools/mutants/run-mutant.ts';

const catalogue = loadCatalogue();
/** Fails by default, and of the case `session-scoped-update` only warns. */
const late = catalogue.requirements.get('CANCEL-04')!;
const milder = late.cases!.find(({ situation }) => situation === 'session-scoped-update')!;

const run = (held: Readonly<Record<string, Held>>, mutant = 'mutants/test/one'): MutantRun => ({
  mutant,
  held,
  unpassed: [],
});
const judged = (defect: Omit<Defect, 'id'>, held: Readonly<Record<string, Held>>): MutantRow =>
  judgeMutant(catalogue, { id: 'mutants/test/one', ...defect }, run(held));
const mistakes = (defect: Omit<Defect, 'id'>, held: Readonly<Record<string, Held>>): readonly string[] =>
  judged(defect, held).mistakes;

describe('a mutant', () => {
  it('is killed by the verdict of the catalogue for what it breaks', () => {
    assert.deepEqual(mistakes({ breaks: ['RPC-05'] }, { 'RPC-05': { verdict: 'fail' } }), []);
  });

  it('is not killed by another verdict, nor by none', () => {
    assert.deepEqual(mistakes({ breaks: ['RPC-05'] }, { 'RPC-05': { verdict: 'warn' } }), [
      'RPC-05 should get fail and got warn',
    ]);
    assert.deepEqual(mistakes({ breaks: ['RPC-05'] }, {}), ['RPC-05 should get fail and was not violated']);
  });

  it('gets the verdict of a case only where it names the situation', () => {
    const held: Held = { verdict: milder.verdict, case: milder.when };
    const situations = { 'CANCEL-04': milder.situation };
    assert.deepEqual(mistakes({ breaks: ['CANCEL-04'], situations }, { 'CANCEL-04': held }), []);
    assert.deepEqual(mistakes({ breaks: ['CANCEL-04'] }, { 'CANCEL-04': held }), [
      `CANCEL-04 should get ${late.verdict} and got ${milder.verdict} (${milder.when})`,
    ]);
    assert.deepEqual(
      mistakes({ breaks: ['CANCEL-04'], situations }, { 'CANCEL-04': { verdict: late.verdict } }),
      [`CANCEL-04 should get ${milder.verdict} (${milder.when}) and got ${late.verdict}`],
    );
  });

  it('names only situations that the requirement has a case for', () => {
    const situations = { 'RPC-05': 'slash-in-command-name' } as const;
    assert.deepEqual(mistakes({ breaks: ['RPC-05'], situations }, { 'RPC-05': { verdict: 'fail' } }), [
      'RPC-05 has no case "slash-in-command-name"',
    ]);
  });

  it('gets nothing else but what it states with a reason', () => {
    const held: Readonly<Record<string, Held>> = {
      'RPC-05': { verdict: 'fail' },
      'RPC-09': { verdict: 'warn' },
    };
    const breaks = ['RPC-05'];
    assert.deepEqual(mistakes({ breaks }, held), [
      'RPC-09 got warn and is neither in breaks nor in collateral',
    ]);
    assert.deepEqual(mistakes({ breaks, collateral: { 'RPC-09': 'The same answer.' } }, held), []);
  });

  it('states no collateral that it does not get', () => {
    const collateral = { 'RPC-09': 'The same answer.' };
    assert.deepEqual(mistakes({ breaks: ['RPC-05'], collateral }, { 'RPC-05': { verdict: 'fail' } }), [
      'RPC-09 is stated as collateral and was not violated',
    ]);
  });

  it('without breaks must get nothing', () => {
    assert.deepEqual(mistakes({}, {}), []);
    assert.deepEqual(mistakes({}, { 'RPC-05': { verdict: 'fail' } }), [
      'RPC-05 got fail and is neither in breaks nor in collateral',
    ]);
  });
});

describe('the kill matrix', () => {
  const coverage = (id: string, rest: Partial<Coverage> = {}): Coverage => ({
    id,
    tier: 'core',
    path: 'rule',
    owners: ['some-rule'],
    isDue: true,
    ...rest,
  });
  const killer = judged({ breaks: ['RPC-05'] }, { 'RPC-05': { verdict: 'fail' } });

  it('lets a requirement survive that is judged and that no mutant gets', () => {
    const matrix = killMatrix([coverage('RPC-05'), coverage('RPC-09')], [killer]);
    assert.deepEqual(matrix.requirements, [
      { id: 'RPC-05', killers: ['mutants/test/one'], collateralOf: [] },
      { id: 'RPC-09', killers: [], collateralOf: [], survives: true },
    ]);
    assert.equal(isAsExpected(matrix, true), false);
    // Where only some mutants were run, it says nothing that none of them is a killer.
    assert.equal(isAsExpected(matrix, false), true);
  });

  it('counts no collateral as a killing, and no verdict that is not the catalogue’s', () => {
    const collateral = { 'RPC-09': 'The same answer.' };
    const beside = judged(
      { breaks: ['RPC-05'], collateral },
      { 'RPC-05': { verdict: 'info' }, 'RPC-09': { verdict: 'warn' } },
    );
    assert.deepEqual(killMatrix([coverage('RPC-05'), coverage('RPC-09')], [beside]).requirements, [
      { id: 'RPC-05', killers: [], collateralOf: [], survives: true },
      { id: 'RPC-09', killers: [], collateralOf: ['mutants/test/one'], survives: true },
    ]);
  });

  it('asks no killer for a permission, nor for what cannot be judged yet', () => {
    const matrix = killMatrix(
      [
        coverage('FRM-06', { permission: 'Anything goes.' }),
        coverage('TOOL-01', { isDue: false }),
        coverage('MCP-01', { owners: [], path: 'mcp-server', isDue: false }),
      ],
      [],
    );
    assert.deepEqual(matrix.requirements, [
      { id: 'FRM-06', killers: [], collateralOf: [], permission: 'Anything goes.' },
      { id: 'TOOL-01', killers: [], collateralOf: [] },
    ]);
    assert.equal(isAsExpected(matrix, true), true);
  });

  it('does not believe in a permission that a mutant violates', () => {
    const matrix = killMatrix([coverage('RPC-05', { permission: 'Anything goes.' })], [killer]);
    assert.deepEqual(matrix.mistakes, [
      'RPC-05 is a permission that nothing can violate, and mutants/test/one violates it',
    ]);
    assert.equal(isAsExpected(matrix, false), false);
  });
});
