/** Mistakes with a known origin: what the protocol's own pages show otherwise than the schema, and tags for a default. */
import type { Json, JsonObject } from '../wire/index.ts';
import type { SchemaFault } from './protocol.ts';
import type { ObjectShape, TaggedShape } from './shape.ts';

/**
 * Marks the fault of an exact documentation example (position A-02): `modeId` for `currentModeId` in a
 * current_mode_update is one mistake, not a missing and an unknown member; and a bare content block as tool content.
 */
export const hintFor = (
  shape: ObjectShape | TaggedShape,
  value: JsonObject,
  faults: readonly SchemaFault[],
): readonly SchemaFault[] => {
  if (shape.is === 'object' && shape.of[0] === 'CurrentModeUpdate' && typeof value.modeId === 'string') {
    return faults
      .filter(({ kind, pointer }) => !(kind === 'unknown-member' && pointer.endsWith('/modeId')))
      .map(fault =>
        fault.pointer.endsWith('/currentModeId') ? { ...fault, check: 'doc-example-mode-id' } : fault,
      );
  }
  if (shape.is === 'tagged' && shape.of === 'ToolCallContent' && isTextBlock(value)) {
    return faults.map(fault =>
      fault.kind === 'unknown-value' ? { ...fault, check: 'doc-example-bare-block' } : fault,
    );
  }
  return faults;
};

/**
 * Faults of a tag that names the variant which has none, or undefined when it does not name it. `agent` is what an
 * absent type of an authentication method says (position A-20); `stdio` is a member too many (position A-10).
 */
export const namedDefault = (
  definition: string,
  tag: Json | undefined,
  place: { readonly pointer: string; readonly definition: string },
): readonly SchemaFault[] | undefined => {
  if (definition === 'AuthMethod' && tag === 'agent') return [];
  if (definition !== 'McpServer' || tag !== 'stdio') return undefined;
  return [
    {
      kind: 'unknown-member',
      ...place,
      expected: 'no type for a stdio server',
      actual: tag,
      check: 'stdio-type',
    },
  ];
};

const isTextBlock = (value: JsonObject): boolean => value.type === 'text' && typeof value.text === 'string';
