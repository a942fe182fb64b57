/** From the text of a script to a checked script that may run. */
import { loadCatalogue, situationNames } from '../catalogue/index.ts';
import { type CompiledScript, parseScript } from '../script/index.ts';

/**
 * @param path of the file that holds the text
 * @throws UserError with a line per mistake
 */
export const compileText = (text: string, path: string): Promise<CompiledScript> => {
  const { requirements, conditions } = loadCatalogue();
  return parseScript(text, path, {
    requirements,
    situations: new Set<string>(situationNames),
    conditions: new Set(conditions.keys()),
  });
};
