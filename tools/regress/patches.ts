/** Where the patches of the harness are. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../test/regress/patches/', import.meta.url));

export const patchNames = (): readonly string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.patch'))
    .map(name => name.slice(0, -'.patch'.length))
    .sort();

export const patchPath = (name: string): string => `${folder}${name}.patch`;
