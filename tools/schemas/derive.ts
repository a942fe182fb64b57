/** Derives the stable schema of a release from a base file that knows more than the release does. */
import { removeAt, setAt } from './json-pointer.ts';
import { definitionOf, type SchemaFile, type SchemaNode } from './schema.ts';

/** `schemas/acp/<release>.json`: names and pointers only, never upstream text. */
export interface Descriptor {
  /** File of an installed package, such as `acp-sdk-1.4.0/schema/schema.json`. */
  readonly base: string;
  /** Definitions that the release has; absent when it has all of the base. */
  readonly keep?: readonly string[];
  /** JSON pointers into what is left, applied in this order. */
  readonly remove?: readonly string[];
  /** Values to put in place, by JSON pointer. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Structural digest that the result must have. */
  readonly digest: string;
}

/** Union branches and members that refer to a definition which the release lacks go with it. */
export const deriveSchema = (base: SchemaFile, descriptor: Descriptor): SchemaFile => {
  const schema = structuredClone(base);
  if (descriptor.keep) keepOnly(schema, new Set(descriptor.keep));
  for (const pointer of descriptor.remove ?? []) removeAt(schema, pointer);
  for (const [pointer, value] of Object.entries(descriptor.set ?? {})) setAt(schema, pointer, value);
  return schema;
};

const keepOnly = (schema: SchemaFile, kept: ReadonlySet<string>): void => {
  const missing = [...kept].filter(name => !(name in schema.$defs));
  if (missing.length > 0) throw new Error(`the base schema has no definition ${missing.join(', ')}`);
  for (const name of Object.keys(schema.$defs)) {
    if (!kept.has(name)) delete schema.$defs[name];
  }
  prune(schema, kept);
};

/** Takes dangling references out of a node, innermost first; true when the node itself can no longer stand. */
const prune = (node: SchemaNode, kept: ReadonlySet<string>): boolean => {
  if (node.$ref !== undefined) return !kept.has(definitionOf(node.$ref));
  for (const union of ['anyOf', 'oneOf'] as const) {
    const branches = node[union];
    if (!branches) continue;
    const left = branches.filter(branch => !prune(branch, kept));
    if (left.length < branches.length && left.every(branch => branch.type === 'null')) return true;
    node[union] = left;
  }
  const parts = [...(node.allOf ?? []), ...(node.items ? [node.items] : [])];
  if (typeof node.additionalProperties === 'object') parts.push(node.additionalProperties);
  if (parts.some(part => prune(part, kept))) return true;
  for (const map of [node.properties, node.$defs as SchemaFile['$defs'] | undefined]) {
    for (const [name, member] of Object.entries(map ?? {})) {
      if (prune(member, kept)) delete map?.[name];
    }
  }
  return false;
};
