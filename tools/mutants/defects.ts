/** The agents of the kill matrix: all mutants, and those that must get nothing. */
import { instancesOf, type ScriptInstance } from '../../src/script/index.ts';
import { loadMockAgent, loadMockAgents } from '../../src/script-library/index.ts';
import type { Defect } from './kill-matrix.ts';

/** The reference agent as it is, the ground that mutants stand on. */
export const referenceId = 'reference-agent/plain';

/** Mock agents by id, one for each instance of a family; those that break nothing come first. */
export const loadDefects = async (): Promise<readonly Defect[]> => {
  const agents = (await loadMockAgents()).filter(({ script }) => script.role === 'agent');
  const defects = [{ id: referenceId }, ...agents.flatMap(instancesOf).map(defectOf)];
  return defects.toSorted((one, other) => Number('breaks' in one) - Number('breaks' in other));
};

/** What runs under that id. @throws UserError when there is no such agent */
export const agentOf = async (id: string): Promise<ScriptInstance> => {
  if (id !== referenceId) return loadMockAgent(id);
  return { id, script: { id, title: 'The reference agent', role: 'agent' }, digest: '', parameters: {} };
};

const defectOf = ({ id, script: { breaks, collateral, situations } }: ScriptInstance): Defect => ({
  id,
  ...(breaks && { breaks }),
  ...(collateral && { collateral }),
  ...(situations && { situations }),
});

/** Parts of ids, in which `*` stands for any text. No pattern: everything. */
export const matching = (defects: readonly Defect[], patterns: readonly string[]): readonly Defect[] => {
  const tests = patterns.map(pattern => new RegExp(pattern.split('*').map(literal).join('.*')));
  return defects.filter(({ id }) => tests.length === 0 || tests.some(test => test.test(id)));
};

const literal = (text: string): string => text.replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&');
