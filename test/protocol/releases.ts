/** The schemas of the releases as the build derives them, and Ajv over them: what the product is compared with. */
import { readFileSync } from 'node:fs';
import type { Options, ValidateFunction } from 'ajv';
import Ajv2020Module, { type Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { shipped } from '../../src/base/index.ts';
import { bounds, formats } from '../../src/protocol/formats.ts';
import type { Release } from '../../src/protocol/index.ts';
import { type Descriptor, deriveSchema } from '../../tools/schemas/derive.ts';
import type { SchemaFile, SchemaNode } from '../../tools/schemas/schema.ts';

const Ajv2020 = Ajv2020Module.default;

export type Validates = (definition: string, value: unknown) => boolean;

export const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

export const descriptorOf = (release: Release): Descriptor =>
  readJson(shipped(`schemas/acp/${release}.json`));

export const schemaOf = (release: Release): SchemaFile => {
  const descriptor = descriptorOf(release);
  return deriveSchema(readJson<SchemaFile>(shipped(`node_modules/${descriptor.base}`)), descriptor);
};

/** Plain JSON Schema: every keyword as it stands, `discriminator` and `x-` keywords inert, number formats bounded. */
export const plainAjv = (schema: SchemaFile): Validates =>
  byDefinition(inertAjv().addSchema({ ...withoutRoot(schema), $id: 'acp' }), 'acp');

/** The strict twin: whatever no keyword of the schema has looked at is refused. */
export const strictTwin = (schema: SchemaFile): Validates =>
  byDefinition(
    inertAjv({ strictTypes: false }).addSchema({ ...closed(withoutRoot(schema)), $id: 'acp' }),
    'acp',
    {
      unevaluatedProperties: false,
    },
  );

/** Validates against the definitions of a schema that `ajv` knows by `id`. */
const byDefinition = (ajv: Ajv, id: string, beside: object = {}): Validates => {
  const validators = new Map<string, ValidateFunction>();
  return (definition, value) => {
    const validate =
      validators.get(definition) ?? ajv.compile({ $ref: `${id}#/$defs/${definition}`, ...beside });
    validators.set(definition, validate);
    return validate(value) as boolean;
  };
};

const inertAjv = (options: Options = {}) => {
  const ajv = new Ajv2020({ strict: true, logger: false, ...options });
  ajv.addVocabulary(
    ['x-side', 'x-method', 'x-docs-ignore', 'discriminator'].concat(
      ['default-on-error', 'skip-invalid-items', 'default-on-null'].map(each => `x-deserialize-${each}`),
    ),
  );
  ajv.addFormat('uri', formats.uri!);
  ajv.addFormat('double', true);
  for (const [name, [least, most]] of Object.entries(bounds)) {
    ajv.addFormat(name, { type: 'number', validate: (value: number) => value >= least && value <= most });
  }
  return ajv;
};

/** The root union ends in branches that let anything pass; and any reference into the file would compile all of it. */
const withoutRoot = ({ anyOf: _, ...rest }: SchemaFile): SchemaFile => rest as SchemaFile;

/** Closes each place where a value stands: members, items and values of maps, but not the branches of a union. */
const closed = <Node extends SchemaNode>(node: Node): Node => {
  const value = (part: SchemaNode): SchemaNode =>
    Object.keys(part).some(key => key === '$ref' || key === 'allOf' || key === 'anyOf' || key === 'oneOf')
      ? { allOf: [closed(part)], unevaluatedProperties: false }
      : closed(part);
  const map = (parts: Record<string, SchemaNode>, each: (part: SchemaNode) => SchemaNode) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, each(part)]));
  return {
    ...node,
    ...(node.properties ? { properties: map(node.properties, value) } : {}),
    ...(node.$defs ? { $defs: map(node.$defs as Record<string, SchemaNode>, closed) } : {}),
    ...(node.items ? { items: value(node.items) } : {}),
    ...(typeof node.additionalProperties === 'object'
      ? { additionalProperties: value(node.additionalProperties) }
      : {}),
    ...(node.allOf ? { allOf: node.allOf.map(closed) } : {}),
    ...(node.anyOf ? { anyOf: node.anyOf.map(closed) } : {}),
    ...(node.oneOf ? { oneOf: node.oneOf.map(closed) } : {}),
  };
};
