/** Says what is wrong with a value that the gate refused: one fault per mistake, at its place, never a cascade. */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { escapeToken, sentenceFor, tagWords } from './describe.ts';
import { hintFor, namedDefault } from './doc-examples.ts';
import type { SchemaFault } from './protocol.ts';
import type { Known, ReleaseData } from './released.ts';
import { scalarFault } from './scalar.ts';
import type {
  ChoiceShape,
  EnumShape,
  ListShape,
  MapShape,
  ObjectShape,
  Shape,
  TaggedShape,
} from './shape.ts';

/** Where a value stands, and the definition that speaks for it. */
interface Place {
  readonly pointer: string;
  readonly definition: string;
}

type Faults = readonly SchemaFault[];
const none: Faults = [];

/** @returns faults of `value` against a definition, empty when there is none after all */
export const createExplain = ({ shapes, known }: ReleaseData) => {
  const explain = (shape: Shape, value: Json | undefined, place: Place): Faults => {
    switch (shape.is) {
      case 'any':
        return none;
      case 'reference':
        return explain(shapes[shape.to]!, value, place);
      case 'nullable':
        return value === null ? none : orNull(explain(shape.shape, value, place), place);
      case 'scalar': {
        const fault = scalarFault(shape, value);
        return fault ? [{ ...fault, ...place, actual: value }] : none;
      }
      case 'enum':
        return inEnum(shape, value, place);
      case 'list':
        return inList(shape, value, place);
      case 'map':
        return inMap(shape, value, place);
      case 'object':
        return isObject(value)
          ? inObject(shape, value, place)
          : [mismatch(shape, value, at(place, shape.of[0]))];
      case 'tagged':
        return isObject(value)
          ? inTagged(shape, value, place)
          : [mismatch(shape, value, at(place, shape.of))];
      case 'choice':
        return inChoice(shape, value, place);
    }
  };

  const inEnum = (shape: EnumShape, value: Json | undefined, place: Place): Faults => {
    if (shape.values.some(each => each === value)) return none;
    const definition = shape.of ?? place.definition;
    const isOfType = shape.values.some(each => typeof each === typeof value);
    return isOfType
      ? [unknownValue(value, sentenceFor(shape), at(place, definition))]
      : [mismatch(shape, value, at(place, definition))];
  };

  const inList = (shape: ListShape, value: Json | undefined, place: Place): Faults =>
    Array.isArray(value)
      ? value.flatMap((item: Json, index) => explain(shape.items, item, below(place, String(index))))
      : [mismatch(shape, value, place)];

  const inMap = (shape: MapShape, value: Json | undefined, place: Place): Faults => {
    if (!isObject(value)) return [mismatch(shape, value, place)];
    if (shape.values.is === 'any') return none;
    return Object.entries(value).flatMap(([key, item]) => explain(shape.values, item, below(place, key)));
  };

  const inObject = (shape: ObjectShape, value: JsonObject, outer: Place): Faults => {
    const place = at(outer, shape.of[0]);
    const faults: SchemaFault[] = [];
    for (const name of shape.required) {
      if (value[name] !== undefined) continue;
      faults.push(mismatch(shape.members[name] ?? { is: 'any' }, undefined, below(place, name)));
    }
    for (const name in value) {
      const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      if (member) faults.push(...named(name, explain(member, value[name], below(place, name))));
      else if (!shape.open) faults.push(unknownMember(shape, name, value[name], below(place, name)));
    }
    return hintFor(shape, value, faults);
  };

  const inTagged = (shape: TaggedShape, value: JsonObject, outer: Place): Faults => {
    const place = at(outer, shape.of);
    const tag = value[shape.tag];
    const variant =
      typeof tag === 'string' && Object.hasOwn(shape.variants, tag) ? shape.variants[tag] : undefined;
    if (variant) return explain(variant, value, place);
    if (tag === undefined && shape.untagged) return explain(shape.untagged, value, place);
    if (typeof tag === 'string' && shape.other) return explain(shape.other, value, place);
    const tagPlace = below(place, shape.tag);
    const { [shape.tag]: _, ...rest } = value;
    const asDefault = shape.untagged && namedDefault(shape.of, tag, tagPlace);
    if (asDefault) return [...asDefault, ...explain(shape.untagged, rest, place)];
    const fault =
      typeof tag === 'string'
        ? unknownValue(tag, tagWords(shape), tagPlace)
        : { kind: 'invalid' as const, ...tagPlace, expected: tagWords(shape), actual: tag };
    return hintFor(shape, value, [fault, ...explain(shape.shared, rest, place)]);
  };

  const inChoice = (shape: ChoiceShape, value: Json | undefined, place: Place): Faults => {
    const attempts = shape.options.map(option => ({ option, faults: explain(option, value, place) }));
    const best = attempts.reduce((a, b) => (b.faults.length < a.faults.length ? b : a));
    const isTypeOnly = attempts.every(({ faults }) => faults[0]?.pointer === place.pointer);
    if (isTypeOnly) return [mismatch(shape, value, place)];
    return best.faults.map(fault => (isOfSibling(fault, place, shape) ? bothVariants(fault) : fault));
  };

  const unknownMember = (
    shape: ObjectShape,
    name: string,
    value: Json | undefined,
    place: Place,
  ): SchemaFault => {
    const holder = shape.of.find(definition => known[`${definition}.${name}`]);
    return {
      kind: 'unknown-member',
      ...place,
      expected: 'no such member; custom data belongs in _meta',
      actual: value,
      ...(holder ? elsewhere(`${holder}.${name}`) : {}),
    };
  };

  const unknownValue = (value: Json | undefined, expected: string, place: Place): SchemaFault => ({
    kind: 'unknown-value',
    ...place,
    expected,
    actual: value,
    ...elsewhere(`${place.definition}=${value}`),
  });

  const elsewhere = (name: string): { readonly known?: Known } => {
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    return found ? { known: found } : {};
  };

  return (definition: string, value: Json, pointer: string): Faults =>
    explain(shapes[definition] ?? { is: 'any' }, value, { pointer, definition });
};

const mismatch = (shape: Shape, value: Json | undefined, place: Place): SchemaFault => ({
  kind: 'invalid',
  ...place,
  expected: sentenceFor(shape),
  actual: value,
});

/** A fault of the value itself could have been avoided by null as well. */
const orNull = (faults: Faults, { pointer }: Place): Faults =>
  faults.map(fault =>
    fault.pointer === pointer ? { ...fault, expected: `${fault.expected}, or null` } : fault,
  );

/** A fault of `_meta` itself is one of its own kind for the catalogue. */
const named = (member: string, faults: Faults): Faults =>
  member === '_meta' && faults.length > 0
    ? faults.map(fault => ({ ...fault, check: 'meta-object' }))
    : faults;

/** The member is no stranger: another variant of the same union has it. */
const isOfSibling = (fault: SchemaFault, place: Place, { options }: ChoiceShape): boolean =>
  fault.kind === 'unknown-member' &&
  options.some(
    option =>
      option.is === 'object' &&
      Object.keys(option.members).some(name => fault.pointer === below(place, name).pointer),
  );

const bothVariants = (fault: SchemaFault): SchemaFault => ({
  ...fault,
  kind: 'text',
  expected: 'the members of one variant only',
  check: 'both-variants',
});

const at = ({ pointer }: Place, definition: string): Place => ({ pointer, definition });

const below = ({ pointer, definition }: Place, name: string): Place => ({
  pointer: `${pointer}/${escapeToken(name)}`,
  definition,
});
