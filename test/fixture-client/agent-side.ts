/** The agent's side of a fixture client, and a workspace for it. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type FixtureClientOptions, fixtureClient } from '../../src/fixture-client/index.ts';
import {
  connectActor,
  createPeer,
  createPortPair,
  isObject,
  type Json,
  type JsonObject,
  ResponseError,
} from '../../src/wire/index.ts';

export const sessionId = 's-1';

/** What a client advertises that serves all. */
export const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
};

export interface AgentSide {
  /** Absolute path in the workspace. */
  path(name: string): string;
  /** Sends a request of the agent, `sessionId` added. Resolves with its result or rejects with its error. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  notify(method: string, params?: JsonObject): void;
  /** Tells the client of a frame that the script sent. */
  sent(method: string, params?: JsonObject): void;
  dispose(): Promise<void>;
}

export const agentSide = async (
  t: TestContext,
  options: Partial<FixtureClientOptions> & { files?: Record<string, string> } = {},
): Promise<AgentSide> => {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'fixture-client-')));
  for (const [name, content] of Object.entries(options.files ?? {}))
    await writeFile(join(workspace, name), content);

  const [own, agent] = createPortPair();
  const { actor } = connectActor(own, fixtureClient({ workspace, capabilities: everything, ...options }));
  const peer = createPeer(agent);
  t.after(async () => {
    await actor.dispose();
    await rm(workspace, { recursive: true });
  });
  return {
    path: name => join(workspace, name),
    ask: async (method, params) => asObject(await peer.request(method, { sessionId, ...params })),
    notify: (method, params) => peer.notify(method, params ?? {}),
    sent: (method, params) => actor.sent?.({ jsonrpc: '2.0', method, params: params ?? {} }),
    dispose: () => actor.dispose(),
  };
};

/** For `assert.rejects`: an error response with this code. */
export const withCode = (code: number) => (error: unknown) => {
  if (error instanceof ResponseError && error.code === code) return true;
  throw error;
};

const asObject = (value: Json): JsonObject => {
  if (!isObject(value)) throw new Error(`the result is no object: ${JSON.stringify(value)}`);
  return value;
};
