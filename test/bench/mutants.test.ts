import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProfile } from '../../src/profile/index.ts';
import type { Report } from '../../src/report/index.ts';
import { type CompiledScript, compileScript, defineScript, instancesOf } from '../../src/script/index.ts';
import { loadMockAgents } from '../../src/script-library/index.ts';
import { certified, mockAgentCommand, requestFor } from '../helpers/certify.ts';

const mutants = (await loadMockAgents()).filter(({ script }) => script.breaks);
const reference = await loadProfile('reference-agent');
const profile = 'reference-agent';

/** What a report holds against the agent: requirement -> verdict of the worst finding. */
const heldAgainst = ({ requirements }: Report): Record<string, string> =>
  Object.fromEntries(
    requirements.filter(({ violated }) => violated > 0).map(({ id, findings }) => [id, findings[0]!.verdict]),
  );

/** What a mutant must get: for each broken requirement the catalogue's verdict, and its stated collateral. */
const expectedOf = ({ script }: CompiledScript, held: Record<string, string>): Record<string, string> => {
  const { requirements } = loadCatalogue();
  const broken = script.breaks!.map(id => [id, requirements.get(id)!.verdict]);
  const collateral = Object.keys(script.collateral ?? {}).map(id => [id, held[id] ?? 'some verdict']);
  return Object.fromEntries([...broken, ...collateral]);
};

/** For whoever reads a failure: what the scenarios said. */
const tellScenarios = (t: TestContext, { scenarios }: Report): void => {
  for (const { id, verdict, reason = '', attempts, onlyAlone = false } of scenarios) {
    if (verdict !== 'pass')
      t.diagnostic(`${verdict} ${id} ${JSON.stringify({ attempts, onlyAlone, reason })}`);
  }
};

describe('the reference agent', () => {
  it('has nothing held against it as a process', async () => {
    assert.deepEqual(await certified(requestFor(reference.command!, { profile }), heldAgainst), {});
  });

  it('has nothing held against it in this process', async () => {
    const plain = defineScript({ id: 'test/plain', title: 'The reference agent as it is', role: 'agent' });
    const [instance] = instancesOf(await compileScript(plain));
    const request = requestFor(reference.command!, { profile });
    assert.deepEqual(await certified(request, heldAgainst, { instance: instance! }), {});
  });
});

describe('mutants', { concurrency: 4 }, () => {
  for (const mutant of mutants) {
    const { id, breaks } = mutant.script;
    const request = requestFor(mockAgentCommand(id), { profile });
    const breaksExactly = (t: TestContext) => (report: Report) => {
      tellScenarios(t, report);
      const held = heldAgainst(report);
      assert.deepEqual(held, expectedOf(mutant, held));
    };

    it(`${id} breaks exactly ${breaks!.join(', ')} in this process`, async t => {
      const [instance] = instancesOf(mutant);
      await certified(request, breaksExactly(t), { instance: instance! });
    });

    it(`${id} breaks exactly ${breaks!.join(', ')} as a process`, async t => {
      await certified(request, breaksExactly(t));
    });
  }
});
