import type { ActorFactory, ActorHost, Json } from '../wire/index.ts';
import { type Behaviour, readBehaviour } from './behaviour.ts';
import { createClient } from './client.ts';
import { noCapabilities } from './client-capabilities.ts';
import { createDispatcher } from './dispatch.ts';
import { shutSession } from './session.ts';
import type { Agent } from './state.ts';
import { memoryStore, type SessionStore } from './store.ts';

export interface AgentOptions {
  /** Where sessions are kept. By default in memory, shared by all agents that this factory makes. */
  readonly store?: SessionStore;
  /** Begins every session id; give each process its own. Default `session`. */
  readonly token?: string;
  /** Wall clock for `updatedAt`. By default the host's clock counted from 1970, so that a run can be repeated. */
  readonly now?: () => Date;
}

/**
 * An agent that keeps every requirement and serves every stable method. What a turn does is chosen by its prompt
 * (`triggerPrompt`), what the agent can do by `behaviour`, which may come as JSON.
 * @throws UserError when the behaviour is malformed
 */
export const referenceAgent = (behaviour?: Json, options: AgentOptions = {}): ActorFactory => {
  const complete = readBehaviour(behaviour);
  const store = options.store ?? memoryStore();
  const newSessionId = sessionIds(options.token ?? 'session', store);

  return host => {
    const agent = createAgent(host, complete, store, newSessionId, options.now);
    const dispatch = createDispatcher(agent, host.send);

    const dispose = async (): Promise<void> => {
      const shut = [...agent.sessions.values()].map(session => shutSession(agent, session));
      agent.client.end();
      await Promise.all(shut);
    };

    return {
      receive: dispatch,
      ended: () => void dispose().then(() => host.exit(0)),
      dispose,
    };
  };
};

const createAgent = (
  { clock, send }: ActorHost,
  behaviour: Behaviour,
  store: SessionStore,
  newSessionId: () => string,
  now = () => new Date(clock.now()),
): Agent => ({
  behaviour,
  client: createClient(send),
  clock,
  store,
  sessions: new Map(),
  cancellable: new Map(),
  capabilities: noCapabilities,
  isInitialized: false,
  isAuthenticated: false,
  newSessionId,
  timestamp: () => now().toISOString(),
});

/** Counts up, and past what an earlier process left in the store. */
const sessionIds = (token: string, store: SessionStore): (() => string) => {
  let count = 0;
  return () => {
    let id: string;
    do id = `${token}-${++count}`;
    while (store.load(id));
    return id;
  };
};
