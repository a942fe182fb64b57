/** What the agent tells about a session. Source: ACP v1 schema, `SessionUpdate`. */
import type { Json, JsonObject } from '../wire/index.ts';

/** The `update` member of a `session/update`. */
export interface Update extends JsonObject {
  readonly sessionUpdate: string;
}

/** What `session/load` replays: the conversation, not the state of the session. */
const conversation: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

/**
 * The update as history keeps it, or undefined when it is no part of the conversation. Terminals are left out, since a
 * terminal does not outlive its turn.
 */
export const asHistory = (update: Update): Update | undefined => {
  if (!conversation.has(update.sessionUpdate)) return undefined;
  if (!Array.isArray(update.content)) return update;
  return { ...update, content: update.content.filter(item => (item as JsonObject).type !== 'terminal') };
};

export const textBlock = (text: string): JsonObject => ({ type: 'text', text });

/** Items of a tool call's `content`. */
export const toolText = (text: string): JsonObject => ({ type: 'content', content: textBlock(text) });
export const toolDiff = (path: string, oldText: string | null, newText: string): JsonObject => ({
  type: 'diff',
  path,
  oldText,
  newText,
});
export const toolTerminal = (terminalId: Json): JsonObject => ({ type: 'terminal', terminalId });
