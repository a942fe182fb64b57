/** Script files: YAML or JSON, checked, with the place of every mistake. */
import { parseYamlFile, UserError } from '../base/index.ts';
import type { Known } from './check.ts';
import { type CompiledScript, compileScript } from './compile.ts';
import type { Script } from './script.ts';
import { shapeMistake } from './shape.ts';

/**
 * @throws UserError with one line per mistake, such as
 *   `scenarios/session/relative-cwd.yaml:9:5  unknown verb "exepct"; did you mean "expect"?`
 */
export const loadScript = async (path: string, known?: Known): Promise<CompiledScript> => {
  const { value, placeOf } = await parseYamlFile(path, { schema: shapeMistake });
  return compileScript(value as Script, path, { placeOf, ...(known && { known }) });
};

/**
 * Loads several scripts, in order.
 * @throws UserError as `loadScript`, and when two have the same id
 */
export const loadScripts = async (
  paths: readonly string[],
  known?: Known,
): Promise<readonly CompiledScript[]> => {
  const scripts: CompiledScript[] = [];
  const sources = new Map<string, string>();
  for (const path of paths) {
    const compiled = await loadScript(path, known);
    const { id } = compiled.script;
    const other = sources.get(id);
    if (other !== undefined) {
      throw new UserError(`the id "${id}" is already that of ${other}; ids are unique`, { place: path });
    }
    sources.set(id, path);
    scripts.push(compiled);
  }
  return scripts;
};
