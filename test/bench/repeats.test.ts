import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { combineRepeats, combineVerdicts } from '../../src/bench/repeats.ts';
import { type RequirementVerdict, requirementVerdicts } from '../../src/report/report.ts';
import { resultOf } from './world.ts';

describe('the verdict over repeats', () => {
  const table: [readonly RequirementVerdict[], RequirementVerdict][] = [
    [['pass', 'pass'], 'pass'],
    [['fail', 'fail', 'fail'], 'fail'],
    [['pass', 'fail'], 'unstable'],
    [['fail', 'pass', 'pass'], 'unstable'],
    [['pass', 'warn'], 'unstable'],
    [['warn', 'fail'], 'unstable'],
    [['info', 'fail'], 'unstable'],
    [['unstable', 'pass'], 'unstable'],
    // What is merely recorded does not contradict a pass.
    [['info', 'pass'], 'info'],
    // What was not judged contradicts nothing.
    [['inconclusive', 'pass'], 'pass'],
    [['blocked', 'fail'], 'fail'],
    [['not-exercised', 'pass'], 'pass'],
    [['not-exercised', 'blocked'], 'blocked'],
    [['blocked', 'inconclusive'], 'inconclusive'],
    [['not-applicable', 'not-exercised'], 'not-exercised'],
  ];
  for (const [verdicts, expected] of table) {
    it(`${verdicts.join(', ')} is ${expected}`, () => assert.equal(combineVerdicts(verdicts), expected));
  }

  it('of a single run is its own', () => {
    for (const verdict of requirementVerdicts) assert.equal(combineVerdicts([verdict]), verdict);
  });

  it('follows the stated order', () => {
    assert.deepEqual(
      [...requirementVerdicts],
      [
        'unstable',
        'fail',
        'warn',
        'info',
        'pass',
        'inconclusive',
        'blocked',
        'not-exercised',
        'not-applicable',
      ],
    );
  });
});

describe('combined results', () => {
  const finding = (verdict: 'fail' | 'warn', scenario: string) =>
    ({ verdict, scenario, journal: `${scenario}.jsonl`, evidence: { detail: 'seen' } }) as const;

  it('add up counts and keep the findings of all runs, worst first', () => {
    const [combined] = combineRepeats([
      [resultOf({ verdict: 'warn', exercised: 2, violated: 1, findings: [finding('warn', 'one')] })],
      [resultOf({ verdict: 'fail', exercised: 3, violated: 2, findings: [finding('fail', 'two')] })],
    ]);
    assert.deepEqual([combined!.exercised, combined!.violated], [5, 3]);
    assert.deepEqual(
      combined!.findings.map(({ scenario }) => scenario),
      ['two', 'one'],
    );
  });

  it('keep at most twenty findings', () => {
    const findings = Array.from({ length: 15 }, () => finding('fail', 'one'));
    const [combined] = combineRepeats([[resultOf({ findings })], [resultOf({ findings })]]);
    assert.equal(combined!.findings.length, 20);
  });

  it('say how the repeats differed', () => {
    const runs = (['pass', 'fail', 'pass'] as const).map(verdict => [resultOf({ verdict })]);
    const [combined] = combineRepeats(runs);
    assert.equal(combined!.verdict, 'unstable');
    assert.equal(combined!.reason, 'differs between repeats: pass, fail, pass');
  });

  it('take the reason of the run that gave the verdict', () => {
    const [blocked] = combineRepeats([
      [resultOf({ verdict: 'not-exercised', reason: 'never came' })],
      [resultOf({ verdict: 'blocked', reason: 'INIT-05 failed' })],
    ]);
    assert.equal(blocked!.reason, 'INIT-05 failed');
    const [passed] = combineRepeats([
      [resultOf({ verdict: 'inconclusive', reason: 'race lost' })],
      [resultOf({ verdict: 'pass' })],
    ]);
    assert.ok(!('reason' in passed!));
  });

  it('pair requirements by place', () => {
    const combined = combineRepeats([
      [resultOf({ id: 'X-01' }), resultOf({ id: 'X-02', verdict: 'fail' })],
      [resultOf({ id: 'X-01' }), resultOf({ id: 'X-02' })],
    ]);
    assert.deepEqual(
      combined.map(({ id, verdict }) => `${id} ${verdict}`),
      ['X-01 pass', 'X-02 unstable'],
    );
  });
});
