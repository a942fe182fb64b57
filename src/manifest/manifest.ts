/** The launch manifest `m3.harness.v1`: how to start an agent, with secrets by reference only. */
import { UserError } from '../base/index.ts';

/** A manifest with every default filled in; names as they stand in the file. */
export interface Manifest {
  readonly schema_version: 'm3.harness.v1';
  readonly protocol: 'acp';
  readonly protocol_version: 1;
  /** A path, or a name to look up on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variable of the agent -> `${NAME}`, a variable of the parent. */
  readonly env: Readonly<Record<string, string>>;
}

/** Variable of the agent -> name of the parent's variable that it refers to. */
export const referencesIn = ({ env }: Pick<Manifest, 'env'>): Readonly<Record<string, string>> =>
  mapValues(env, reference => reference.slice(2, -1));

/** Names that are referred to and not set, sorted; one that is set to nothing is set. */
export const missingReferences = (
  manifest: Pick<Manifest, 'env'>,
  parent: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  [...new Set(Object.values(referencesIn(manifest)))].filter(name => parent[name] === undefined).sort();

/**
 * The agent's variables with the values they refer to. All are secrets: they are redacted wherever they turn up.
 * @throws UserError that names every variable that is not set
 */
export const resolveReferences = (
  manifest: Pick<Manifest, 'env'>,
  parent: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  const missing = missingReferences(manifest, parent);
  if (missing.length) {
    throw new UserError(
      `the manifest refers to variables that are not set: ${missing.join(', ')}; set them and try again`,
    );
  }
  return mapValues(referencesIn(manifest), name => parent[name] as string);
};

const mapValues = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
