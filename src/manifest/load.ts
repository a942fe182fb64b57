/** Manifests as files: read and written. */
import { text } from 'node:stream/consumers';
import { parseYaml, readTextFile, UserError } from '../base/index.ts';
import type { Manifest } from './manifest.ts';
import { ManifestValidationError, validateManifest } from './validate.ts';

/**
 * Reads a manifest, with its defaults filled in.
 * @param path of a JSON file; `-` reads standard input
 * @throws ManifestValidationError that begins with the place of the first fault; another UserError when the file cannot
 *   be read
 */
export const loadManifest = async (path: string): Promise<Manifest> => {
  const content = path === '-' ? await text(process.stdin) : await readTextFile(path);
  const file = path === '-' ? 'standard input' : path;
  try {
    return validateManifest(parseJson(content)).manifest;
  } catch (error) {
    if (!(error instanceof ManifestValidationError)) throw error;
    const place = await placeOf(error, content, file);
    throw new ManifestValidationError(error.message, error.faults, { place });
  }
};

/**
 * A manifest as text: two spaces deep, keys sorted, every default written out, references as they are.
 * @throws ManifestValidationError
 */
export const exportManifest = (value: unknown): string => {
  const { manifest } = validateManifest(value);
  return `${JSON.stringify(sorted(manifest), null, 2)}\n`;
};

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ManifestValidationError(`invalid JSON: ${(error as Error).message}`);
  }
};

/** `file:line:column` of the first fault; the file alone where the text is no JSON that can be counted in. */
const placeOf = async (
  { faults, message }: ManifestValidationError,
  content: string,
  file: string,
): Promise<string> => {
  const [first] = faults;
  const schema = async () => first && { message, pointer: first.pointer, part: first.part };
  try {
    await parseYaml(content, { file, schema });
  } catch (error) {
    if (error instanceof UserError && error.place !== undefined) return error.place;
  }
  return file;
};

const sorted = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [
        key,
        typeof member === 'object' && !Array.isArray(member) ? sorted(member) : member,
      ]),
  );
