import { UserError } from '../base/index.ts';
import type { Secret } from '../journal/index.ts';

/**
 * The values of the variables that `--secret` names.
 * @throws UserError for one that is not set
 */
export const namedSecrets = (names: readonly string[], env: NodeJS.ProcessEnv): readonly Secret[] =>
  names.map(name => {
    const value = env[name];
    if (value !== undefined) return { name, value };
    throw new UserError(`the variable ${name} is not set; set it and try again`, { place: '--secret' });
  });
