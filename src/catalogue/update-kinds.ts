/** What the kinds of session/update are about: a turn, or the session. */

/** Kinds of session/update that belong to a turn; the others may come at any time. */
export const isTurnContent = (kind: string | undefined): boolean => kind !== undefined && turnKinds.has(kind);

/** Kinds that tell of the session and not of the turn. */
export const isSessionScoped = (kind: string | undefined): boolean =>
  kind !== undefined && sessionKinds.has(kind);

const turnKinds: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

const sessionKinds: ReadonlySet<string> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
]);
