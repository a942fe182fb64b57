/** The behaviour that a script asks of the reference agent, checked before it is run. */
import { parseYamlFile, UserError } from '../base/index.ts';
import { readBehaviour } from '../reference-agent/index.ts';
import { type Script, standsOn } from '../script/index.ts';
import type { Json } from '../wire/index.ts';

/**
 * @param path the file of the script
 * @throws UserError with file, line and column of a member that is unknown or has the wrong type
 */
export const checkBehaviour = async (script: Script, path: string): Promise<void> => {
  if (standsOn(script) !== 'reference-agent') return;
  try {
    readBehaviour(script.behaviour as Json | undefined);
  } catch (error) {
    if (!(error instanceof UserError) || error.place === undefined) throw error;
    const { placeOf } = await parseYamlFile(path, { schema: async () => undefined });
    const message = error.message.slice(`${error.place}  `.length);
    const part = message.startsWith('unknown member') ? 'key' : 'value';
    throw new UserError(message, { place: placeOf(`/${error.place.replaceAll('.', '/')}`, part) });
  }
};
