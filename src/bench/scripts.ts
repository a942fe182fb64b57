/** The scripts that ship with the bench, found by folder, in the order of their paths. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../base/index.ts';
import { loadCatalogue, situationNames } from '../catalogue/index.ts';
import { type CompiledScript, loadScript, loadScripts } from '../script/index.ts';

/** All scenarios. @throws UserError when one of them is wrong */
export const loadScenarios = (): Promise<readonly CompiledScript[]> =>
  loadScripts(pathsIn(shipped('scenarios')), vocabulary());

/** All mock agents, mutants included. @throws as `loadScenarios` */
export const loadMockAgents = (): Promise<readonly CompiledScript[]> =>
  loadScripts(pathsIn(shipped('mock-agents')), vocabulary());

/** One script from a file, checked against the catalogue. @throws UserError when it is wrong */
export const loadChecked = (path: string): Promise<CompiledScript> => loadScript(path, vocabulary());

const vocabulary = () => {
  const { requirements, conditions } = loadCatalogue();
  return {
    requirements,
    situations: new Set<string>(situationNames),
    conditions: new Set(conditions.keys()),
  };
};

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.yaml'))
    .sort()
    .map(path => join(folder, path));
