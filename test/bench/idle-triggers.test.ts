import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { compileScript, defineScript, instancesOf } from '../../src/script/index.ts';
import { createInProcessBench } from '../helpers/in-process-bench.ts';
import { scriptedSubject } from '../helpers/scripted-subject.ts';

const plain = defineScript({ id: 'test/plain', title: 'The reference agent as it is', role: 'agent' });
const [instance] = instancesOf(await compileScript(plain));
const triggers = [...loadCatalogue().conditions.keys()]
  .filter(condition => condition.startsWith('trigger:'))
  .map(condition => condition.slice('trigger:'.length));
const bench = await createInProcessBench({
  prompts: true,
  triggers: triggers.map(name => [name, 'Hello there.'] as const),
});
after(() => bench.end());

describe('triggers that do nothing', () => {
  it('are held against nobody, and the report names them', async () => {
    const report = await bench.certify(surroundings =>
      scriptedSubject({ instance: instance!, ...surroundings }),
    );
    const held = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    assert.deepEqual(
      held.map(({ id }) => id),
      [],
    );
    const undecided = report.scenarios.filter(
      ({ verdict, attempts }) => attempts > 0 && (verdict === 'not-exercised' || verdict === 'inconclusive'),
    );
    const withTrigger = undecided.filter(({ reason }) => /^the trigger "[a-z-]+" did not fire/.test(reason!));
    assert.ok(withTrigger.length > 5);
    assert.deepEqual(
      report.scenarios.filter(({ verdict }) => verdict === 'blocked' || verdict === 'bench-error'),
      [],
    );
    const permission = report.scenarios.find(({ id }) => id === 'cancel/pending-permission')!;
    assert.deepEqual(
      [permission.verdict, permission.reason],
      [
        'not-exercised',
        'the trigger "permission" did not fire: the response to session/prompt came instead of session/request_permission',
      ],
    );
    assert.deepEqual(permission.triggers, { permission: false });
    const { verdict, reason } = report.requirements.find(({ id }) => id === 'TERM-02')!;
    assert.deepEqual([verdict, reason?.split(' (')[0]], ['not-exercised', 'trigger:terminal did not hold']);
  });
});
