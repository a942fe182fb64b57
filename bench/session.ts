/**
 * The session that everything is measured on: an agent that streams turn after turn. What the client asks is the same
 * for all configurations; `agent-output.ts` is what the agent answers.
 */
import type { JsonObject } from '../src/wire/json.ts';

export const sessionId = '0b6f3c1e-5d0a-4e0c-9a57-3f1f6d2c8e41';

/** Registered with the redactor, and now and then a part of what a tool prints. */
export const secret = { name: 'API_TOKEN', value: 'sk-live-4f9a27c1d8e35b60a1' };

/** Requests of the client in the order of their ids, from 0: the handshake, then one prompt for each turn. */
export const requestCount = (turns: number): number => 2 + turns;

export const request = (id: number): { readonly method: string; readonly params: JsonObject } => {
  switch (id) {
    case 0:
      return { method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } };
    case 1:
      return { method: 'session/new', params: { cwd: '/home/dev/project', mcpServers: [] } };
    default:
      return {
        method: 'session/prompt',
        params: { sessionId, prompt: [{ type: 'text', text: 'Go on with the next file.' }] },
      };
  }
};
