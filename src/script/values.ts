/** Templates: JSON whose strings may name values. The grammar stands in script.ts. */
import { isObject, type Json } from '../wire/index.ts';

/** A name with the members on its way: `$a.b.0` is `['a', 'b', '0']`. */
export type Path = readonly string[];

/** Finds a value; `undefined` where there is none. */
export type Resolve = (path: Path) => Json | undefined;

/** Thrown by `fill`: the template names a value that is not there. */
export class MissingValue extends Error {
  readonly path: Path;

  constructor(path: Path) {
    super(`$${path.join('.')} has no value`);
    this.path = path;
  }
}

/** The template with every name replaced. Schemas under `$match` are left alone. */
export const fill = (template: Json, resolve: Resolve): Json => {
  if (typeof template === 'string') return fillText(template, resolve);
  if (Array.isArray(template)) return template.map(item => fill(item, resolve));
  if (!isObject(template) || isSchemaLeaf(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value as Json, resolve)]),
  );
};

/** As `fill`, for a pattern whose names may have no value yet: such a member matches anything. */
export const fillLoosely = (pattern: Json, resolve: Resolve): Json => {
  if (typeof pattern === 'string') {
    try {
      return fillText(pattern, resolve);
    } catch (error) {
      if (error instanceof MissingValue) return { $match: true };
      throw error;
    }
  }
  if (Array.isArray(pattern)) return pattern.map(item => fillLoosely(item, resolve));
  if (!isObject(pattern) || isSchemaLeaf(pattern)) return pattern;
  return Object.fromEntries(
    Object.entries(pattern).map(([name, value]) => [name, fillLoosely(value as Json, resolve)]),
  );
};

/** Every name in a template, with the place of its string below the template. */
export const namesIn = (
  template: Json | undefined,
  at: readonly string[] = [],
): { readonly path: Path; readonly at: readonly string[] }[] => {
  if (typeof template === 'string') {
    return readText(template).flatMap(part => (typeof part === 'string' ? [] : [{ path: part, at }]));
  }
  if (typeof template !== 'object' || template === null || isSchemaLeaf(template)) return [];
  return Object.entries(template).flatMap(([name, value]) => namesIn(value, [...at, name]));
};

/** `{$match: <JSON Schema>}` */
export const isSchemaLeaf = (value: Json): value is { readonly $match: Json } =>
  isObject(value) && '$match' in value;

const fillText = (text: string, resolve: Resolve): Json => {
  if (!text.includes('$')) return text;
  const parts = readText(text);
  const [only] = parts;
  if (parts.length === 1 && typeof only !== 'string' && !text.startsWith('${')) return found(only!, resolve);
  return parts.map(part => (typeof part === 'string' ? part : asText(found(part, resolve)))).join('');
};

const found = (path: Path, resolve: Resolve): Json => {
  const value = resolve(path);
  if (value === undefined) throw new MissingValue(path);
  return value;
};

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Literal text and names, in order.
 * @throws SyntaxError for a text that begins with `$` and is no name
 */
export const readText = (text: string): (string | Path)[] => {
  if (text.startsWith('$/')) return [text];
  if (/^\$(?![${])/.test(text)) {
    if (!wholeName.test(text)) {
      throw new SyntaxError(
        `${JSON.stringify(text)} is not the name of a value; a dollar is written ${JSON.stringify(`$${text}`)}`,
      );
    }
    return [text.slice(1).split('.')];
  }
  const parts: (string | Path)[] = [];
  let from = 0;
  for (const { 0: whole, 1: name, index } of text.matchAll(nameInText)) {
    parts.push(text.slice(from, index), name === undefined ? '$' : name.split('.'));
    from = index + whole.length;
  }
  parts.push(text.slice(from));
  return parts.filter(part => part.length > 0);
};

const wholeName = /^\$[A-Za-z_][\w-]*(?:\.[^.\s${}]+)*$/;
const nameInText = /\$\$|\$\{([A-Za-z_][\w-]*(?:\.[^.\s${}]+)*)\}/g;
