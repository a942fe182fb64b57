/** Which member of which session/update each requirement is about. */
import { isObject, type Json } from '../wire/index.ts';
import type { Shape } from './shape.ts';

const chunks = ['update:user_message_chunk', 'update:agent_message_chunk', 'update:agent_thought_chunk'];
const toolCalls = ['update:tool_call', 'update:tool_call_update'];

const hasDiff = (content: Json | undefined): boolean =>
  Array.isArray(content) && content.some((item: Json) => isObject(item) && item.type === 'diff');

const update = (
  requirement: string,
  opportunity: string,
  rest: Omit<Shape, 'requirement' | 'opportunity' | 'by'>,
): Shape => ({
  requirement,
  opportunity,
  by: 'agent',
  ...rest,
});

export const shapesOfUpdates: readonly Shape[] = [
  update('UPD-01', 'a session/update', {
    on: ['session/update'],
    members: ['sessionId', 'update/sessionUpdate'],
    always: true,
  }),
  update('CONT-07', 'a chunk update', {
    on: chunks,
    members: ['content'],
    always: true,
    only: ({ pointer, actual }) => pointer === '/params/update/content' && Array.isArray(actual),
  }),
  update('MSGID-01', 'a chunk update with messageId', { on: chunks, members: ['messageId'] }),
  update('TOOL-03', 'a tool_call', {
    on: ['update:tool_call'],
    members: ['toolCallId', 'title'],
    always: true,
  }),
  update('TOOL-04', 'a tool_call or tool_call_update with kind', { on: toolCalls, members: ['kind'] }),
  update('TOOL-05', 'a tool_call or tool_call_update with status', { on: toolCalls, members: ['status'] }),
  update('TOOL-11', 'a tool_call or tool_call_update with a diff', {
    on: toolCalls,
    members: ['content/*'],
    when: seen => hasDiff(seen.update?.content),
    only: ({ definition, kind }) => definition === 'Diff' && kind !== 'unknown-member',
  }),
  update('TOOL-12', 'a tool_call or tool_call_update with a location', {
    on: toolCalls,
    members: ['locations/*'],
  }),
  update('TOOL-14', 'a tool_call or tool_call_update with content', {
    on: toolCalls,
    members: ['content/*'],
    only: ({ definition, kind }) => definition === 'ToolCallContent' && kind !== 'unknown-member',
  }),
  update('TOOL-16', 'a tool_call_update', {
    on: ['update:tool_call_update'],
    members: [''],
    only: () => false,
  }),
  update('TOOL-19', 'a tool_call with name', { on: ['update:tool_call'], members: ['name'] }),
  update('PLAN-04', 'a plan update', { on: ['update:plan'], members: ['entries'], always: true }),
  update('CMD-02', 'an available_commands_update', {
    on: ['update:available_commands_update'],
    members: ['availableCommands'],
    always: true,
  }),
  update('MODE-05', 'a current_mode_update', {
    on: ['update:current_mode_update'],
    members: ['currentModeId'],
    always: true,
  }),
  update('INFO-01', 'a session_info_update', {
    on: ['update:session_info_update'],
    members: [''],
    always: true,
    only: ({ known, pointer }) => known === undefined && pointer.startsWith('/params/update/'),
  }),
  update('USAGE-02', 'a usage_update', {
    on: ['update:usage_update'],
    members: ['used', 'size'],
    always: true,
  }),
  update('USAGE-03', 'a usage_update with cost', { on: ['update:usage_update'], members: ['cost'] }),
  update('NOTE-02', 'a notice', { on: ['update:notice'], members: ['severity', 'title'], always: true }),
  update('CFG-01', 'a config_option_update', {
    on: ['update:config_option_update'],
    members: ['configOptions'],
    always: true,
  }),
];
