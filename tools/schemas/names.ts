/** The names that a schema knows: members and values by definition, and methods. */
import type { SchemaFile, SchemaNode } from './schema.ts';

/**
 * `ToolCall.name` for a member, `SessionUpdate=usage_update` for a tag or enum value, `session/close` for a method.
 * A name belongs to the definition in which it stands.
 */
export const namesOf = (schema: SchemaFile): ReadonlySet<string> =>
  new Set(
    Object.entries(schema.$defs).flatMap(([definition, node]) => [
      ...inPlace(node).flatMap(part => [
        ...Object.keys(part.properties ?? {}).map(member => `${definition}.${member}`),
        ...valuesOf(part).map(value => `${definition}=${value}`),
      ]),
      ...(typeof node['x-method'] === 'string' ? [node['x-method']] : []),
    ]),
  );

/** The definition a name belongs to; a method belongs to none. */
export const ownerOf = (name: string): string | undefined => /^(\w+)[.=]/.exec(name)?.[1];

/** The node and the branches of its unions: all that describe the value itself. */
const inPlace = (node: SchemaNode): SchemaNode[] => [
  node,
  ...[...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap(inPlace),
];

/** Its constant or enumeration, and the constants of its tags. */
const valuesOf = (node: SchemaNode): unknown[] => [
  ...(node.const === undefined ? [] : [node.const]),
  ...(node.enum ?? []),
  ...Object.values(node.properties ?? {}).flatMap(member =>
    typeof member.const === 'string' ? [member.const] : [],
  ),
];
