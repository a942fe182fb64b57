import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLedger, type Ledger } from '../../src/bench/ledger.ts';
import { catalogueOf, requirement } from './world.ts';

const catalogue = catalogueOf(requirement('X-01'), requirement('X-02'));

const said = (ledger: Ledger, connection: number, scenario?: string) =>
  ledger.judgements(connection).get(scenario) ?? [];

describe('a ledger', () => {
  it('keeps connections apart', () => {
    const ledger = createLedger(catalogue);
    ledger.judge.exercised('X-01');
    ledger.at(2);
    ledger.judge.exercised('X-01');
    ledger.judge.exercised('X-01');
    ledger.at(1);
    ledger.judge.violated('X-02', { detail: 'seen' });
    const counts = (connection: number) =>
      said(ledger, connection).map(({ requirement: id, exercised, violated }) => [
        id,
        exercised,
        violated.fail,
      ]);
    assert.deepEqual(counts(1), [
      ['X-01', 1, 0],
      ['X-02', 0, 1],
    ]);
    assert.deepEqual(counts(2), [['X-01', 2, 0]]);
    assert.deepEqual(counts(3), []);
  });

  it('gives each scenario what its own entries show, also what is told at the end', () => {
    const ledger = createLedger(catalogue);
    ledger.judge.exercised('X-01');
    ledger.begins('first', 3);
    ledger.judge.exercised('X-01');
    ledger.begins('second', 20);
    ledger.judge.exercised('X-01');
    ledger.judge.violated('X-02', { detail: 'told late', seq: 7 });
    ledger.judge.violated('X-02', { detail: 'told at once', seq: 20 });
    ledger.judge.violated('X-02', { detail: 'of no entry' });
    const shown = (scenario: string) =>
      said(ledger, 1, scenario).map(({ requirement: id, exercised, findings }) => [
        id,
        exercised,
        findings.map(({ evidence }) => evidence.detail),
      ]);
    assert.deepEqual(shown('first'), [
      ['X-01', 2, []],
      ['X-02', 0, ['told late']],
    ]);
    assert.deepEqual(shown('second'), [
      ['X-01', 1, []],
      ['X-02', 0, ['told at once', 'of no entry']],
    ]);
  });

  it('hands out what it holds as it was, not as it will be', () => {
    const ledger = createLedger(catalogue);
    ledger.judge.violated('X-01', { detail: 'first' });
    const before = said(ledger, 1);
    ledger.judge.violated('X-01', { detail: 'second' });
    assert.deepEqual([before[0]!.violated.fail, before[0]!.findings.length], [1, 1]);
  });

  it('refuses a requirement that the catalogue does not have', () => {
    const { judge } = createLedger(catalogue);
    assert.throws(() => judge.violated('X-99', { detail: 'seen' }), /X-99/);
    assert.throws(() => judge.exercised('X-99'), /X-99/);
  });
});
