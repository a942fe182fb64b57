import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import { allRules, createRuleFold } from '../../src/rules/index.ts';
import { type CollectingJudge, createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';
import type { RuleCase } from './case.ts';
import { agentShapeCases } from './cases/agent-shapes.ts';
import { clientRefusalCases } from './cases/client-refusals.ts';
import { clientCases } from './cases/clients.ts';
import { loginCases } from './cases/logins.ts';
import { messageCases } from './cases/messages.ts';
import { peerCases } from './cases/peers.ts';
import { replayCases } from './cases/replay.ts';
import { schemaCases } from './cases/schema.ts';
import { sessionListCases } from './cases/session-list.ts';
import { sessionStateCases } from './cases/session-state.ts';
import { sessionCases } from './cases/sessions.ts';
import { settingCases } from './cases/settings.ts';
import { toolCases } from './cases/tools.ts';
import { turnCases } from './cases/turns.ts';
import { wireCases } from './cases/wire.ts';

const cases: readonly RuleCase[] = [
  ...wireCases,
  ...messageCases,
  ...peerCases,
  ...schemaCases,
  ...agentShapeCases,
  ...loginCases,
  ...sessionCases,
  ...sessionListCases,
  ...sessionStateCases,
  ...replayCases,
  ...turnCases,
  ...settingCases,
  ...toolCases,
  ...clientCases,
  ...clientRefusalCases,
];

let protocol: Protocol;
before(async () => {
  protocol = await loadProtocol('latest');
});

const judged = (
  steps: readonly string[],
  { rule, countedBy, subject = 'agent' }: RuleCase,
): CollectingJudge => {
  const judge = createCollectingJudge();
  const names = [rule, ...(countedBy ? [countedBy] : [])];
  const rules = allRules.filter(({ name }) => names.includes(name));
  assert.equal(rules.length, names.length, `rules named ${names.join(', ')}`);
  const fold = createRuleFold({ protocol, subject, judge, rules });
  for (const entry of exchange(steps)) fold.step(entry);
  fold.end();
  return judge;
};

describe('each requirement of each rule, on both sides of the line', () => {
  for (const each of cases) {
    const { requirement, rule, about, verdict = 'fail' } = each;
    const name = `${requirement} by ${rule}${about ? `, ${about}` : ''}`;

    if (each.kept.length > 0)
      it(`${name}: exercised and kept`, () => {
        const judge = judged(each.kept, each);
        const violations = judge.violations.filter(violation => violation.requirement === requirement);
        assert.deepEqual(violations, []);
        const count = judge.counts.get(requirement) ?? 0;
        if (each.exercised !== undefined) assert.equal(count, each.exercised);
        else assert.ok(count > 0, 'is exercised');
      });

    if (!each.broken) continue;
    const { broken } = each;
    it(`${name}: broken, ${verdict}`, () => {
      const judge = judged(broken, each);
      const violation = judge.violations.find(found => found.requirement === requirement);
      assert.ok(violation, `told of ${judge.violatedIds().join(', ') || 'nothing'}`);
      assert.ok((judge.counts.get(requirement) ?? 0) > 0, 'is exercised as well');
      const entry = loadCatalogue().requirements.get(requirement);
      assert.ok(entry, 'is in the catalogue');
      assert.equal(gradeViolation(entry, violation.evidence).verdict, verdict);
      if (each.pointer !== undefined) assert.equal(violation.evidence.pointer, each.pointer);
    });
  }
});

describe('the cases', () => {
  it('show every requirement of every rule kept and, where it can be, broken', () => {
    const key = (rule: string, requirement: string) => `${rule} ${requirement}`;
    const kept = new Set(cases.map(({ rule, requirement }) => key(rule, requirement)));
    const broken = new Set(
      cases.filter(each => each.broken).map(({ rule, requirement }) => key(rule, requirement)),
    );
    const all = allRules.flatMap(({ name, requirements }) =>
      Object.keys(requirements).map(id => key(name, id)),
    );
    const missing = all.filter(each => !kept.has(each) || !(broken.has(each) || unbreakable.has(each)));
    assert.deepEqual(missing, []);
  });
});

/** What a rule counts for a requirement that nothing in its journals can break, or that another rule blames. */
const unbreakable: ReadonlySet<string> = new Set([
  'framing FRM-06',
  'extensions EXT-10',
  'extensions INIT-21',
  'update-shapes TOOL-16',
  'permission PERM-01',
  'plan PLAN-06',
  'commands CMD-01',
  'advisory USAGE-01',
  'resume RESUME-06',
  'agent-shapes SESS-12',
  'session-list DEL-06',
]);
