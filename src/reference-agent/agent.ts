import {
  type ActorFactory,
  createEndpoint,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  type RequestId,
} from '../wire/index.ts';
import { readBehaviour } from './behaviour.ts';
import { noCapabilities } from './client-capabilities.ts';
import { serve, take } from './dispatch.ts';
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

  return ({ clock, send, exit }) => {
    const now = options.now ?? (() => new Date(clock.now()));
    const answers = watchAnswers(send);
    const client = createEndpoint(answers.send, {
      onRequest: (request, signal) =>
        serve(agent, request, { signal, afterwards: answers.after(request.id) }),
      onNotification: notification => take(agent, notification),
    });
    const agent: Agent = {
      behaviour: complete,
      client,
      clock,
      store,
      sessions: new Map(),
      capabilities: noCapabilities,
      isInitialized: false,
      isAuthenticated: false,
      newSessionId,
      timestamp: () => now().toISOString(),
    };

    const dispose = async (): Promise<void> => {
      const shut = [...agent.sessions.values()].map(session => shutSession(agent, session, 'error'));
      client.lose('the client went away');
      await Promise.all(shut);
    };
    return {
      receive: client.receive,
      sent({ result }) {
        // A script that answers initialize itself has made the promises that follow from it.
        if (isObject(result) && result.protocolVersion !== undefined) agent.isInitialized = true;
      },
      ended: () => void dispose().then(() => exit(0)),
      dispose,
    };
  };
};

/** Lets acts wait for the answer to a request: they follow it in the same moment, so nothing comes between. */
const watchAnswers = (send: (frame: JsonObject) => void) => {
  const waiting = new Map<string, (() => void)[]>();
  return {
    send(frame: JsonObject): void {
      send(frame);
      if (frame.method !== undefined) return;
      const key = idKey(frame.id as RequestId);
      const acts = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const act of acts) act();
    },
    after:
      (id: RequestId) =>
      (act: () => void): void => {
        const key = idKey(id);
        waiting.set(key, [...(waiting.get(key) ?? []), act]);
      },
  };
};

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
