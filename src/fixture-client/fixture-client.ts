import { type ActorFactory, createEndpoint, type JsonObject } from '../wire/index.ts';
import { createClientServices } from './client-services.ts';
import type { PermissionPolicy } from './permissions.ts';

export interface FixtureClientOptions {
  /** Absolute path. Files and terminals are served in this folder and below, whatever the session. */
  readonly workspace: string;
  /** Default `reject`. */
  readonly permission?: PermissionPolicy;
  /** What was advertised, where the actor is not told of the initialize request that was sent. Default: nothing. */
  readonly capabilities?: JsonObject;
  /** Environment of terminal commands. Default: what a command needs to be found and to run, from our own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The client side that scripts lean on: it answers every request of the agent as a conforming client does, serves files
 * and terminals as advertised, and sends nothing of its own.
 */
export const fixtureClient =
  ({ workspace, ...options }: FixtureClientOptions): ActorFactory =>
  ({ send, clock }) => {
    const services = createClientServices({ rootsOf: () => [workspace], clock, ...options });
    const endpoint = createEndpoint(send, { onRequest: services.serve });
    return {
      receive: endpoint.receive,
      sent: services.sent,
      ended: () => {},
      dispose: services.dispose,
    };
  };
