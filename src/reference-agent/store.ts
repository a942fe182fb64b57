/** Where sessions outlive the connection. Synchronous, so that a session is stored before it is answered for. */
import type { Update } from './updates.ts';

export interface SessionRecord {
  readonly sessionId: string;
  readonly cwd: string;
  additionalDirectories: readonly string[];
  title: string | null;
  /** ISO 8601. */
  updatedAt: string;
  modeId: string;
  /** Config option id -> value, of the options that are not the mode. */
  options: Record<string, string | boolean>;
  /** The conversation, as `session/load` replays it. */
  history: Update[];
  /** How many ids of messages, tool calls and the like were given out. */
  idCount: number;
  turnCount: number;
}

export interface SessionStore {
  save(record: SessionRecord): void;
  load(sessionId: string): SessionRecord | undefined;
  /** Does nothing when there is no such session. */
  remove(sessionId: string): void;
  /** In no particular order. */
  all(): readonly SessionRecord[];
}

/** Lives as long as whoever holds it; several agents may share one, as processes share a folder. */
export const memoryStore = (): SessionStore => {
  const records = new Map<string, SessionRecord>();
  return {
    save: record => void records.set(record.sessionId, structuredClone(record)),
    load: sessionId => structuredClone(records.get(sessionId)),
    remove: sessionId => void records.delete(sessionId),
    all: () => [...records.values()],
  };
};
