/** Paths and line numbers of the specification, wherever they stand, for whoever sends them. */

import type { SchemaFault } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import type { Shape } from './shape.ts';

type Place = readonly [by: Party, on: readonly string[], members: readonly string[], result?: true];

const toolCalls = ['update:tool_call', 'update:tool_call_update'];
const opening = ['session/new', 'session/load', 'session/resume'];

const paths: readonly Place[] = [
  ['agent', toolCalls, ['locations/*/path', 'content/*/path']],
  ['agent', ['session/request_permission'], ['toolCall/locations/*/path', 'toolCall/content/*/path']],
  ['agent', ['fs/read_text_file', 'fs/write_text_file'], ['path']],
  ['agent', ['terminal/create'], ['cwd']],
  ['agent', ['session/list'], ['sessions/*/cwd', 'sessions/*/additionalDirectories'], true],
  ['client', opening, ['cwd', 'additionalDirectories', 'mcpServers/*/command']],
  ['client', ['session/list'], ['cwd']],
];

const lines: readonly Place[] = [
  ['agent', toolCalls, ['locations/*/line']],
  ['agent', ['session/request_permission'], ['toolCall/locations/*/line']],
  ['agent', ['fs/read_text_file'], ['line']],
];

const shapes = (
  requirement: string,
  opportunity: string,
  places: readonly Place[],
  only: (fault: SchemaFault) => boolean,
): readonly Shape[] =>
  places.map(([by, on, members, result]) => ({
    requirement,
    opportunity,
    by,
    on,
    members,
    only,
    ...(result && { result }),
  }));

export const shapesOfBoth: readonly Shape[] = [
  ...shapes('PATH-01', 'a frame of the party with a path', paths, ({ check }) => check === 'absolute-path'),
  ...shapes(
    'PATH-02',
    'a frame of the party with a line number',
    lines,
    ({ check }) => check === 'line-from-1',
  ),
];
