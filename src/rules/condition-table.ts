/** Which conditions of the catalogue's `requires` vocabulary a frame shows. */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import type { SeenFrame } from './seen.ts';

/** What a session/update shows. */
export const shownByUpdate = (
  kind: string | undefined,
  update: JsonObject,
  situations: Set<string>,
): void => {
  switch (kind) {
    case 'tool_call':
    case 'tool_call_update':
      situations.add('trigger:tool-call');
      if (update.status === 'failed') situations.add('trigger:tool-failure');
      if (list(update.content).some(item => isObject(item) && item.type === 'diff')) {
        situations.add('trigger:diff');
      }
      if (typeof update.kind === 'string') shownByToolKind(update.kind, situations);
      return;
    case 'plan':
      situations.add('trigger:plan');
      return;
    case 'available_commands_update':
      if (list(update.availableCommands).length > 0) situations.add('commands-advertised');
      return;
    case 'current_mode_update':
      situations.add('trigger:mode-change');
      return;
    case 'config_option_update':
      situations.add('trigger:config-change');
      shownByOptions(update.configOptions, situations);
      return;
    case 'notice':
      situations.add('trigger:notice');
      return;
    case 'compaction_update':
    case 'compaction_summary_chunk':
      situations.add('trigger:compaction');
  }
};

/** What a request or notification shows. */
export const shownByCall = ({ method, payload, from }: SeenFrame, situations: Set<string>): void => {
  for (const name of calls.get(method ?? '') ?? []) situations.add(name);
  if (method?.startsWith('terminal/')) situations.add('trigger:terminal');
  if (from !== 'client' || !payload) return;
  if (list(payload.prompt).some(block => isObject(block) && block.type !== 'text')) {
    situations.add('drive:attach');
  }
  if (list(payload.mcpServers).length > 0) situations.add('drive:mcp-server');
  if (list(payload.additionalDirectories).length > 0) situations.add('drive:directories');
};

/** What a first answer with a result shows. */
export const shownByResult = (
  method: string,
  payload: JsonObject | undefined,
  situations: Set<string>,
): void => {
  if (/^session\/(new|load|resume)$/.test(method)) {
    if (isObject(payload?.modes)) situations.add('modes-returned');
    else if (method === 'session/new') situations.add('no-modes');
    shownByOptions(payload?.configOptions, situations);
  }
  const stop = method === 'session/prompt' ? stopReasons.get(String(payload?.stopReason)) : undefined;
  if (stop) situations.add(stop);
  if (method === 'session/request_permission') situations.add('drive:permission-choice');
  if (method === 'elicitation/create') situations.add('drive:elicitation-answer');
};

/** Whether the agent sends a request that can be held open. */
export const isAgentDoing = ({ from, message, method = '' }: SeenFrame): boolean =>
  from === 'agent' &&
  message?.type === 'request' &&
  /^(fs\/|terminal\/|elicitation\/create$|session\/request_permission$)/.test(method);

const shownByOptions = (options: Json | undefined, situations: Set<string>): void => {
  if (list(options).length === 0) return;
  situations.add('config-options-returned');
  for (const option of list(options)) {
    if (!isObject(option)) continue;
    if (option.type === 'boolean') situations.add('boolean-option-returned');
    if (option.category === 'mode') situations.add('mode-option-returned');
  }
};

const shownByToolKind = (kind: string, situations: Set<string>): void => {
  if (kind === 'read') situations.add('trigger:fs-read').add('trigger:fs');
  if (kind === 'edit') situations.add('trigger:fs-write').add('trigger:fs');
  if (kind === 'execute') situations.add('trigger:terminal');
};

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

// Names come off the wire: an object would know `constructor` as well.
const stopReasons: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'trigger:max-tokens'],
  ['max_turn_requests', 'trigger:turn-limit'],
  ['refusal', 'trigger:refusal'],
]);

const calls: ReadonlyMap<string, readonly string[]> = new Map([
  ['session/request_permission', ['trigger:permission']],
  ['fs/read_text_file', ['trigger:fs', 'trigger:fs-read']],
  ['fs/write_text_file', ['trigger:fs', 'trigger:fs-write']],
  ['elicitation/create', ['trigger:elicitation']],
  ['authenticate', ['drive:authenticate']],
  ['logout', ['drive:logout']],
  ['session/prompt', ['drive:prompt']],
  ['session/cancel', ['drive:cancel']],
  ['session/load', ['drive:load', 'drive:reopen']],
  ['session/resume', ['drive:resume', 'drive:reopen']],
  ['session/list', ['drive:list']],
  ['session/close', ['drive:close']],
  ['session/delete', ['drive:delete']],
  ['session/set_mode', ['drive:set-mode']],
  ['session/set_config_option', ['drive:set-config']],
]);
