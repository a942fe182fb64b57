/**
 * Scripts by name and by file, ready to run. Those that ship with the bench are compiled at its build, a user's file once
 * into a cache; the YAML parser and the validator load only for a text that has no compiled form yet.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, didYouMean, readTextFile, shipped, UserError } from '../base/index.ts';
import { type CompiledScript, instancesOf, type ScriptInstance } from '../script/index.ts';
import { cachedForm } from './cache.ts';
import { compileText } from './compile-text.ts';
import { readForm, writeForm } from './compiled-form.ts';

type Kind = 'scenarios' | 'mock-agents';

/** All scenarios, in the order of their ids. @throws UserError when one of them is wrong */
export const loadScenarios = (): Promise<readonly CompiledScript[]> => loadAll('scenarios');

/** All mock agents, mutants included. @throws as `loadScenarios` */
export const loadMockAgents = (): Promise<readonly CompiledScript[]> => loadAll('mock-agents');

/**
 * The mock agent of that name: an id, that of an instance of a family (`id[name=value]`), or a script file. Of several
 * instances the first.
 * @throws UserError when there is none, when its file is wrong, or when it is no agent
 */
export const loadMockAgent = async (name: string): Promise<ScriptInstance> => {
  const found = isScriptFile(name) ? instancesOf(await loadScriptFile(name))[0]! : await instanceNamed(name);
  if (found.script.role === 'agent') return found;
  throw new UserError(`has role ${found.script.role}; a mock agent has role agent`, { place: name });
};

/** One script from a file, checked against the catalogue. @throws UserError with a line per mistake */
export const loadScriptFile = async (path: string): Promise<CompiledScript> => {
  const text = await readTextFile(path);
  const form = cachedForm(text);
  const known = form && readForm(form, text, path);
  if (known) return known;
  const script = await compileText(text, path);
  if (form) writeForm(form, text, script);
  return script;
};

const instanceNamed = async (name: string): Promise<ScriptInstance> => {
  const ids = shippedIds('mock-agents');
  const id = name.replace(/\[.*$/, '');
  const instances = ids.includes(id) ? instancesOf(await loadShipped('mock-agents', id)) : [];
  const found = instances.find(instance => instance.id === name || instance.script.id === name);
  if (found) return found;
  const known = instances.length > 0 ? instances.map(instance => instance.id) : ids;
  throw new UserError(
    `no mock agent "${name}"${didYouMean(name, known) || '; see acp-testbench list mock-agents'}`,
  );
};

const loadAll = (kind: Kind): Promise<readonly CompiledScript[]> =>
  Promise.all(shippedIds(kind).map(id => loadShipped(kind, id)));

/** The compiled form is that of the build, unless the text was changed since. */
const loadShipped = async (kind: Kind, id: string): Promise<CompiledScript> => {
  const path = join(shipped(kind), `${id}.yaml`);
  const text = await readTextFile(path);
  return readForm(compiled(`scripts/${kind}/${id}.json`), text, path) ?? compileShipped(kind, id, text);
};

/** @throws UserError also when the script's id is not that of its path */
export const compileShipped = async (kind: Kind, id: string, text: string): Promise<CompiledScript> => {
  const path = join(shipped(kind), `${id}.yaml`);
  const script = await compileText(text, path);
  if (script.script.id === id) return script;
  throw new UserError(`the id is "${script.script.id}"; by its path it must be "${id}"`, { place: path });
};

/** Ids of shipped scripts: their paths. */
export const shippedIds = (kind: Kind): readonly string[] =>
  readdirSync(shipped(kind), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.yaml'))
    .map(path => path.replaceAll('\\', '/').slice(0, -'.yaml'.length))
    .sort();

/** Whether a name of a script is that of a file, and not an id. */
export const isScriptFile = (name: string): boolean =>
  /\.(ya?ml|json)$/.test(name) || statSync(name, { throwIfNoEntry: false })?.isFile() === true;
