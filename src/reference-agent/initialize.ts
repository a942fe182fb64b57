import type { JsonObject } from '../wire/index.ts';
import { methodsFor } from './authentication.ts';
import type { Behaviour } from './behaviour.ts';
import { readClientCapabilities } from './client-capabilities.ts';
import { invalidParams, invalidRequest } from './errors.ts';
import type { Handler } from './state.ts';

/**
 * The one version that this agent speaks is its latest, so it answers with it whatever the client asked for. A second
 * initialize is refused: sessions that stand on the first would not know what the client can do now.
 */
export const initialize: Handler = (agent, params) => {
  const { protocolVersion } = params;
  if (typeof protocolVersion !== 'number' || !isVersion(protocolVersion)) {
    throw invalidParams('protocolVersion must be an integer from 0 to 65535');
  }
  if (agent.isInitialized) throw invalidRequest('Already initialized');

  agent.isInitialized = true;
  agent.capabilities = readClientCapabilities(params.clientCapabilities);
  const { behaviour } = agent;
  return {
    protocolVersion: behaviour.protocolVersion,
    agentInfo: behaviour.info,
    agentCapabilities: agentCapabilities(behaviour.capabilities),
    authMethods: methodsFor(agent),
  };
};

const isVersion = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 65535;

/** Boolean capabilities are stated either way; those that are objects stand for support by being there. */
const agentCapabilities = (can: Behaviour['capabilities']): JsonObject => ({
  loadSession: can.load,
  promptCapabilities: { image: can.image, audio: can.audio, embeddedContext: can.embeddedContext },
  mcpCapabilities: { http: can.mcpHttp, sse: false },
  sessionCapabilities: {
    ...(can.list && { list: {} }),
    ...(can.resume && { resume: {} }),
    ...(can.close && { close: {} }),
    ...(can.delete && { delete: {} }),
    ...(can.additionalDirectories && { additionalDirectories: {} }),
  },
  auth: { ...(can.logout && { logout: {} }) },
});
