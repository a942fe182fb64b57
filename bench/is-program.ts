import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether node was started with this module, which otherwise is imported for what it exports. */
export const isProgram = (url: string): boolean =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
