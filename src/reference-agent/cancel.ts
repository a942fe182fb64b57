import { idKey } from '../wire/index.ts';
import type { NotificationHandler } from './state.ts';

/** Of a session that is idle or unknown, there is nothing to cancel and nothing to say. */
export const cancelTurn: NotificationHandler = (agent, { sessionId }) => {
  if (typeof sessionId === 'string') agent.sessions.get(sessionId)?.turn?.cancel('session');
};

/** A request that was answered, or that ends by itself, is past cancelling. */
export const cancelRequest: NotificationHandler = (agent, { requestId }) => {
  if (typeof requestId === 'string' || typeof requestId === 'number' || requestId === null) {
    agent.cancellable.get(idKey(requestId))?.();
  }
};
