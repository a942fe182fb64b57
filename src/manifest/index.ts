/** The launch manifest `m3.harness.v1`: how to start an agent, with secrets by reference only. */
import { parseYamlFile, UserError } from '../base/index.ts';

export interface Manifest {
  readonly command: string;
  readonly args: readonly string[];
  /** Variable of the agent -> name of the parent's variable that it refers to. */
  readonly references: Readonly<Record<string, string>>;
}

/**
 * Reads and checks a manifest.
 * @throws UserError with `file:line:column` when it cannot be read or is not as schemas/manifest.schema.json says
 */
export const loadManifest = async (path: string): Promise<Manifest> => {
  const { value } = await parseYamlFile(path, { schema: 'schemas/manifest.schema.json' });
  const { command, args = [], env = {} } = value as ManifestFile;
  return { command, args, references: mapValues(env, reference => reference.slice(2, -1)) };
};

/**
 * The agent's variables with the values they refer to. All are secrets: they are redacted wherever they turn up.
 * @throws UserError that names every variable that is not set
 */
export const resolveReferences = (
  manifest: Manifest,
  parent: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  const missing = [...new Set(Object.values(manifest.references))]
    .filter(name => parent[name] === undefined)
    .sort();
  if (missing.length) {
    throw new UserError(
      `the manifest refers to variables that are not set: ${missing.join(', ')}; set them and try again`,
    );
  }
  return mapValues(manifest.references, name => parent[name] as string);
};

interface ManifestFile {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const mapValues = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
