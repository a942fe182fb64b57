import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { judgeJournal } from '../../src/bench/index.ts';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import type { Entry } from '../../src/journal/entry.ts';
import { createJournal } from '../../src/journal/index.ts';
import type { Report } from '../../src/report/index.ts';
import {
  faults,
  faultyJournal,
  judgedFaults,
  repairedJournal,
  unjudgedFaults,
} from '../helpers/fault-log.ts';
import { header, temporaryPath } from '../journal/support.ts';

const ofAgents = faults.filter(({ party }) => party === 'agent');

/** What `judge` says of a journal file with these entries. */
const judged = async (t: TestContext, entries: readonly Entry[]): Promise<Report> => {
  const path = temporaryPath(t);
  const journal = createJournal({ header, path });
  for (const { seq: _, ...draft } of entries) journal.append(draft);
  journal.close();
  return judgeJournal(path, { release: 'latest', failOn: 'fail' });
};

/** Requirements that failed or got a warning. */
const blamed = ({ requirements }: Report): readonly string[] =>
  requirements
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id)
    .sort();

describe('judge, on exchanges of which it is known what is wrong', { concurrency: 4 }, () => {
  for (const fault of ofAgents) {
    const { id, symptom } = fault;
    const expected = judgedFaults[id];
    if (!expected) continue;
    const { breaks, collateral = {} } = expected;

    it(`${id} breaks exactly ${breaks.join(', ')}: ${symptom}`, async t => {
      const report = await judged(t, faultyJournal(fault, expected));
      assert.deepEqual(blamed(report), [...breaks, ...Object.keys(collateral)].sort());
    });

    it(`${id}, repaired, breaks nothing`, async t => {
      const report = await judged(t, repairedJournal(fault, expected));
      assert.deepEqual(blamed(report), []);
      const exercised = new Set(report.requirements.filter(each => each.exercised > 0).map(each => each.id));
      assert.ok(exercised.size > 5, 'the exchange is judged at all');
    });
  }

  for (const fault of ofAgents.filter(({ id }) => unjudgedFaults.faults[id])) {
    it(`${fault.id}, which no journal shows, is a journal all the same`, async t => {
      const { footer } = await judged(t, faultyJournal(fault));
      assert.equal(footer?.complete, true);
    });
  }
});

describe('the fault log', () => {
  it('says of every fault of an agent either what it breaks or why no journal shows it', () => {
    const undecided = ofAgents.filter(
      ({ id }) => (judgedFaults[id] === undefined) === (unjudgedFaults.faults[id] === undefined),
    );
    assert.deepEqual(undecided, []);
  });

  it('says nothing of what it does not hold', () => {
    const ids = new Set(ofAgents.map(({ id }) => id));
    const said = [...Object.keys(judgedFaults), ...Object.keys(unjudgedFaults.faults)];
    assert.deepEqual(
      said.filter(id => !ids.has(id)),
      [],
    );
  });

  it('gives each fault that no journal shows a reason of its list, and a requirement of the catalogue or a note', () => {
    const { reasons } = unjudgedFaults;
    const { requirements } = loadCatalogue();
    for (const [id, { reason, requirement, note }] of Object.entries(unjudgedFaults.faults)) {
      assert.ok(Object.hasOwn(reasons, reason), id);
      assert.ok(requirement === undefined || requirements.has(requirement), id);
      if (reason === 'legal') assert.ok(note, id);
    }
  });

  it('judges most faults of the kinds that show on the wire alone', () => {
    const onTheWire = ['CK01', 'CK02', 'CK03', 'CK06', 'CK07', 'CK13', 'CK17', 'CK35'];
    const left = ofAgents.filter(
      ({ id, check }) => onTheWire.includes(check.slice(0, 4)) && !judgedFaults[id],
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      ['fault-065', 'fault-272', 'fault-275'],
    );
  });
});
