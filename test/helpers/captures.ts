/** Recordings of real agents: one JSON object a line with `t`, `from`, and `frame`, or `raw` for another line. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../src/journal/entry.ts';
import { createFramer, type JsonObject, type Line, readMessage } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';

interface Captured {
  readonly t: number;
  readonly from: Party;
  readonly frame?: JsonObject;
  /** `null` is a blank line. */
  readonly raw?: string | null;
}

/** Paths of the recordings in a folder. */
export const captureFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => join(folder, name));

/** Entries of a recording. What the client sends is marked as foreign, since no bench was there. */
export const captureEntries = (file: string): readonly Entry[] => {
  const entries: Entry[] = [];
  for (const text of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { t, from, frame, raw } = JSON.parse(text) as Captured;
    const framer = createFramer({
      onLine: (line: Line) =>
        entries.push({
          seq: entries.length + 1,
          t,
          connection: 1,
          channel: 'acp',
          from,
          line,
          message: line.kind === 'frame' ? readMessage(line.value) : undefined,
          ...(from === 'client' && { by: 'foreign' }),
        }),
    });
    framer.push(Buffer.from(`${frame ? JSON.stringify(frame) : (raw ?? '')}\n`));
  }
  return entries;
};
