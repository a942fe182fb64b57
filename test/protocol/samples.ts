/** Values made from a plain schema, and mutations of them: good and bad samples that nobody wrote by hand. */
import fc from 'fast-check';
import type { Json } from '../../src/wire/json.ts';
import { definitionOf, type SchemaFile, type SchemaNode } from '../../tools/schemas/schema.ts';

type Members = Readonly<Record<string, Json>>;

/** Values that fit a definition. */
export const fitting = (schema: SchemaFile, definition: string): fc.Arbitrary<Json> =>
  sampleOf({ $ref: `#/$defs/${definition}` }, schema);

/** The value with one to three changes: a member gone, a stranger added, a value of another kind in its place. */
export const mutated = (sample: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(sample, fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce((mutant, [at, how]) => changeAt(mutant, at, how), value));

type Change = { readonly drop: true } | { readonly add: Json } | { readonly put: Json };

const oddities: Json[] = [
  null,
  true,
  -1,
  0,
  1.5,
  70_000,
  2 ** 33,
  2 ** 65,
  '',
  'zzz',
  [],
  ['zzz'],
  {},
  { zzz: 1 },
];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>({ drop: true }),
  fc.constantFrom(...oddities).map((add): Change => ({ add })),
  fc.constantFrom(...oddities).map((put): Change => ({ put })),
);

const changeAt = (root: Json, seed: number, how: Change): Json => {
  const copy = structuredClone(root);
  const places = placesIn(copy).filter(({ holder }) => !('add' in how) || !Array.isArray(holder));
  const place = places[seed % places.length];
  if (!place) return 'put' in how ? how.put : root;
  const holder = place.holder as Record<string, Json>;
  if ('add' in how) holder.zzz = how.add;
  else if ('put' in how) holder[place.key] = how.put;
  else if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
  else delete holder[place.key];
  return copy;
};

/** Every place of a value, but for what lies inside `_meta`, where all is free. */
const placesIn = (value: Json): { holder: Json & object; key: string }[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, item]) => [
        { holder: value, key },
        ...(key === '_meta' ? [] : placesIn(item as Json)),
      ]);

const sampleOf = (node: SchemaNode, schema: SchemaFile): fc.Arbitrary<Json> => {
  if (node.$ref) return sampleOf(schema.$defs[definitionOf(node.$ref)]!, schema);
  const union = node.anyOf ?? node.oneOf;
  if (union && !node.properties && !node.allOf) {
    return fc.oneof(...union.filter(branch => !branch.not).map(branch => sampleOf(branch, schema)));
  }
  if (node.allOf?.length === 1 && !node.properties) return sampleOf(node.allOf[0]!, schema);
  if (node.const !== undefined) return fc.constant(node.const as Json);
  if (node.enum) return fc.constantFrom(...(node.enum as Json[]));
  const types = [node.type ?? []].flat();
  return types.length === 0 ? fc.constantFrom<Json>(1, 'x', null, { a: [] }) : fc.oneof(...types.map(ofType));

  function ofType(type: string): fc.Arbitrary<Json> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.constantFrom(0, 1, 65_535);
      case 'number':
        return fc.constantFrom(0, 0.5, -3);
      case 'string':
        return node.format === 'uri' ? fc.constant('x:y') : fc.constantFrom('x:y', '/a/b', 'aGk=');
      case 'array':
        return fc.array(node.items ? sampleOf(node.items, schema) : fc.constant(1), { maxLength: 2 });
      default:
        return membersOf(node, schema);
    }
  }
};

/** Members of the node itself, of all that it is composed of, and of one branch of its union. */
const membersOf = (node: SchemaNode, schema: SchemaFile): fc.Arbitrary<Members> => {
  const required = new Set(node.required);
  const own = Object.entries(node.properties ?? {}).map(([name, part]) =>
    fc
      .option(sampleOf(part, schema), { nil: undefined, freq: required.has(name) ? 1e9 : 1 })
      .map((value): Members => (value === undefined ? {} : { [name]: value })),
  );
  const composed = (node.allOf ?? []).map(part => sampleOf(part, schema) as fc.Arbitrary<Members>);
  const union = (node.anyOf ?? node.oneOf)?.filter(branch => !branch.not);
  const branch = union
    ? [fc.oneof(...union.map(part => sampleOf({ ...part, type: 'object' }, schema) as fc.Arbitrary<Members>))]
    : [];
  return fc.tuple(...own, ...composed, ...branch).map(parts => Object.assign({}, ...parts) as Members);
};
