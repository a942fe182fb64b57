/** MCP servers that a session is given, and how they stand in `session/new`. */
import { isAbsolute } from 'node:path';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { looksLikeCredential } from './credential-names.ts';
import { findExecutable } from './lookup.ts';

/** A value that stands in the environment, or a text. */
export type ServerValue = string | { readonly source: 'environment'; readonly name: string };

interface ServerBase {
  readonly name: string;
  /** One that cannot be had is left out; another makes the start fail. */
  readonly optional?: boolean;
  /** Said by whoever looked, such as the capture proxy. Default: it can be had. */
  readonly available?: boolean;
}

export interface StdioServer extends ServerBase {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, ServerValue>>;
  readonly cwd?: string;
}

export interface HttpServer extends ServerBase {
  readonly kind: 'http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, ServerValue>>;
}

export type McpServer = StdioServer | HttpServer;

/** The server with an absolute command, as the protocol wants it; one whose program is not found cannot be had. */
export const located = (server: McpServer, path: string | undefined): McpServer => {
  if (server.kind === 'http' || isAbsolute(server.command)) return server;
  const command = findExecutable(server.command, path);
  return command === undefined ? { ...server, available: false } : { ...server, command };
};

/** A value that is a reference as a whole: `{source: "environment"}`, or the text `${NAME}`. */
export const referenceIn = (value: ServerValue): string | undefined => {
  if (isObject(value)) return (value as { readonly name: string }).name;
  return /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value as string)?.[1];
};

/** Names and values, environment before headers. */
export const valuesOf = (server: McpServer): readonly (readonly [name: string, value: ServerValue])[] =>
  Object.entries((server.kind === 'stdio' ? server.env : server.headers) ?? {});

/** The URL carries a user, a password, or a query that looks like a credential. */
export const hasCredentialsInUrl = (server: McpServer): boolean => {
  if (server.kind !== 'http') return false;
  const url = parseUrl(server.url);
  if (!url) return true;
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some(name => credentialQueries.has(name.toLowerCase().replaceAll('-', '_')))
  );
};

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

const credentialQueries: ReadonlySet<string> = new Set([
  'token',
  'access_token',
  'api_key',
  'apikey',
  'secret',
  'password',
  'credential',
  'auth',
]);

/**
 * The entry for `session/new`. What is or may be a secret is left out: an agent gets no credential of a server.
 * @param isSecret whether a text is the value of a known secret
 */
export const serverEntry = (server: McpServer, isSecret: (text: string) => boolean): JsonObject => {
  const plain: Json[] = valuesOf(server).flatMap(([name, value]) =>
    typeof value !== 'string' ||
    referenceIn(value) !== undefined ||
    looksLikeCredential(name) ||
    isSecret(value)
      ? []
      : [{ name, value }],
  );
  return server.kind === 'stdio'
    ? { name: server.name, command: server.command, args: [...(server.args ?? [])], env: plain }
    : { type: 'http', name: server.name, url: server.url, headers: plain };
};
