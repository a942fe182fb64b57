/** Script files: YAML or JSON, checked, with the place of every mistake. */
import { parseYaml, readTextFile } from '../base/index.ts';
import type { Known } from './check.ts';
import { type CompiledScript, compileScript } from './compile.ts';
import type { Script } from './script.ts';
import { shapeMistake } from './shape.ts';

/**
 * @throws UserError with one line per mistake, such as
 *   `scenarios/session/relative-cwd.yaml:9:5  unknown verb "exepct"; did you mean "expect"?`
 */
export const loadScript = async (path: string, known?: Known): Promise<CompiledScript> =>
  parseScript(await readTextFile(path), path, known);

/** As `loadScript`, for text that was read from that file before. */
export const parseScript = async (text: string, path: string, known?: Known): Promise<CompiledScript> => {
  const { value, placeOf } = await parseYaml(text, { schema: shapeMistake, file: path });
  return compileScript(value as Script, path, { placeOf, ...(known && { known }) });
};
