import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProfile } from '../../src/profile/index.ts';
import type { Report } from '../../src/report/index.ts';
import { type CompiledScript, instancesOf } from '../../src/script/index.ts';
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

describe('the reference agent', () => {
  it('has nothing held against it, in this process and as a process', async () => {
    assert.deepEqual(await certified(requestFor(reference.command!, { profile }), heldAgainst), {});
  });
});

describe('mutants', { concurrency: 4 }, () => {
  for (const mutant of mutants) {
    const { id, breaks } = mutant.script;
    const request = requestFor(mockAgentCommand(id), { profile });

    it(`${id} breaks exactly ${breaks!.join(', ')} in this process`, async () => {
      const [instance] = instancesOf(mutant);
      const held = await certified(request, heldAgainst, { instance: instance! });
      assert.deepEqual(held, expectedOf(mutant, held));
    });

    it(`${id} breaks exactly ${breaks!.join(', ')} as a process`, async () => {
      const held = await certified(request, heldAgainst);
      assert.deepEqual(held, expectedOf(mutant, held));
    });
  }
});
