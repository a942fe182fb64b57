import type { NotificationHandler } from './state.ts';

/** Of a session that is idle or unknown, there is nothing to cancel and nothing to say. */
export const cancelTurn: NotificationHandler = (agent, { sessionId }) => {
  if (typeof sessionId === 'string') agent.sessions.get(sessionId)?.turn?.cancel('stop-reason');
};
