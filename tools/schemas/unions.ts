/** Makes one shape of the objects that a definition stands for: a single object, a union by tag, or a plain choice. */
import { isDeepStrictEqual } from 'node:util';
import type { ObjectShape, Shape, TaggedShape } from '../../src/protocol/shape.ts';
import type { Alternative } from './alternatives.ts';

export const unionOf = (name: string, alternatives: readonly Alternative[]): Shape => {
  const objects = alternatives.map(alternative => objectOf(name, alternative));
  const tag = tagOf(objects);
  return tag === undefined ? oneOf(objects) : taggedBy(tag, name, objects);
};

/**
 * Reads a definition with the eyes of a later release. One that got a tag since is read by that tag, so that a new
 * variant is recognised instead of being taken for the plain one with members too many; and what the variants share
 * is what they still share with the variants that came since.
 */
export const seenFrom = (later: Shape | undefined, shape: Shape, name: string): Shape => {
  if (later?.is !== 'tagged') return shape;
  if (shape.is === 'object') {
    const shared = shareOf([shape, later.shared], later.tag);
    return {
      is: 'tagged',
      of: name,
      tag: later.tag,
      variants: {},
      untagged: shape,
      shared: { ...shared, of: [name] },
    };
  }
  if (shape.is !== 'tagged') return shape;
  return { ...shape, shared: { ...shareOf([shape.shared, later.shared], shape.tag), of: [name] } };
};

const objectOf = (name: string, { of, members, required, open }: Alternative): ObjectShape => ({
  is: 'object',
  of: of.length > 0 ? (of as [string, ...string[]]) : [name],
  // Every type may carry _meta, also where a schema forgets to say so. Source: ACP v1, Extensibility.
  members: '_meta' in members || open ? members : { ...members, _meta: anyMeta },
  required,
  ...(open ? { open } : {}),
});

const anyMeta: Shape = { is: 'nullable', shape: { is: 'map', values: { is: 'any' } } };

/** The member whose constant tells the objects apart. */
const tagOf = (objects: readonly ObjectShape[]): string | undefined =>
  objects.length > 1 || objects.some(object => object.required.some(member => constantOf(object, member)))
    ? objects
        .flatMap(object => object.required.filter(member => constantOf(object, member) !== undefined))
        .at(0)
    : undefined;

const constantOf = (object: ObjectShape, member: string): string | undefined => {
  const shape = object.members[member];
  const [value, ...more] = shape?.is === 'enum' && shape.of === undefined ? shape.values : [];
  return typeof value === 'string' && more.length === 0 ? value : undefined;
};

const taggedBy = (tag: string, name: string, objects: readonly ObjectShape[]): TaggedShape => {
  const byValue = new Map<string, ObjectShape[]>();
  for (const object of objects) {
    const value = constantOf(object, tag);
    if (value !== undefined) byValue.set(value, [...(byValue.get(value) ?? []), object]);
  }
  const other = objects.filter(object => tag in object.members && constantOf(object, tag) === undefined);
  const untagged = objects.filter(object => !(tag in object.members));
  return {
    is: 'tagged',
    of: name,
    tag,
    variants: Object.fromEntries([...byValue].map(([value, same]) => [value, oneOf(same)])),
    ...(untagged.length > 0 ? { untagged: oneOf(untagged) } : {}),
    ...(other.length > 0 ? { other: oneOf(other) } : {}),
    shared: { ...shareOf(objects, tag), of: [name] },
  };
};

const oneOf = (objects: readonly ObjectShape[]): Shape =>
  objects.length === 1 && objects[0] ? objects[0] : { is: 'choice', options: objects };

/** Members that all objects have but for the tag; one that differs in shape may hold anything. */
const shareOf = (objects: readonly ObjectShape[], tag: string): ObjectShape => {
  const [first, ...rest] = objects as [ObjectShape, ...ObjectShape[]];
  const members = Object.entries(first.members)
    .filter(([member]) => member !== tag && rest.every(object => member in object.members))
    .map(([member, shape]): [string, Shape] => [
      member,
      rest.every(object => isDeepStrictEqual(object.members[member], shape)) ? shape : { is: 'any' },
    ]);
  const isRequired = (member: string) => objects.every(object => object.required.includes(member));
  return {
    is: 'object',
    of: first.of,
    members: Object.fromEntries(members),
    required: members.map(([member]) => member).filter(isRequired),
    open: true,
  };
};
