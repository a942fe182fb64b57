/** Tests `{$match: <JSON Schema>}` leaves: by code that the build made of them, else by Ajv, which takes long to load. */
import { createHash } from 'node:crypto';
import { compiledUrl } from '../base/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import type { SchemaTest } from './match.ts';
import type { Script } from './script.ts';
import { isSchemaLeaf } from './values.ts';

/** A test for the schemas of these scripts. */
export const schemaTestFor = async (scripts: readonly Script[]): Promise<SchemaTest> => {
  const schemas = schemasIn(scripts as unknown as Json);
  if (schemas.length === 0) return () => false;
  const built = await builtTests();
  const tests = new Map(schemas.map(schema => [JSON.stringify(schema), built[schemaName(schema)]]));
  if ([...tests.values()].includes(undefined)) return loadSchemaTest();
  return (schema, value) => tests.get(JSON.stringify(schema))!(value);
};

/** A test by Ajv that compiles each schema once. Schemas may use JSON Schema 2020-12. */
export const loadSchemaTest = async (): Promise<SchemaTest> => {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: false });
  const compiled = new Map<string, (value: unknown) => boolean>();
  return (schema, value) => {
    if (typeof schema === 'boolean') return schema;
    const key = JSON.stringify(schema);
    const test = compiled.get(key) ?? ajv.compile<unknown>(schema as object);
    compiled.set(key, test);
    return test(value);
  };
};

/** All schemas under `$match`, in a script or any part of it. */
export const schemasIn = (value: Json | undefined): Json[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (isObject(value) && isSchemaLeaf(value)) return [value.$match];
  return Object.values(value).flatMap(member => schemasIn(member as Json));
};

/** Name under which the build exports the test of a schema. */
export const schemaName = (schema: Json): string =>
  `schema_${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16)}`;

/** Path of the module of built tests, below `dist/`. */
export const builtTestsModule = 'scripts/schema-tests.cjs';

const builtTests = async (): Promise<Readonly<Record<string, (value: Json) => boolean>>> => {
  try {
    return (await import(compiledUrl(builtTestsModule))).default;
  } catch {
    return {};
  }
};
