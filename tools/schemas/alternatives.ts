/** The objects that a schema node stands for, one per combination of its unions, with all members in one place. */
import type { Shape } from '../../src/protocol/shape.ts';
import { definitionOf, type SchemaFile, type SchemaNode } from './schema.ts';

export interface Alternative {
  /** Definitions that the members come from, the most specific first. */
  readonly of: readonly string[];
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  readonly open: boolean;
}

/** Whether the node, or what it refers to, describes an object. */
export const isObjectLike = (node: SchemaNode, schema: SchemaFile): boolean =>
  Boolean(node.properties) ||
  [node.type].flat().includes('object') ||
  [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])].some(
    part => !isNullable(node) && isObjectLike(resolve(part, schema), schema),
  );

/** @param inner shape of a member */
export const alternativesOf = (
  node: SchemaNode,
  name: string | undefined,
  schema: SchemaFile,
  inner: (part: SchemaNode) => Shape,
): readonly Alternative[] => {
  const expand = (part: SchemaNode): readonly Alternative[] =>
    part.$ref
      ? alternativesOf(resolve(part, schema), definitionOf(part.$ref), schema, inner)
      : alternativesOf(part, undefined, schema, inner);
  const own: Alternative = {
    of: name === undefined ? [] : [name],
    members: Object.fromEntries(
      Object.entries(node.properties ?? {}).map(([member, part]) => [member, inner(part)]),
    ),
    required: node.required ?? [],
    open: node.additionalProperties === true || node.unevaluatedProperties === true,
  };
  let alternatives: readonly Alternative[] = [own];
  for (const part of node.allOf ?? []) alternatives = product(alternatives, expand(part));
  for (const union of [node.anyOf, node.oneOf]) {
    if (union) alternatives = product(alternatives, union.flatMap(expand));
  }
  return alternatives;
};

const product = (bases: readonly Alternative[], parts: readonly Alternative[]): readonly Alternative[] =>
  bases.flatMap(base =>
    parts.map(part => ({
      of: [...part.of, ...base.of],
      members: { ...base.members, ...part.members },
      required: [...new Set([...base.required, ...part.required])],
      open: base.open || part.open,
    })),
  );

const resolve = (node: SchemaNode, schema: SchemaFile): SchemaNode =>
  node.$ref ? schema.$defs[definitionOf(node.$ref)]! : node;

/** `anyOf` of something and null. */
const isNullable = (node: SchemaNode): boolean =>
  [...(node.anyOf ?? []), ...(node.oneOf ?? [])].some(branch => branch.type === 'null');
