/** The one mistake to tell a person about a value that does not fit one of our schemas. Not for protocol frames. */
import { readFile } from 'node:fs/promises';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { suggestion } from './did-you-mean.ts';
import { pointerStep } from './json-pointer.ts';
import { shipped } from './shipped.ts';

export interface SchemaMistake {
  readonly message: string;
  /** JSON pointer of the value, or of the member whose key is wrong. */
  readonly pointer: string;
  readonly part: 'value' | 'key';
}

/**
 * Checks a value against a schema of the package; undefined when it fits.
 * @param schema path within the package, perhaps with a pointer to a part of it (`schemas/a.schema.json#/$defs/b`); the
 *   schema may use JSON Schema 2020-12
 */
export const schemaMistake = async (schema: string, value: unknown): Promise<SchemaMistake | undefined> => {
  const validate = await validatorOf(schema);
  return validate(value) ? undefined : worst(validate.errors ?? []);
};

const validators = new Map<string, Promise<ValidateFunction>>();

const validatorOf = (schema: string): Promise<ValidateFunction> => {
  const known = validators.get(schema) ?? compile(schema);
  validators.set(schema, known);
  return known;
};

const compile = async (schema: string): Promise<ValidateFunction> => {
  const [file = ''] = schema.split('#', 1);
  return (await loaded(file)).getSchema(schema)!;
};

const validatorSets = new Map<string, Promise<Ajv2020>>();

const loaded = (file: string): Promise<Ajv2020> => {
  const known = validatorSets.get(file) ?? load(file);
  validatorSets.set(file, known);
  return known;
};

const load = async (file: string): Promise<Ajv2020> => {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  return ajv.addSchema(JSON.parse(await readFile(shipped(file), 'utf8')), file);
};

/**
 * A union reports the failure of every branch. The branch that came farthest into the value is the one that was meant,
 * and within it an unknown or missing member explains more than what follows from it.
 */
const worst = (errors: readonly ErrorObject[]): SchemaMistake => {
  const telling = errors.filter(error => !wrappers.has(error.keyword));
  const candidates = telling.length ? telling : errors;
  const depth = (error: ErrorObject) => error.instancePath.split('/').length;
  const deepest = Math.max(...candidates.map(depth));
  const level = candidates.filter(error => depth(error) === deepest);
  const chosen =
    mostTelling.flatMap(keyword => level.filter(error => error.keyword === keyword))[0] ?? level[0]!;
  return tell(chosen, level);
};

const wrappers: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);
const mostTelling = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'required',
  'enum',
  'const',
];

const tell = (error: ErrorObject, level: readonly ErrorObject[]): SchemaMistake => {
  const at = error.instancePath;
  const here = level.filter(other => other.instancePath === at);
  const value = (message: string): SchemaMistake => ({ message, pointer: at, part: 'value' });
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name: string = error.params.additionalProperty ?? error.params.unevaluatedProperty;
      const known = here.flatMap(other => Object.keys(other.parentSchema?.properties ?? {}));
      return {
        message: `unknown member "${name}"${suggestion(name, known)}`,
        pointer: at + pointerStep(name),
        part: 'key',
      };
    }
    case 'propertyNames': {
      const name: string = error.params.propertyName;
      const faults = level.filter(other => other.propertyName === name);
      const pattern = faults.find(fault => fault.keyword === 'pattern');
      return {
        message: `unknown name "${name}"${pattern ? `; ${meaningOf(pattern)}` : suggestion(name, faults.flatMap(allowedBy))}`,
        pointer: at + pointerStep(name),
        part: 'key',
      };
    }
    case 'required':
      return value(`member "${error.params.missingProperty}" is missing`);
    case 'enum':
    case 'const': {
      const allowed = here.flatMap(allowedBy);
      return value(`${show(error.data)} is not possible here${suggestion(String(error.data), allowed)}`);
    }
    case 'type': {
      const types = [
        ...new Set(here.filter(({ keyword }) => keyword === 'type').flatMap(other => other.params.type)),
      ];
      return value(`expected ${types.join(' or ')}, got ${show(error.data)}`);
    }
    case 'pattern':
      return value(`${show(error.data)} is not possible here; ${meaningOf(error)}`);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      if (error.params.limit === 1) return value(`${show(error.data)} is empty`);
      return value(`${show(error.data)} ${error.message ?? 'is not possible here'}`);
    default:
      return value(`${show(error.data)} ${error.message ?? 'is not possible here'}`);
  }
};

/** A pattern says little to people; the schema's own description says it better. */
const meaningOf = ({ parentSchema, params }: ErrorObject): string =>
  parentSchema?.description ? `expected: ${parentSchema.description}` : `it must match ${params.pattern}`;

const allowedBy = ({ keyword, params }: ErrorObject): string[] =>
  keyword === 'enum'
    ? params.allowedValues.map(String)
    : keyword === 'const'
      ? [String(params.allowedValue)]
      : [];

/** A value in a sentence, cut where it would fill the line. */
const show = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};
