/** What the agent knows on one connection, and what a handler is. */
import type { Clock, Endpoint, JsonObject } from '../wire/index.ts';
import type { Behaviour } from './behaviour.ts';
import type { ClientCapabilities } from './client-capabilities.ts';
import type { Params } from './params.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './store.ts';

export interface Agent {
  readonly behaviour: Behaviour;
  readonly client: Endpoint;
  readonly clock: Clock;
  readonly store: SessionStore;
  /** Sessions that are open on this connection. */
  readonly sessions: Map<string, Session>;
  /** What the client advertised in `initialize`; nothing before it. */
  capabilities: ClientCapabilities;
  isInitialized: boolean;
  isAuthenticated: boolean;
  newSessionId(): string;
  /** Wall clock time, ISO 8601. */
  timestamp(): string;
}

/** One request that is being served. */
export interface Call {
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /** Acts once the answer, result or error, has been sent. */
  afterwards(act: () => void): void;
}

/** Serves a request: its result, or a thrown ResponseError. */
export type Handler = (agent: Agent, params: Params, call: Call) => JsonObject | Promise<JsonObject>;

export type NotificationHandler = (agent: Agent, params: Params) => void;
