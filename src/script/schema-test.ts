/** Tests `{$match: <JSON Schema>}` leaves. Ajv loads only for scripts that have one. */
import { isObject, type Json } from '../wire/index.ts';
import type { SchemaTest } from './match.ts';
import type { Script } from './script.ts';
import { isSchemaLeaf } from './values.ts';

export const usesSchemas = (script: Script): boolean => hasSchemaLeaf(script as unknown as Json);

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

const hasSchemaLeaf = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isObject(value) && isSchemaLeaf(value)) || Object.values(value).some(member => hasSchemaLeaf(member)));
