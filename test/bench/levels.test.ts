import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Ending, exitCodeOf, type LevelOptions, summarise } from '../../src/bench/levels.ts';
import type { Requirement } from '../../src/catalogue/index.ts';
import type { ReportFinding, RequirementResult, RequirementVerdict } from '../../src/report/report.ts';
import { catalogueOf, requirement, resultOf } from './world.ts';

type Row = readonly [Partial<Requirement>, RequirementVerdict, Partial<RequirementResult>?];

/** Summary of a run with one requirement per row. */
const summary = (rows: readonly Row[], rest: Partial<LevelOptions> = {}) => {
  const requirements = rows.map(([own], index) => requirement(`X-0${index + 1}`, own));
  const results = rows.map(([, verdict, more], index) =>
    resultOf({ id: requirements[index]!.id, verdict, ...more }),
  );
  return summarise(catalogueOf(...requirements), results, {
    tiers: ['core', 'turn', 'scripted'],
    established: true,
    ...rest,
  });
};
const level = (...args: Parameters<typeof summary>) => summary(...args).level;

const failing = [
  { verdict: 'fail', journal: 'j', evidence: { detail: 'seen' } },
] as const satisfies ReportFinding[];

describe('the level', () => {
  const table: [string, readonly Row[], string][] = [
    [
      'is conformant when every MUST passed',
      [
        [{}, 'pass'],
        [{ level: 'MUST NOT' }, 'pass'],
      ],
      'conformant',
    ],
    [
      'is non-conformant when a MUST failed',
      [
        [{}, 'pass'],
        [{}, 'fail'],
      ],
      'non-conformant',
    ],
    [
      'is non-conformant when a fail comes from a case of a MAY',
      [[{ level: 'MAY' }, 'fail']],
      'non-conformant',
    ],
    [
      'stays conformant with warnings',
      [
        [{}, 'warn'],
        [{ level: 'SHOULD' }, 'warn'],
      ],
      'conformant',
    ],
    ['stays conformant with infos', [[{ level: 'MAY' }, 'info']], 'conformant'],
    [
      'is partial when a MUST was not exercised',
      [
        [{}, 'pass'],
        [{}, 'not-exercised'],
      ],
      'partial',
    ],
    ['is partial when a MUST NOT was not exercised', [[{ level: 'MUST NOT' }, 'not-exercised']], 'partial'],
    ['is partial when a MUST was blocked', [[{}, 'blocked']], 'partial'],
    ['is partial when a MUST was inconclusive', [[{}, 'inconclusive']], 'partial'],
    ['asks for a MUST whose violation would only warn', [[{ verdict: 'warn' }, 'not-exercised']], 'partial'],
    [
      'asks for no SHOULD or MAY',
      [
        [{}, 'pass'],
        [{ level: 'SHOULD' }, 'not-exercised'],
        [{ level: 'MAY' }, 'blocked'],
      ],
      'conformant',
    ],
    [
      'asks for no optional MUST',
      [
        [{}, 'pass'],
        [{ optional: true }, 'not-exercised'],
      ],
      'conformant',
    ],
    [
      'asks for no MUST that does not apply',
      [
        [{}, 'pass'],
        [{}, 'not-applicable'],
      ],
      'conformant',
    ],
    [
      'is non-conformant rather than partial',
      [
        [{}, 'not-exercised'],
        [{}, 'fail'],
      ],
      'non-conformant',
    ],
    ['is partial when a verdict is unstable and no repeat failed', [[{}, 'unstable']], 'partial'],
    [
      'is non-conformant when a failing repeat made it unstable',
      [[{}, 'unstable', { findings: failing }]],
      'non-conformant',
    ],
  ];
  for (const [sentence, rows, expected] of table) {
    it(sentence, () => assert.equal(level(rows), expected));
  }

  it('is incomplete when neither session/new nor a prompt succeeded', () => {
    assert.equal(level([[{}, 'pass']], { established: false }), 'incomplete');
    assert.equal(level([[{}, 'not-exercised']], { established: false }), 'incomplete');
  });

  it('is incomplete when some scenario never got beyond its beginning, whatever the others showed', () => {
    assert.equal(level([[{}, 'pass']], { stuck: true }), 'incomplete');
  });

  it('is non-conformant rather than incomplete, so that a dead agent does not get off', () => {
    assert.equal(level([[{}, 'fail']], { established: false }), 'non-conformant');
  });

  it('does not ask for requirements that are later than the frozen rules', () => {
    const rows: Row[] = [
      [{}, 'pass'],
      [{ bench: '0.2.0' }, 'not-exercised'],
    ];
    assert.equal(level(rows), 'partial');
    assert.equal(level(rows, { rules: '0.1.0' }), 'conformant');
  });
});

describe('tiers', () => {
  const rows: Row[] = [
    [{ needs: 'none' }, 'pass'],
    [{ needs: 'turn' }, 'not-exercised'],
    [{ needs: 'scripted' }, 'fail'],
    [{ needs: 'passive' }, 'pass'],
    [{ needs: 'untestable' }, 'not-applicable'],
  ];

  it('have a level each', () => {
    assert.deepEqual(summary(rows).tiers, {
      core: 'conformant',
      turn: 'partial',
      scripted: 'non-conformant',
    });
  });

  it('that were not run have none, and what they would have exercised is not missed', () => {
    const { tiers, level: whole, unexercised } = summary(rows.slice(0, 2), { tiers: ['core'] });
    assert.deepEqual([tiers, whole, unexercised], [{ core: 'conformant' }, 'conformant', []]);
  });

  it('that were not run still count when something failed in them', () => {
    assert.equal(level(rows, { tiers: ['core'] }), 'non-conformant');
    assert.deepEqual(summary(rows, { tiers: ['core'] }).tiers, { core: 'conformant' });
  });

  it('all include what is judged on every frame', () => {
    const passive: Row[] = [[{ needs: 'passive' }, 'not-exercised']];
    assert.deepEqual(summary(passive, { tiers: ['core', 'turn'] }).tiers, {
      core: 'partial',
      turn: 'partial',
    });
    assert.equal(level(passive, { tiers: [] }), 'partial');
  });

  it('of a client are core for what shows by itself and scripted for what must be driven', () => {
    const client: Row[] = [
      [{ party: 'client', needs: 'client-sut' }, 'not-exercised'],
      [{ party: 'client', needs: 'driver' }, 'not-exercised'],
    ];
    assert.deepEqual(summary(client, { tiers: ['core'] }).unexercised, ['X-01']);
    assert.deepEqual(summary(client, { tiers: ['scripted'] }).unexercised, ['X-02']);
  });
});

describe('the summary', () => {
  it('lists what keeps the level at partial by id, and nothing else', () => {
    const rows: Row[] = [
      [{}, 'not-exercised'],
      [{ optional: true }, 'not-exercised'],
      [{ level: 'SHOULD' }, 'not-exercised'],
      [{}, 'blocked'],
      [{}, 'pass'],
      [{}, 'fail'],
    ];
    assert.deepEqual(summary(rows).unexercised, ['X-01', 'X-04']);
  });

  it('counts every verdict that was given', () => {
    const rows: Row[] = [
      [{}, 'pass'],
      [{}, 'pass'],
      [{}, 'fail'],
      [{ needs: 'untestable' }, 'not-applicable'],
    ];
    assert.deepEqual(summary(rows).counts, { pass: 2, fail: 1, 'not-applicable': 1 });
  });
});

describe('the exit code', () => {
  const ending: Ending = {
    level: 'conformant',
    counts: { pass: 1 },
    benchErrors: 0,
    interrupted: false,
    failOn: 'fail',
    allowIncomplete: false,
  };
  const table: [string, Partial<Ending>, number][] = [
    ['is 0 for a conformant run', {}, 0],
    ['is 0 for a partial run, in which nothing failed', { level: 'partial' }, 0],
    ['is 1 for a non-conformant run', { level: 'non-conformant', counts: { fail: 1 } }, 1],
    ['is 1 for an incomplete run', { level: 'incomplete' }, 1],
    ['is 0 for an incomplete run that is allowed', { level: 'incomplete', allowIncomplete: true }, 0],
    ['is 0 with warnings by default', { counts: { pass: 1, warn: 2 } }, 0],
    ['is 1 with warnings under --fail-on warn', { counts: { warn: 1 }, failOn: 'warn' }, 1],
    ['is 0 without warnings under --fail-on warn', { counts: { pass: 1, info: 3 }, failOn: 'warn' }, 0],
    ['is never 0 when a verdict is unstable', { level: 'partial', counts: { unstable: 1 } }, 1],
    ['is 3 after a bench error, also when something failed', { level: 'non-conformant', benchErrors: 1 }, 3],
    [
      'is 130 when interrupted, whatever else',
      { interrupted: true, benchErrors: 1, level: 'non-conformant' },
      130,
    ],
    [
      'is 1 for a failed run even if incomplete ones are allowed',
      { level: 'non-conformant', allowIncomplete: true },
      1,
    ],
  ];
  for (const [sentence, rest, expected] of table) {
    it(sentence, () => assert.equal(exitCodeOf({ ...ending, ...rest }), expected));
  }
});
