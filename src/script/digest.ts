import { createHash } from 'node:crypto';
import type { Json } from '../wire/index.ts';

/** SHA-256 in hex over canonical JSON: members sorted by name, no white space. */
export const digestOf = (value: Json): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

const canonicalJson = (value: Json): string =>
  JSON.stringify(value, (_, member: Json) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
