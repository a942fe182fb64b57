/** From a started process to a session with its mode and options: one request at a time, each awaited. */
import { benchVersion } from '../base/index.ts';
import { ConnectionLost, isObject, type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import type { AcpAgent } from './acp-agent.ts';
import { type AgentConnection, FrameTooLong } from './connection.ts';
import { startupFailure as failed } from './harness-error.ts';
import { type McpServer, serverEntry } from './servers.ts';

export interface StartUpOptions {
  readonly agent: AcpAgent;
  readonly connection: AgentConnection;
  /** Real path of the workspace. */
  readonly cwd: string;
  readonly servers: readonly McpServer[];
  readonly isSecret: (text: string) => boolean;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** It stands in each frame of ours, and the last of them must be sent whatever it is. */
const longestSessionId = 64 * 1024;

/** What the agent said of itself and of the session. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly protocolVersion: number;
  readonly agentInfo: Json | undefined;
  readonly agentCapabilities: Json | undefined;
  readonly modes: Json | undefined;
  readonly configOptions: Json | undefined;
  /** What was set, and acknowledged by the agent. */
  readonly selectedMode: string | undefined;
  readonly selectedConfig: Readonly<Record<string, string | boolean>>;
}

/** @throws HarnessStartupError whose cause names the request that did not go well */
export const startUp = async (options: StartUpOptions): Promise<SessionFacts> => {
  const { agent, connection, signal } = options;
  const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
    resultOf(connection, method, params, signal);

  const introduction = await ask('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'acp-testbench', version: benchVersion() },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  const { protocolVersion, agentInfo, agentCapabilities } = introduction;
  if (protocolVersion !== 1) throw failed('initialize', 'the agent did not agree to protocol version 1');

  const session = await ask('session/new', {
    cwd: options.cwd,
    mcpServers: entriesFor(options, agentCapabilities),
  });
  const { sessionId, modes, configOptions } = session;
  if (typeof sessionId !== 'string') throw failed('session/new', 'the answer has no session id');
  if (sessionId.length > longestSessionId) throw failed('session/new', 'the session id is too long');

  if (agent.agentModeId !== undefined) {
    if (!idsIn(isObject(modes) ? modes.availableModes : undefined, ['id']).has(agent.agentModeId))
      throw failed('session/set_mode', 'the agent does not offer the selected mode');
    await ask('session/set_mode', { sessionId, modeId: agent.agentModeId });
  }
  const offered = idsIn(configOptions, ['id', 'configId']);
  for (const [configId, value] of Object.entries(agent.sessionConfig)) {
    if (!offered.has(configId))
      throw failed('session/set_config_option', 'the agent does not offer a selected option');
    const typed: JsonObject = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
    await ask('session/set_config_option', { sessionId, configId, ...typed });
  }
  return {
    sessionId,
    protocolVersion,
    agentInfo,
    agentCapabilities,
    modes,
    configOptions,
    selectedMode: agent.agentModeId,
    selectedConfig: agent.sessionConfig,
  };
};

/** @throws HarnessStartupError for a required server that cannot be had, or that the agent cannot reach */
const entriesFor = (
  { servers, isSecret }: StartUpOptions,
  agentCapabilities: Json | undefined,
): readonly JsonObject[] => {
  const missing = servers.find(({ available = true, optional = false }) => !available && !optional);
  if (missing) throw failed('session/new', 'a required MCP server is unavailable');
  const available = servers.filter(({ available = true }) => available);
  const http =
    isObject(agentCapabilities) &&
    isObject(agentCapabilities.mcpCapabilities) &&
    agentCapabilities.mcpCapabilities.http === true;
  if (!http && available.some(({ kind, optional = false }) => kind === 'http' && !optional))
    throw failed(
      'session/new',
      'an http MCP server is selected, and the agent does not advertise mcpCapabilities.http',
    );
  const reachable = available.filter(({ kind }) => http || kind !== 'http');
  return reachable.map(server => serverEntry(server, isSecret));
};

const resultOf = async (
  connection: AgentConnection,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> => {
  let result: Json;
  try {
    result = await connection.request(method, params, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ResponseError)
      throw failed(method, `the agent answered with an error (code ${error.code})`);
    if (error instanceof FrameTooLong) throw failed(method, 'the request is longer than a frame may be');
    if (error instanceof ConnectionLost) throw failed(method, connection.fault() ?? 'the agent is gone');
    throw error;
  }
  // An agent may have nothing to say about a mode or an option that it has set.
  return isObject(result) ? result : {};
};

/** Ids in a list of the agent, whatever else is in its items. */
const idsIn = (list: Json | undefined, names: readonly string[]): ReadonlySet<Json | undefined> =>
  new Set(
    (Array.isArray(list) ? list : []).flatMap(item =>
      isObject(item) ? names.flatMap(name => item[name] ?? []) : [],
    ),
  );
