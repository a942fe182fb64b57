import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GradeOptions, gradeRun, type Run } from '../../src/bench/grade.ts';
import { keptFindings } from '../../src/bench/ledger.ts';
import { type Catalogue, loadCatalogue, type Requirement } from '../../src/catalogue/index.ts';
import {
  catalogueOf,
  factsOf,
  observation,
  options,
  requirement,
  runOf,
  type Told,
  uninitialized,
} from './world.ts';

const grade = (catalogue: Catalogue, run: Run, rest: Partial<GradeOptions> = {}) =>
  new Map(gradeRun(catalogue, run, options(rest)).map(result => [result.id, result]));

/** Result of one requirement of which one connection saw this. */
const gradeOne = (
  rest: Partial<Requirement>,
  told: Told[string] | undefined,
  more: Partial<GradeOptions> = {},
) => {
  const catalogue = catalogueOf(requirement('X-01', rest));
  return grade(catalogue, runOf([observation(catalogue, told ? { 'X-01': told } : {})]), more).get('X-01')!;
};

const cosmetic = { when: 'only cosmetic', situation: 'cosmetic-line', verdict: 'warn' } as const;
const later = { when: 'known later', situation: 'known-to-later-release', verdict: 'info' } as const;
const silent = { when: 'no answer', situation: 'no-answer', verdict: 'fail' } as const;

describe('the verdict of a requirement', () => {
  const table: [string, Partial<Requirement>, Told[string] | undefined, string][] = [
    ['exercised and never violated is pass', {}, { exercised: 2 }, 'pass'],
    ['violated is fail where the catalogue says so', {}, { violated: [{}] }, 'fail'],
    ['violated is warn where the catalogue says so', { verdict: 'warn' }, { violated: [{}] }, 'warn'],
    ['violated is info where it is only recorded', { verdict: 'info' }, { violated: [{}] }, 'info'],
    ['violated without being exercised is still a violation', {}, { exercised: 0, violated: [{}] }, 'fail'],
    ['never exercised is not-exercised', {}, undefined, 'not-exercised'],
    [
      'is the worst of its violations',
      { cases: [cosmetic] },
      { violated: [{ situation: 'cosmetic-line' }, {}] },
      'fail',
    ],
    [
      'is that of the case where only that was seen',
      { cases: [cosmetic] },
      { violated: [{ situation: 'cosmetic-line' }] },
      'warn',
    ],
    [
      'can be worse than its default by a case',
      { verdict: 'info', cases: [silent] },
      { violated: [{ timedOut: true }] },
      'fail',
    ],
    [
      'is left alone by an info case of a requirement that is not only recorded',
      { cases: [later] },
      { violated: [{ situation: 'known-to-later-release' }] },
      'pass',
    ],
    [
      'is not made pass by an info case of a requirement that was not exercised',
      { cases: [later] },
      { exercised: 0, violated: [{ situation: 'known-to-later-release' }] },
      'not-exercised',
    ],
    [
      'is warn although an info case was seen too',
      { verdict: 'warn', cases: [later] },
      { violated: [{ situation: 'known-to-later-release' }, {}] },
      'warn',
    ],
  ];
  for (const [sentence, rest, told, expected] of table) {
    it(sentence, () => assert.equal(gradeOne(rest, told).verdict, expected));
  }

  it('of a party that is not judged is not-applicable, with the reason', () => {
    const result = gradeOne({ party: 'client' }, { violated: [{}] });
    assert.deepEqual(
      [result.verdict, result.reason, result.violated],
      ['not-applicable', 'binds the client', 0],
    );
    assert.deepEqual(result.findings, []);
  });

  it('comes for every requirement, in the order of the catalogue', () => {
    const catalogue = loadCatalogue();
    const results = gradeRun(catalogue, runOf([]), options());
    assert.deepEqual(
      results.map(({ id }) => id),
      [...catalogue.requirements.keys()],
    );
    assert.ok(results.every(({ verdict, reason }) => verdict !== 'pass' && reason));
  });

  it('has no reason once it was judged', () => {
    assert.equal(gradeOne({}, {}).reason, undefined);
    assert.equal(gradeOne({}, { violated: [{}] }).reason, undefined);
  });
});

describe('findings', () => {
  it('say what was seen, by which case, in which scenario and journal', () => {
    const evidence = { seq: 7, after: 3, situation: 'cosmetic-line', expected: 'nothing' };
    const { findings } = gradeOne({ cases: [cosmetic] }, { violated: [evidence] });
    assert.deepEqual(findings, [
      {
        verdict: 'warn',
        case: 'only cosmetic',
        scenario: 'area/name',
        journal: 'journals/area-name.jsonl',
        evidence: { detail: 'seen', ...evidence },
      },
    ]);
  });

  it('do not keep the message', () => {
    const message = { type: 'result', id: 1, result: null } as const;
    const [finding] = gradeOne({}, { violated: [{ message }] }).findings;
    assert.ok(!('message' in finding!.evidence));
  });

  it('include the info case that left the verdict', () => {
    const result = gradeOne({ cases: [later] }, { violated: [{ situation: 'known-to-later-release' }] });
    assert.deepEqual([result.verdict, result.findings.map(({ verdict }) => verdict)], ['pass', ['info']]);
  });

  it('are cut at twenty while all are counted', () => {
    const result = gradeOne(
      {},
      { exercised: 50, violated: Array.from({ length: 30 }, (_, seq) => ({ seq })) },
    );
    assert.equal(keptFindings, 20);
    assert.deepEqual([result.exercised, result.violated, result.findings.length], [50, 30, 20]);
    assert.deepEqual(result.findings[19]!.evidence.seq, 19);
  });

  it('show the worst first, even the one that came after the list was full', () => {
    const many = Array.from({ length: 25 }, () => ({ situation: 'cosmetic-line' }));
    const result = gradeOne({ cases: [cosmetic] }, { violated: [...many, { seq: 99 }] });
    assert.equal(result.verdict, 'fail');
    assert.deepEqual([result.findings[0]!.verdict, result.findings[0]!.evidence.seq], ['fail', 99]);
    assert.deepEqual([result.findings.length, result.violated], [20, 26]);
  });

  it('are gathered from all connections, and so are the counts', () => {
    const catalogue = catalogueOf(requirement('X-01'));
    const seen = (scenario: string) =>
      observation(catalogue, { 'X-01': { exercised: 2, violated: [{}] } }, { scenario });
    const result = grade(catalogue, runOf([seen('one'), seen('two')])).get('X-01')!;
    assert.deepEqual([result.exercised, result.violated], [4, 2]);
    assert.deepEqual(
      result.findings.map(({ scenario }) => scenario),
      ['one', 'two'],
    );
  });

  it('of a lone journal name no scenario', () => {
    const catalogue = catalogueOf(requirement('X-01'));
    const { scenario: _, ...lone } = observation(catalogue, { 'X-01': { violated: [{}] } });
    const [finding] = grade(catalogue, runOf([lone])).get('X-01')!.findings;
    assert.ok(!('scenario' in finding!));
  });
});

describe('applicability over a run', () => {
  const gated = requirement('X-01', { applies: { agent: ['agentCapabilities.loadSession'], client: [] } });
  const catalogue = catalogueOf(gated);
  const violated: Told = { 'X-01': { violated: [{}] } };
  const with_ = (told: Told = {}) => observation(catalogue, told, { facts: factsOf({ loadSession: true }) });
  const without = (told: Told = {}) => observation(catalogue, told);
  const dead = (told: Told = {}) => observation(catalogue, told, { facts: uninitialized });
  const verdict = (...observations: Run['observations']) =>
    grade(catalogue, runOf(observations)).get('X-01')!.verdict;

  it('is given when one connection has it', () => {
    assert.equal(verdict(without(), with_({ 'X-01': {} })), 'pass');
    assert.equal(verdict(with_({ 'X-01': {} }), without()), 'pass');
    assert.equal(verdict(without(), with_()), 'not-exercised');
  });

  it('leaves out what was said on a connection that it does not apply to', () => {
    assert.equal(verdict(without(violated)), 'not-applicable');
    assert.equal(verdict(without(violated), with_({ 'X-01': {} })), 'pass');
    assert.equal(verdict(dead(violated)), 'blocked');
  });

  it('is blocked when no connection was initialized, but not by scenarios that never initialize', () => {
    assert.equal(verdict(dead(), dead()), 'blocked');
    assert.equal(verdict(dead(), without()), 'not-applicable');
    assert.equal(verdict(dead(), with_({ 'X-01': {} })), 'pass');
    assert.equal(verdict(), 'blocked');
  });

  it('follows use of a later feature that is not advertised', () => {
    const usage = catalogueOf(requirement('X-01', { since: 'v0.13.6', usedWhen: 'exercised' }));
    const seen = (told: Told) =>
      grade(usage, runOf([observation(usage, told)]), { release: '0.12.1' }).get('X-01')!.verdict;
    assert.equal(seen({}), 'not-applicable');
    assert.equal(seen({ 'X-01': {} }), 'pass');
    assert.equal(seen({ 'X-01': { violated: [{}] } }), 'fail');
  });
});

describe('what was not judged', () => {
  const outcome = (verdict: 'inconclusive' | 'blocked' | 'not-exercised', reason: string) =>
    ({ verdict, requirements: ['X-01'], reason }) as const;
  const lost = outcome('inconclusive', 'the race was lost in 3 attempts');
  const stuck = { ...outcome('blocked', 'session/new was refused'), blockedBy: 'AUTH-04' };
  const idle = outcome('not-exercised', 'trigger "permission" did not fire');

  const unjudged = (
    outcomes: Run['outcomes'],
    rest: Partial<Requirement> = {},
    more?: Partial<GradeOptions>,
  ) => {
    const catalogue = catalogueOf(requirement('X-01', rest));
    const { verdict, reason } = grade(catalogue, runOf([observation(catalogue, {})], outcomes), more).get(
      'X-01',
    )!;
    return [verdict, reason];
  };

  it('is inconclusive after a lost race, before blocked, before not-exercised', () => {
    assert.deepEqual(unjudged([idle, stuck, lost]), ['inconclusive', lost.reason]);
    assert.deepEqual(unjudged([idle, stuck]), ['blocked', 'AUTH-04: session/new was refused']);
    assert.deepEqual(unjudged([idle]), ['not-exercised', idle.reason]);
  });

  it('is the verdict of what another scenario saw, if one did', () => {
    const catalogue = catalogueOf(requirement('X-01'));
    const run = runOf([observation(catalogue, { 'X-01': {} })], [lost, stuck, idle]);
    assert.equal(grade(catalogue, run).get('X-01')!.verdict, 'pass');
  });

  it('stays not-applicable whatever a scenario ended with', () => {
    assert.equal(unjudged([lost, stuck], { needs: 'untestable' })[0], 'not-applicable');
  });

  it('names the tier that was not run, else the condition, else the opportunity that never came', () => {
    const scripted = { needs: 'scripted', requires: ['trigger:plan'] } as const;
    assert.deepEqual(unjudged([], scripted, { tiers: ['core'] }), [
      'not-exercised',
      'the scripted tier was not run',
    ]);
    assert.match(unjudged([], scripted)[1]!, /^trigger:plan did not hold/);
    assert.deepEqual(unjudged([], { needs: 'passive' }, { tiers: ['core'] }), [
      'not-exercised',
      'this never came: the opportunity of X-01',
    ]);
  });
});

describe('dependsOn', () => {
  const catalogue = catalogueOf(
    requirement('X-01'),
    requirement('X-02', { dependsOn: ['X-01'] }),
    requirement('X-03', { dependsOn: ['X-02'] }),
    requirement('X-04', { dependsOn: ['X-01', 'X-03'] }),
  );
  const graded = (told: Told, outcomes: Run['outcomes'] = []) =>
    [...grade(catalogue, runOf([observation(catalogue, told)], outcomes)).values()].map(
      ({ verdict, reason = '' }) => `${verdict} ${reason}`.trim(),
    );
  const never = (id: string) => `not-exercised this never came: the opportunity of ${id}`;

  it('blocks what depends on a failed requirement, also through others that were not judged', () => {
    assert.deepEqual(graded({ 'X-01': { violated: [{}] } }), [
      'fail',
      'blocked X-01 failed',
      'blocked X-01 failed',
      'blocked X-01 failed',
    ]);
  });

  it('stops at a requirement that was exercised all the same', () => {
    assert.deepEqual(graded({ 'X-01': { violated: [{}] }, 'X-02': {} }), [
      'fail',
      'pass',
      never('X-03'),
      'blocked X-01 failed',
    ]);
  });

  it('does not block by a requirement that was merely not exercised', () => {
    assert.deepEqual(graded({}), ['X-01', 'X-02', 'X-03', 'X-04'].map(never));
  });

  it('passes on that a scenario about the other requirement was blocked', () => {
    const outcomes = [{ verdict: 'blocked', requirements: ['X-02'], reason: 'no session' }] as const;
    assert.deepEqual(graded({ 'X-01': {} }, outcomes), [
      'pass',
      'blocked no session',
      'blocked no session',
      'blocked no session',
    ]);
  });

  it('does not block by a warning', () => {
    const mild = catalogueOf(
      requirement('X-01', { verdict: 'warn' }),
      requirement('X-02', { dependsOn: ['X-01'] }),
    );
    const result = grade(mild, runOf([observation(mild, { 'X-01': { violated: [{}] } })])).get('X-02')!;
    assert.equal(result.verdict, 'not-exercised');
  });

  it('leaves nothing but INIT-05 to an agent that never answers initialize', () => {
    const whole = loadCatalogue();
    const facts = uninitialized;
    const told = { 'INIT-05': { violated: [{ timedOut: true as const }] } };
    const results = gradeRun(
      whole,
      runOf([observation(whole, told, { facts })]),
      options({ release: '0.12.1' }),
    );
    const others = results.filter(({ verdict }) => verdict !== 'blocked' && verdict !== 'not-applicable');
    assert.deepEqual(
      others.map(({ id, verdict }) => `${id} ${verdict}`),
      ['FRM-06 not-exercised', 'INIT-05 fail'],
    );
  });
});

describe('--rules', () => {
  const violated = { violated: [{}] };
  const table: [string, string | undefined, string][] = [
    ['0.2.0', '0.1.0', 'info'],
    ['0.10.0', '0.9.0', 'info'],
    ['0.2.0', '0.2.0', 'fail'],
    ['0.2.0', '0.10.0', 'fail'],
    ['0.2.0', '1.0.0', 'fail'],
    ['0.2.0', undefined, 'fail'],
  ];
  for (const [bench, rules, expected] of table) {
    it(`${rules ?? 'absent'} grades a violation of a requirement of ${bench} as ${expected}`, () => {
      const result = gradeOne({ bench }, violated, rules === undefined ? {} : { rules });
      assert.deepEqual([result.verdict, result.findings[0]!.verdict], [expected, expected]);
    });
  }

  it('leaves a pass a pass', () => {
    assert.equal(gradeOne({ bench: '0.2.0' }, {}, { rules: '0.1.0' }).verdict, 'pass');
  });
});
