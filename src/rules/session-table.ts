/**
 * Which sessions exist. State: a 64-bit hash of each session id with the connection that opened it last, kept over the
 * connections of a run, since a session outlives the process that made it.
 */
import { createHashMap } from './hash-map.ts';
import type { OpenRequests, SessionStanding } from './seen.ts';

export interface SessionTable {
  standing(sessionId: string, connection: number, open: OpenRequests): SessionStanding;
  introduce(sessionId: string, connection: number): void;
}

export const createSessionTable = (): SessionTable => {
  const openedOn = createHashMap();
  // A turn names one session in thousands of frames.
  let openId = '';
  let openConnection = 0;

  return {
    standing(sessionId, connection, open) {
      if (sessionId === openId && connection === openConnection) return 'open';
      const opened = openedOn.get(sessionId);
      if (opened === connection) {
        openId = sessionId;
        openConnection = connection;
        return 'open';
      }
      return inFlight(sessionId, open, opened !== 0) ?? (opened === 0 ? 'unknown' : 'earlier');
    },
    introduce(sessionId, connection) {
      openedOn.set(sessionId, connection);
    },
  };
};

const inFlight = (sessionId: string, open: OpenRequests, known: boolean): SessionStanding | undefined => {
  let standing: SessionStanding | undefined;
  for (const request of open.client.values()) {
    if (reopening.has(request.method) && request.sessionId === sessionId) return 'opening';
    if (!known && making.has(request.method)) standing = 'perhaps';
  }
  return standing;
};

/** Requests that make a session whose id only the result tells. */
export const making: ReadonlySet<string> = new Set(['session/new', 'session/fork']);

/** Requests that open a session which they name. */
export const reopening: ReadonlySet<string> = new Set(['session/load', 'session/resume']);
