import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionRecord, SessionStore } from './store.ts';

/** One JSON file per session. A file that is no session, such as one of a later version, counts as absent. */
export const folderStore = (folder: string): SessionStore => {
  const fileOf = (sessionId: string): string => join(folder, `${sessionId}.json`);

  const read = (file: string): SessionRecord | undefined => {
    try {
      const record = JSON.parse(readFileSync(file, 'utf8'));
      return Array.isArray(record.history) ? record : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    save(record) {
      mkdirSync(folder, { recursive: true });
      const file = fileOf(record.sessionId);
      // A process that is killed while it writes must not leave half a session.
      writeFileSync(`${file}.new`, JSON.stringify(record));
      renameSync(`${file}.new`, file);
    },
    load: sessionId => (isOurs(sessionId) ? read(fileOf(sessionId)) : undefined),
    remove(sessionId) {
      if (isOurs(sessionId)) rmSync(fileOf(sessionId), { force: true });
    },
    all: () =>
      filesIn(folder).flatMap(name => (name.endsWith('.json') ? (read(join(folder, name)) ?? []) : [])),
  };
};

/** Ids come from the client: only those that this agent could have given may become part of a path. */
const isOurs = (sessionId: string): boolean => /^[\w-]+$/.test(sessionId);

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
