/** The cases that ship, checked, with the scripts of their agents ready to run. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean, parseYamlFile, shipped, UserError } from '../base/index.ts';
import { compileScript, instancesOf, type Script, type ScriptInstance } from '../script/index.ts';
import { loadMockAgent } from '../script-library/index.ts';
import type { AgentPart, Case, CaseFile } from './case.ts';

export interface LoadedCase {
  /** `harness/<section>/<name>` */
  readonly id: string;
  readonly section: string;
  readonly case: Case;
  /** What the agent plays. */
  readonly instance: ScriptInstance;
}

/**
 * @param names ids, `harness/turns/*`, or numbers such as `T2`; none: all
 * @throws UserError with the place of a mistake in a file, or for a name that matches nothing
 */
export const loadCases = async (names: readonly string[] = []): Promise<readonly LoadedCase[]> => {
  const folder = shipped('cases/harness');
  const files = readdirSync(folder).filter(name => name.endsWith('.yaml'));
  const all = (await Promise.all(files.sort().map(name => loadFile(join(folder, name), name)))).flat();
  if (names.length === 0) return all;
  const wanted = new Set(names.flatMap(name => matching(name, all)));
  return all.filter(each => wanted.has(each));
};

const matching = (name: string, all: readonly LoadedCase[]): readonly LoadedCase[] => {
  const found = all.filter(
    ({ id, case: { case: number } }) =>
      id === name || number === name || (name.endsWith('*') && id.startsWith(name.slice(0, -1))),
  );
  if (found.length > 0) return found;
  const known = all.flatMap(each => [each.id, each.case.case]);
  throw new UserError(`"${name}" matches no case${didYouMean(name, known)}`);
};

const loadFile = async (path: string, name: string): Promise<readonly LoadedCase[]> => {
  const { value, placeOf } = await parseYamlFile(path, { schema: 'schemas/case.schema.json' });
  const section = name.slice(0, -'.yaml'.length);
  const { cases } = value as CaseFile;
  const seen = new Set<string>();
  return Promise.all(
    cases.map(async (each, index) => {
      const id = `harness/${section}/${each.name}`;
      const at = `/cases/${index}`;
      if (seen.has(id))
        throw new UserError(`there is a case "${each.name}" already`, { place: placeOf(`${at}/name`) });
      seen.add(id);
      const place: typeof placeOf = (pointer, part) => placeOf(`${at}/agent${pointer}`, part);
      return { id, section, case: each, instance: await instanceOf(id, each.agent ?? {}, path, place) };
    }),
  );
};

const instanceOf = async (
  id: string,
  { mock, args: _, ignoreSigterm: _i, grandchild: _g, stderrBytes: _s, writes: _w, ...members }: AgentPart,
  source: string,
  placeOf: (pointer: string, part?: 'value' | 'key') => string,
): Promise<ScriptInstance> => {
  if (mock !== undefined) return loadMockAgent(mock);
  const script: Script = { id, title: 'The agent of the case', role: 'agent', ...members };
  return instancesOf(await compileScript(script, source, { placeOf }))[0]!;
};
