/** Reads a schema into shapes: see src/protocol/shape.ts. Throws on what it does not know, rather than guess. */

import type { ScalarShape, Shape, Shapes } from '../../src/protocol/shape.ts';
import type { Json } from '../../src/wire/json.ts';
import { alternativesOf, isObjectLike } from './alternatives.ts';
import { definitionOf, type SchemaFile, type SchemaNode } from './schema.ts';
import { unionOf } from './unions.ts';

/** Shapes of all definitions that are more than a scalar, but for the envelope, which is no business of theirs. */
export const shapesOf = (schema: SchemaFile): Shapes => {
  const shapes: Record<string, Shape> = {};
  for (const [name, node] of Object.entries(schema.$defs)) {
    if (isEnvelope(name)) continue;
    const shape = shapeOf(node, name, schema);
    if (isCompound(shape)) shapes[name] = shape;
  }
  return shapes;
};

const isEnvelope = (name: string): boolean =>
  /^(Agent|Client)(Request|Response|Notification)$/.test(name) || name.startsWith('Ext');

const isCompound = (shape: Shape): boolean =>
  shape.is === 'object' || shape.is === 'tagged' || shape.is === 'choice';

/** @param name definition that the node is, absent for a nested node */
const shapeOf = (node: SchemaNode, name: string | undefined, schema: SchemaFile): Shape => {
  const inner = (part: SchemaNode): Shape => shapeOf(part, undefined, schema);
  const reference = soleReference(node);
  if (reference !== undefined) {
    const shape = shapeOf(schema.$defs[reference]!, reference, schema);
    return isCompound(shape) ? { is: 'reference', to: reference } : shape;
  }
  const union = node.anyOf ?? node.oneOf;
  if (isObjectLike(node, schema)) {
    if (isMap(node)) return nullableIf(node, { is: 'map', values: mapValues(node, inner) });
    if (name === undefined)
      throw new Error(`an object without a name: ${JSON.stringify(node).slice(0, 200)}`);
    return unionOf(name, alternativesOf(node, name, schema, inner));
  }
  if (union) return scalarUnion(union, name, inner);
  if (node.type === undefined) return { is: 'any' };
  if (typesOf(node)[0] === 'array') {
    return nullableIf(node, { is: 'list', items: node.items ? inner(node.items) : { is: 'any' } });
  }
  if (node.const !== undefined || node.enum) {
    return nullableIf(node, { is: 'enum', ...(name ? { of: name } : {}), values: constantsOf(node) });
  }
  return nullableIf(node, scalar(node));
};

const soleReference = (node: SchemaNode): string | undefined => {
  const reference = node.$ref ?? (node.allOf?.length === 1 ? node.allOf[0]?.$ref : undefined);
  const isBare = !node.properties && !node.required && !node.anyOf && !node.oneOf;
  return reference !== undefined && isBare ? definitionOf(reference) : undefined;
};

/** A union of no objects: nullable, an enumeration written as constants, or a choice. */
const scalarUnion = (
  union: readonly SchemaNode[],
  name: string | undefined,
  inner: (part: SchemaNode) => Shape,
): Shape => {
  const isNull = (branch: SchemaNode) => branch.type === 'null';
  const rest = union.filter(branch => !isNull(branch));
  const nullable = (shape: Shape): Shape => (rest.length < union.length ? { is: 'nullable', shape } : shape);
  const open = rest.find(branch => branch.const === undefined && branch.type !== undefined);
  const constants = rest.filter(branch => branch.const !== undefined);
  // Constants beside a plain type of theirs are mere examples.
  if (open && constants.length === rest.length - 1 && constants.length > 0) return nullable(inner(open));
  if (constants.length === rest.length) {
    const values = constants.map(branch => branch.const as Json);
    return nullable({ is: 'enum', ...(name ? { of: name } : {}), values });
  }
  const [only] = rest;
  return nullable(rest.length === 1 && only ? inner(only) : { is: 'choice', options: rest.map(inner) });
};

const constantsOf = (node: SchemaNode): Json[] =>
  (node.const !== undefined ? [node.const] : (node.enum ?? [])) as Json[];

const typesOf = (node: SchemaNode): string[] =>
  [node.type ?? []].flat().sort((a, b) => Number(a === 'null') - Number(b === 'null'));

const nullableIf = (node: SchemaNode, shape: Shape): Shape =>
  Array.isArray(node.type) && node.type.includes('null') ? { is: 'nullable', shape } : shape;

const scalar = (node: SchemaNode): ScalarShape => {
  const [type, ...further] = typesOf(node).filter((each, at) => at === 0 || each !== 'null');
  if (further.length > 0) throw new Error(`several types at once: ${typesOf(node)}`);
  return {
    is: 'scalar',
    type: type as ScalarShape['type'],
    ...(node.format !== undefined ? { format: node.format } : {}),
    ...(node.minimum !== undefined ? { minimum: node.minimum } : {}),
    ...(node.maximum !== undefined ? { maximum: node.maximum } : {}),
    ...(node.minLength !== undefined ? { minLength: node.minLength } : {}),
    ...(node['x-check'] !== undefined ? { check: node['x-check'] as NonNullable<ScalarShape['check']> } : {}),
  };
};

/** An object that names no member of its own but says what any member is. */
const isMap = (node: SchemaNode): boolean =>
  !node.properties && !node.allOf && !node.anyOf && !node.oneOf && Boolean(node.additionalProperties);

const mapValues = (node: SchemaNode, inner: (part: SchemaNode) => Shape): Shape =>
  typeof node.additionalProperties === 'object' ? inner(node.additionalProperties) : { is: 'any' };
