/** A session that is open on this connection: its record, and what does not outlive the connection. */
import { errorCode, ResponseError } from '../wire/index.ts';
import type { McpConnection } from './mcp/index.ts';
import { type Params, text } from './params.ts';
import type { Agent } from './state.ts';
import type { SessionRecord } from './store.ts';
import type { CancelAnswer } from './turn.ts';
import { asHistory, type Update } from './updates.ts';

export interface Session {
  readonly record: SessionRecord;
  readonly servers: readonly McpConnection[];
  /** Tool name -> the user's standing answer to whether it may run. */
  readonly standing: Map<string, boolean>;
  /** The turn that runs; a session has one at most. */
  turn: RunningTurn | undefined;
}

export interface RunningTurn {
  cancel(answer: CancelAnswer): void;
  /** Resolves once the turn's prompt has been answered. */
  readonly answered: Promise<void>;
}

/** The open session that `params.sessionId` names. */
export const sessionOf = (agent: Agent, params: Params): Session => {
  const session = agent.sessions.get(text(params, 'sessionId'));
  if (session) return session;
  throw unknownSession(params);
};

export const unknownSession = ({ sessionId }: Params): ResponseError =>
  new ResponseError(errorCode.resourceNotFound, 'Unknown session', { sessionId });

/** Sends an update of the session, and keeps it if it is part of the conversation. */
export const tell = (agent: Agent, { record }: Session, update: Update): void => {
  agent.client.notify('session/update', { sessionId: record.sessionId, update });
  remember(record, update);
};

/** Keeps an update that the client need not be told: the user's own words. */
export const remember = (record: SessionRecord, update: Update): void => {
  const kept = asHistory(update);
  if (kept) record.history.push(kept);
};

/** An id that the session never gave out before, such as `call-7`. */
export const newId = ({ record }: Session, kind: string): string => `${kind}-${++record.idCount}`;

/** Stops what the session is doing and frees what it holds; it stays in the store. */
export const shutSession = async (agent: Agent, session: Session, answer: CancelAnswer): Promise<void> => {
  session.turn?.cancel(answer);
  await session.turn?.answered;
  agent.sessions.delete(session.record.sessionId);
  await Promise.all(session.servers.map(server => server.close()));
};
