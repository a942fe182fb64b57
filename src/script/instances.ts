/** Instances of a script: one per combination of its parameters. */
import { isObject, type Json } from '../wire/index.ts';
import type { CompiledScript } from './compile.ts';
import type { Script } from './script.ts';

/** A script with values for its parameters, ready to run. */
export interface ScriptInstance {
  /** The script's id, with `[name=value,…]` for one of a family; `#2` is the second value. */
  readonly id: string;
  /** The script with `$param.*` replaced. */
  readonly script: Script;
  /** Digest of the script, the same for all of its instances. */
  readonly digest: string;
  readonly parameters: Readonly<Record<string, Json>>;
}

/** A script without parameters has one instance. Several parameters multiply, the last one changing fastest. */
export const instancesOf = ({ script, digest }: CompiledScript): readonly ScriptInstance[] =>
  combinations(Object.entries(script.parameters ?? {})).map(parameters => ({
    id: script.id + suffixOf(script, parameters),
    script: substitute(script as unknown as Json, parameters) as unknown as Script,
    digest,
    parameters,
  }));

const combinations = (
  parameters: readonly (readonly [string, readonly Json[]])[],
): Readonly<Record<string, Json>>[] =>
  parameters.reduce<Record<string, Json>[]>(
    (sets, [name, values]) => sets.flatMap(set => values.map(value => ({ ...set, [name]: value }))),
    [{}],
  );

/** Values that would not read well in an id are numbered. */
const suffixOf = ({ parameters: all = {} }: Script, parameters: Readonly<Record<string, Json>>): string => {
  const texts = Object.entries(parameters).map(([name, value]) => {
    const text = asText(value);
    return `${name}=${/^[\w./-]{1,40}$/.test(text) ? text : `#${all[name]!.indexOf(value) + 1}`}`;
  });
  return texts.length ? `[${texts.join(',')}]` : '';
};

/** Values are data: a dollar in one is no name, so it is written as a template writes a dollar. */
const substitute = (template: Json, parameters: Readonly<Record<string, Json>>, inSchema = false): Json => {
  if (typeof template === 'string') {
    const value = (name: string): Json => (inSchema ? parameters[name]! : literal(parameters[name]!));
    const [, whole] = /^\$param\.([^.\s${}]+)$/.exec(template) ?? [];
    if (whole !== undefined && Object.hasOwn(parameters, whole)) return value(whole);
    return template.replaceAll(/(?<!\$)((?:\$\$)*)\$\{param\.([^.\s${}]+)\}/g, (text, dollars, name) =>
      Object.hasOwn(parameters, name) ? dollars + asText(value(name)) : text,
    );
  }
  if (Array.isArray(template)) return template.map(item => substitute(item, parameters, inSchema));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [
      name,
      name === 'parameters' ? value! : substitute(value!, parameters, inSchema || name === '$match'),
    ]),
  );
};

const literal = (value: Json): Json => {
  if (typeof value === 'string') return value.replaceAll('$', () => '$$');
  if (Array.isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literal(member!)]));
};

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
