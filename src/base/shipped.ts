/** Where the files are that ship with the package. `src/` and `dist/` have the same depth, so one path serves both. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Absolute path of a file or folder of the package, such as `scenarios` or `requirements/requirements.json`. */
export const shipped = (path: string): string => fileURLToPath(new URL(path, root));

/** Absolute path of a compiled module that runs in a process of its own, such as `process/guardian.js`. */
export const compiled = (module: string): string => shipped(`dist/${module}`);

/** URL of a compiled or generated module, for `import()`. */
export const compiledUrl = (module: string): string => new URL(`dist/${module}`, root).href;

let version: string | undefined;

/** Version of this bench, from package.json. */
export const benchVersion = (): string => {
  version ??= (JSON.parse(readFileSync(shipped('package.json'), 'utf8')) as { version: string }).version;
  return version;
};
