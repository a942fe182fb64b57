/**
 * Compiles shapes to the gate of a release: one function per definition that says at speed whether all is well. The code
 * of a general validator would spend half of its time on errors that a gate does not report.
 */
import { bounds, formats } from '../../src/protocol/formats.ts';
import type { Gate } from '../../src/protocol/released.ts';
import type {
  EnumShape,
  ObjectShape,
  ScalarShape,
  Shape,
  Shapes,
  TaggedShape,
} from '../../src/protocol/shape.ts';

/** ES module text that exports a function for each of `roots`. */
export const gateModule = (shapes: Shapes, roots: readonly string[]): string => `\
import { formats } from '../../protocol/formats.js';
${functionsOf(shapes)}
export { ${roots.map(name => `${nameOf(name)} as ${name}`).join(', ')} };
`;

/** The same for all definitions, in this process. */
export const gateOf = (shapes: Shapes): Gate => {
  const exported = Object.keys(shapes).map(name => `${name}: ${nameOf(name)}`);
  return new Function('formats', `${functionsOf(shapes)}\nreturn { ${exported.join(', ')} };`)(formats);
};

const nameOf = (definition: string): string => {
  if (!/^\w+$/.test(definition)) throw new Error(`definition "${definition}" cannot be a part of a name`);
  return `is${definition}`;
};

const functionsOf = (shapes: Shapes): string => {
  const functions = [
    'const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);',
  ];
  let parts = 0;

  /** Adds a function that decides about `value`. @returns its name */
  const define = (body: readonly string[], name = `part${++parts}`): string => {
    functions.push(`function ${name}(value) {\n${body.join('\n')}\n}`);
    return name;
  };

  /** An expression that decides about what stands at `place`. */
  const test = (shape: Shape, place: string): string => {
    switch (shape.is) {
      case 'any':
        return 'true';
      case 'reference':
        return `${nameOf(shape.to)}(${place})`;
      case 'scalar':
        return scalarTest(shape, place);
      case 'enum':
        return enumTest(shape, place);
      case 'nullable':
        return `(${place} === null || ${test(shape.shape, place)})`;
      case 'choice':
        return anyOf(shape.options.map(option => test(option, place)));
      case 'list':
        return `(Array.isArray(${place}) && ${define(everyItem(test(shape.items, 'item')))}(${place}))`;
      case 'map':
        return shape.values.is === 'any'
          ? `isObject(${place})`
          : `(isObject(${place}) && ${define(everyMember(test(shape.values, 'member')))}(${place}))`;
      case 'object':
        return `${define(objectBody(shape, test))}(${place})`;
      case 'tagged':
        return `${define(taggedBody(shape, test))}(${place})`;
    }
  };

  for (const [name, shape] of Object.entries(shapes))
    define([`return ${test(shape, 'value')};`], nameOf(name));
  return functions.join('\n');
};

type Test = (shape: Shape, place: string) => string;

const everyItem = (accepts: string): string[] => [
  `for (const item of value) if (!${accepts}) return false;`,
  'return true;',
];

const everyMember = (accepts: string): string[] => [
  'for (const name in value) {',
  'const member = value[name];',
  `if (!${accepts}) return false;`,
  '}',
  'return true;',
];

/** Each member that is there is looked at once, and each that must be there is counted. */
const objectBody = ({ members, required, open }: ObjectShape, test: Test): string[] => [
  'if (!isObject(value)) return false;',
  `let missing = ${required.length};`,
  'for (const name in value) {',
  'const member = value[name];',
  'switch (name) {',
  ...Object.entries(members).map(([name, shape]) => {
    const counted = required.includes(name) ? ' missing--;' : '';
    return `case ${JSON.stringify(name)}: if (!${test(shape, 'member')}) return false;${counted} break;`;
  }),
  ...(open ? [] : ['default: return false;']),
  '}',
  '}',
  'return missing === 0;',
];

/** By the tag at once. A value with a listed tag may still be the variant without one, but never the `other`. */
const taggedBody = ({ tag, variants, untagged, other }: TaggedShape, test: Test): string[] => {
  const without = untagged ? [test(untagged, 'value')] : [];
  const unlisted = other ? [test(other, 'value')] : [];
  return [
    'if (!isObject(value)) return false;',
    `switch (value[${JSON.stringify(tag)}]) {`,
    ...Object.entries(variants).map(
      ([name, shape]) => `case ${JSON.stringify(name)}: return ${anyOf([test(shape, 'value'), ...without])};`,
    ),
    '}',
    `return ${anyOf([...without, ...unlisted])};`,
  ];
};

const anyOf = (tests: readonly string[]): string => (tests.length > 0 ? `(${tests.join(' || ')})` : 'false');

const enumTest = ({ values }: EnumShape, place: string): string => {
  if (values.some(value => typeof value === 'object' && value !== null))
    throw new Error('an enum of objects cannot be told by identity');
  return anyOf(values.map(value => `${place} === ${JSON.stringify(value)}`));
};

const scalarTest = (
  { type, format, minimum, maximum, minLength, check }: ScalarShape,
  place: string,
): string => {
  const [least = -Infinity, most = Infinity] = bounds[format ?? ''] ?? [];
  const floor = Math.max(minimum ?? -Infinity, least, check === 'line-from-1' ? 1 : -Infinity);
  const ceiling = Math.min(maximum ?? Infinity, most);
  const text = check ?? format ?? '';
  if (minLength !== undefined && minLength > 1)
    throw new Error('a minimal length above 1 counts characters, which the gate does not');
  return `(${[
    typeTests[type](place),
    ...(floor > -Infinity ? [`${place} >= ${floor}`] : []),
    ...(ceiling < Infinity ? [`${place} <= ${ceiling}`] : []),
    ...(minLength ? [`${place} !== ""`] : []),
    ...(text in formats ? [`formats[${JSON.stringify(text)}](${place})`] : []),
  ].join(' && ')})`;
};

const typeTests: Readonly<Record<ScalarShape['type'], (place: string) => string>> = {
  string: place => `typeof ${place} === "string"`,
  integer: place => `Number.isInteger(${place})`,
  number: place => `Number.isFinite(${place})`,
  boolean: place => `typeof ${place} === "boolean"`,
  null: place => `${place} === null`,
};
