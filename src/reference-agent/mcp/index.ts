/** MCP servers of a session. Source: ACP v1, Session setup, "MCP servers". */
import { type Clock, isObject, type Json } from '../../wire/index.ts';
import { invalidParams } from '../errors.ts';
import { optionalList, type Params } from '../params.ts';
import type { McpConnection } from './connection.ts';
import { connectHttp, type HttpServer } from './http.ts';
import { connectStdio, type StdioServer } from './stdio.ts';

export type { McpConnection } from './connection.ts';

export type McpServer = StdioServer | HttpServer;

/**
 * Reads `mcpServers`.
 * @throws ResponseError -32602 for a malformed entry, and for a transport that the agent does not advertise
 */
export const readServers = (params: Params, takesHttp: boolean): readonly McpServer[] =>
  optionalList(params, 'mcpServers').map(entry => {
    if (!isObject(entry) || typeof entry.name !== 'string') {
      throw invalidParams('mcpServers must hold objects with a name');
    }
    const { type, command, args, env, url, headers } = entry;
    if (type === 'sse' || (type === 'http' && !takesHttp)) {
      throw invalidParams('This transport of MCP is not advertised', { type });
    }
    if (type === 'http' && typeof url === 'string' && isPairs(headers))
      return { url, headers: asRecord(headers) };
    if (type !== 'http' && typeof command === 'string' && isTexts(args) && isPairs(env)) {
      return { command, args, env: asRecord(env) };
    }
    throw invalidParams('An MCP server needs command, args and env, or url and headers', { server: entry });
  });

/** Connects at once. A server that does not start, or says nothing sensible, is done without. */
export const connectServers = (
  servers: readonly McpServer[],
  cwd: string,
  clock: Clock,
): readonly McpConnection[] =>
  servers.map(server => ('url' in server ? connectHttp(server, clock) : connectStdio(server, cwd, clock)));

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

type Pairs = readonly { readonly name: string; readonly value: string }[];

const isPairs = (value: Json | undefined): value is Pairs =>
  Array.isArray(value) &&
  value.every(item => isObject(item) && typeof item.name === 'string' && typeof item.value === 'string');

const asRecord = (pairs: Pairs): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
