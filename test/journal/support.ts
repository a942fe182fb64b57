/** What the tests of the journal build their world with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type AcpEntry,
  type Draft,
  type Entry,
  type JournalHeader,
  readJournal,
} from '../../src/journal/index.ts';
import { createFramer, type Line, readMessage } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';

export const header: JournalHeader = {
  journal: 'acp-testbench/1',
  bench: '0.1.0',
  run: 'run-1',
  startedAt: '2026-11-30T18:00:00.000Z',
  subject: 'agent',
};

/** A path in a folder of its own, removed after the test. */
export const temporaryPath = (test: TestContext, name = 'journal.jsonl'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-testbench-journal-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
};

/** What the framer makes of one line. */
export const lineOf = (bytes: string | Uint8Array): Line => {
  const lines: Line[] = [];
  const framer = createFramer({ onLine: line => lines.push(line) });
  framer.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  framer.push(Buffer.from('\n'));
  if (lines.length !== 1) throw new Error(`${lines.length} lines instead of one`);
  return lines[0]!;
};

export const entriesOf = (path: string): readonly Entry[] => [...readJournal(path).entries];

/** The entry without what only the framer knows of its line, which no file keeps. */
export const asKept = (entry: Entry): Entry => {
  if (entry.channel !== 'acp' || entry.line.kind === 'malformed') return entry;
  const { isPlain, model, ...line } = entry.line;
  return { ...entry, line };
};

/** Bytes of a line of an entry, as text. */
export const rawText = (entry: Entry): string => {
  if (entry.channel !== 'acp') throw new Error(`no line but ${entry.channel}`);
  return Buffer.from(entry.line.bytes).toString('utf8');
};

/** A line as an entry without its place: an object as one frame, a text or bytes as they are. */
export const frameDraft = (content: object | string, from: Party = 'agent'): Draft<AcpEntry> => {
  const line = lineOf(
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  const message = line.kind === 'frame' ? readMessage(line.value) : undefined;
  return { connection: 1, channel: 'acp', from, line, message };
};
