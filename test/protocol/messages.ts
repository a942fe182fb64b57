/** Messages as short as a test wants to write them, and their faults as short as it wants to read them. */

import { loadProtocol, type Release, type SchemaFault } from '../../src/protocol/index.ts';
import type { Json, JsonObject } from '../../src/wire/json.ts';
import type { NotificationMessage, RequestMessage, ResultMessage } from '../../src/wire/message.ts';
import type { Party } from '../../src/wire/party.ts';

export const request = (method: string, params?: Json): RequestMessage => ({
  type: 'request',
  id: 1,
  method,
  params,
});

export const notification = (method: string, params?: Json): NotificationMessage => ({
  type: 'notification',
  method,
  params,
});

export const result = (value: Json): ResultMessage => ({ type: 'result', id: 1, result: value });

export const update = (value: Json): NotificationMessage =>
  notification('session/update', { sessionId: 's', update: value });

export const faultsOf = async (
  release: Release,
  from: Party,
  message: RequestMessage | NotificationMessage,
): Promise<readonly SchemaFault[]> => (await loadProtocol(release)).check(from, message);

export const updateFaults = (release: Release, value: Json): Promise<readonly SchemaFault[]> =>
  faultsOf(release, 'agent', update(value));

/** Faults of a result that `from` gave to `method`. */
export const resultFaults = async (
  release: Release,
  from: Party,
  method: string,
  value: Json,
): Promise<readonly SchemaFault[]> => (await loadProtocol(release)).check(from, result(value), method);

/** `kind pointer`, or `kind/check pointer`, sorted by nothing: faults come in the order of the message. */
export const brief = (faults: readonly SchemaFault[]): string[] =>
  faults.map(({ kind, check, pointer }) => `${kind}${check ? `/${check}` : ''} ${pointer}`);

export const textChunk = (text: Json): JsonObject => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

export const toolCall = (members: JsonObject): JsonObject => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't',
  title: 'Read a file',
  ...members,
});
