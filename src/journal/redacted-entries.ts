/** Entries as they may be shown, for whoever keeps them in memory: the same replacements as in a journal's file. */
import { readMessage } from '../wire/index.ts';
import type { AcpEntry, Entry } from './entry.ts';
import { redactEntry } from './redact-entry.ts';
import type { Cuts, Redactor } from './redactor.ts';
import { createSplitSecrets } from './split-secrets.ts';

export interface RedactedEntries {
  add(entry: Entry): void;
  /** All so far, in order. What has not been decided yet counts as a secret when at least half of one stands there. */
  all(): readonly Entry[];
}

export const redactedEntries = (redactor: Redactor): RedactedEntries => {
  const entries: Entry[] = [];
  const split = createSplitSecrets(redactor.lines.forms, (entry, cuts) => {
    entries.push(
      entry.channel === 'acp' && entry.line.kind === 'frame'
        ? frame(entry, redactor, cuts)
        : redactEntry(entry, redactor, cuts),
    );
  });
  return {
    add: split.add,
    all() {
      split.release();
      return entries;
    },
  };
};

const frame = (entry: AcpEntry, redactor: Redactor, cuts: Cuts | undefined): Entry => {
  const { line } = entry;
  const text = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength).toString('utf8');
  const redacted = redactor.lines.frame(text, cuts);
  if (redacted === text) return entry;
  const value = JSON.parse(redacted);
  return {
    ...entry,
    line: { kind: 'frame', bytes: Buffer.from(redacted), value, carriageReturn: line.carriageReturn },
    message: readMessage(value),
  };
};
