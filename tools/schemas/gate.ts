/** Compiles shapes to the gate of a release: one function per definition that says at speed whether all is well. */
import type { Options, Schema } from 'ajv';
import { _ } from 'ajv';
import Ajv2020Module from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { bounds, formats } from '../../src/protocol/formats.ts';
import type { ObjectShape, ScalarShape, Shape, Shapes, TaggedShape } from '../../src/protocol/shape.ts';

const Ajv2020 = Ajv2020Module.default;
const standalone = standaloneModule.default;

/** ES module text that exports a validator for each of `roots`. */
export const gateModule = (shapes: Shapes, roots: readonly string[]): string => {
  const ajv = gateCompiler(shapes, { code: { source: true, esm: true, formats: _`formats` } });
  const exported = Object.fromEntries(roots.map(name => [name, `gate#/$defs/${name}`]));
  return `import { formats } from '../../protocol/formats.js';\n${standalone(ajv, exported)}`;
};

/** An Ajv instance that knows the shapes as `gate#/$defs/<definition>`. */
export const gateCompiler = (shapes: Shapes, options: Options = {}) => {
  const ajv = new Ajv2020({ strict: true, messages: false, discriminator: true, logger: false, ...options });
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
  const $defs = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, schemaOf(shape)]));
  return ajv.addSchema({ $id: 'gate', $defs });
};

const schemaOf = (shape: Shape): Schema & object => {
  switch (shape.is) {
    case 'any':
      return {};
    case 'reference':
      return { $ref: `#/$defs/${shape.to}` };
    case 'scalar':
      return scalarSchema(shape);
    case 'enum':
      return { enum: shape.values };
    case 'list':
      return { type: 'array', items: schemaOf(shape.items) };
    case 'map':
      return { type: 'object', additionalProperties: shape.values.is === 'any' || schemaOf(shape.values) };
    case 'object':
      return objectSchema(shape);
    case 'tagged':
      return taggedSchema(shape);
    case 'choice':
      return { anyOf: shape.options.map(schemaOf) };
    case 'nullable':
      return nullable(schemaOf(shape.shape));
  }
};

const nullable = (schema: Schema & object): Schema & object => {
  if ('type' in schema && typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  if ('enum' in schema && Array.isArray(schema.enum)) return { enum: [...schema.enum, null] };
  return { anyOf: [schema, { type: 'null' }] };
};

const scalarSchema = ({ type, format, minimum, maximum, minLength, check }: ScalarShape): Schema & object => {
  const [least, most] = bounds[format ?? ''] ?? [];
  const text = check ?? format ?? '';
  if (minLength !== undefined && minLength > 1)
    throw new Error('a minimal length above 1 needs Ajv at run time');
  return {
    type,
    ...(minimum !== undefined || least !== undefined
      ? { minimum: Math.max(minimum ?? -Infinity, least ?? -Infinity) }
      : {}),
    ...(maximum !== undefined || most !== undefined
      ? { maximum: Math.min(maximum ?? Infinity, most ?? Infinity) }
      : {}),
    ...(check === 'line-from-1' ? { minimum: 1 } : {}),
    ...(text in formats ? { format: text } : {}),
    ...(minLength ? { pattern: '[\\s\\S]' } : {}),
  };
};

const objectSchema = ({ members, required, open }: ObjectShape): Schema & object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, schemaOf(shape)])),
  required: [...required],
  ...(open ? {} : { additionalProperties: false }),
});

/** By the tag at once where every variant has one; sound since the type is stated beside it. */
const taggedSchema = ({ tag, variants, untagged, other }: TaggedShape): Schema & object => {
  const tagged = Object.values(variants);
  if (!untagged && !other && tagged.every(variant => variant.is === 'object')) {
    return { type: 'object', discriminator: { propertyName: tag }, oneOf: tagged.map(schemaOf) };
  }
  const notListed = { type: 'object', properties: { [tag]: { not: { enum: Object.keys(variants) } } } };
  return {
    anyOf: [
      ...tagged.map(schemaOf),
      ...(untagged ? [schemaOf(untagged)] : []),
      ...(other ? [{ allOf: [notListed, schemaOf(other)] }] : []),
    ],
  };
};
