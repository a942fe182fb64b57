/** RFC 6901 pointers into a schema that is being derived. */
import { pointerNames, pointerStep } from '../../src/base/index.ts';
import type { SchemaNode } from './schema.ts';

/** Removes what the pointer names. Throws when there is nothing, so that a descriptor cannot go stale unnoticed. */
export const removeAt = (root: SchemaNode, pointer: string): void => {
  const [parent, name] = parentOf(root, pointer);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
};

/** Puts a value where the pointer says, replacing what stands there; the parent must exist. */
export const setAt = (root: SchemaNode, pointer: string, value: unknown): void => {
  const [parent, name] = parentOf(root, pointer, { mayBeNew: true });
  (parent as Record<string, unknown>)[name] = value;
};

/** What the pointer names, or undefined. */
export const valueAt = (root: unknown, pointer: string): unknown =>
  pointerNames(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    root,
  );

const parentOf = (
  root: SchemaNode,
  pointer: string,
  { mayBeNew = false } = {},
): [parent: unknown[] | Record<string, unknown>, name: string] => {
  const names = pointerNames(pointer);
  const name = names.pop();
  const parent = valueAt(root, names.map(pointerStep).join(''));
  if (name === undefined || typeof parent !== 'object' || parent === null || !(mayBeNew || name in parent)) {
    throw new Error(`the base schema has nothing at ${pointer}`);
  }
  return [parent as Record<string, unknown>, name];
};
