/** The exchanges that most journals begin with, as steps for `exchange`. */
import type { Json, JsonObject } from '../../src/wire/index.ts';

/** A frame of the client. */
export const client = (frame: JsonObject): string => `C>A ${JSON.stringify({ jsonrpc: '2.0', ...frame })}`;

/** A frame of the agent. */
export const agent = (frame: JsonObject): string => `A>C ${JSON.stringify({ jsonrpc: '2.0', ...frame })}`;

/** A request of the client and its result. */
export const asks = (id: number, method: string, params: JsonObject, result: Json): readonly string[] => [
  client({ id, method, params }),
  agent({ id, result }),
];

/** A request of the agent and its result. */
export const agentAsks = (
  id: string,
  method: string,
  params: JsonObject,
  result: Json,
): readonly string[] => [agent({ id, method, params }), client({ id, result })];

/** initialize with everything that it should have. */
export const initialize = (options: { client?: JsonObject; agent?: JsonObject; result?: JsonObject } = {}) =>
  asks(
    0,
    'initialize',
    {
      protocolVersion: 1,
      clientCapabilities: options.client ?? {},
      clientInfo: { name: 'tester', version: '1' },
    },
    {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: {},
        auth: {},
        mcpCapabilities: { http: true },
        ...options.agent,
      },
      agentInfo: { name: 'tested', version: '1' },
      ...options.result,
    },
  );

/** session/new with id 1; the result introduces `s-1`. */
export const newSession = (result: JsonObject = {}, sessionId = 's-1', id = 1): readonly string[] =>
  asks(id, 'session/new', { cwd: '/w', mcpServers: [] }, { sessionId, ...result });

export const prompt = (id = 7, sessionId = 's-1'): string =>
  client({ id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'go' }] } });

export const stopped = (stopReason = 'end_turn', id = 7): string => agent({ id, result: { stopReason } });

export const update = (update: JsonObject, sessionId = 's-1'): string =>
  agent({ method: 'session/update', params: { sessionId, update } });

export const chunk = (text = 'hello', rest: JsonObject = {}, sessionId = 's-1'): string =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...rest }, sessionId);

export const toolCall = (toolCallId: string, rest: JsonObject = {}, sessionId = 's-1'): string =>
  update({ sessionUpdate: 'tool_call', toolCallId, title: 'Work', ...rest }, sessionId);

export const toolUpdate = (toolCallId: string, rest: JsonObject = {}, sessionId = 's-1'): string =>
  update({ sessionUpdate: 'tool_call_update', toolCallId, ...rest }, sessionId);

export const cancel = (sessionId = 's-1'): string =>
  client({ method: 'session/cancel', params: { sessionId } });

const options: readonly JsonObject[] = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

export const permission = (
  toolCallId = 't-1',
  rest: JsonObject = {},
  toolCall: JsonObject = {},
  id = 'p1',
): string =>
  agent({
    id,
    method: 'session/request_permission',
    params: { sessionId: 's-1', toolCall: { toolCallId, ...toolCall }, options, ...rest },
  });

export const outcome = (outcome: JsonObject, id = 'p1'): string => client({ id, result: { outcome } });
export const selected = (optionId = 'yes', id = 'p1'): string =>
  outcome({ outcome: 'selected', optionId }, id);
export const cancelledOutcome = outcome({ outcome: 'cancelled' });

/** A connection with a session: where most journals about turns begin. */
export const ready: readonly string[] = [...initialize(), ...newSession()];

/** A turn with the given steps in it. */
export const turn = (...steps: readonly string[]): readonly string[] => [
  ...ready,
  prompt(),
  ...steps,
  stopped(),
];
