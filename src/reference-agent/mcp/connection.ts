/** What every connection to an MCP server does first. Source: MCP 2025-06-18, Lifecycle. */
import { benchVersion } from '../../base/index.ts';
import type { Clock, Json, JsonObject } from '../../wire/index.ts';

export interface McpConnection {
  /** Resolves when the server's tools are known, or when there is no hope of that. Never rejects. */
  readonly settled: Promise<void>;
  /** Ends the connection; resolves when nothing of it is left. */
  close(): Promise<void>;
}

export interface McpChannel {
  request(method: string, params?: JsonObject): Promise<Json>;
  notify(method: string): unknown;
}

export const protocolVersion = '2025-06-18';

const startLimitMs = 10_000;
/** How long a server may take to end by itself. */
export const endLimitMs = 1_000;

/** Ends with the answer to `tools/list`, when anything fails, or when it takes too long. */
export const shakeHands = (channel: McpChannel, clock: Clock): Promise<void> =>
  new Promise(resolve => {
    const limit = clock.timer(startLimitMs, resolve);
    const settle = (): void => {
      limit.cancel();
      resolve();
    };
    introduce(channel).then(settle, settle);
  });

const introduce = async ({ request, notify }: McpChannel): Promise<void> => {
  await request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'acp-reference-agent', version: benchVersion() },
  });
  await notify('notifications/initialized');
  await request('tools/list', {});
};
