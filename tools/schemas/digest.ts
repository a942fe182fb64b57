/** The structural digest: equal for schemas that differ only in their words. */
import { createHash } from 'node:crypto';

const words = new Set(['description', 'title', '$comment', 'x-docs-ignore']);

/**
 * SHA-256 (hex) of the schema without `description`, `title`, `$comment` and `x-docs-ignore`, keys sorted, as compact
 * JSON in UTF-8. A member of `properties` that happens to bear such a name holds a schema, not a word, and stays.
 */
export const structuralDigest = (schema: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(structure(schema)))
    .digest('hex');

/** The schema without its words, keys sorted. */
export const structure = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(structure);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([key, value]) => !(words.has(key) && (typeof value === 'string' || typeof value === 'boolean')),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, structure(value)]),
  );
};
