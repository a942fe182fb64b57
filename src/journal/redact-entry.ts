import type { Entry } from './entry.ts';
import type { Cuts, Redactor } from './redactor.ts';

/**
 * The entry as it may be written. A frame without cuts comes back as it is: frames are redacted per batch.
 * The `value` and `message` of a line stay as they were, since they are not written.
 */
export const redactEntry = (entry: Entry, redactor: Redactor, cuts: Cuts | undefined): Entry => {
  switch (entry.channel) {
    case 'acp': {
      const { line } = entry;
      if (line.kind === 'malformed') {
        return { ...entry, line: { ...line, bytes: redactor.lines.bytes(line.bytes, cuts) } };
      }
      if (cuts === undefined) return entry;
      const text = redactor.lines.frame(Buffer.from(line.bytes).toString('utf8'), cuts);
      return { ...entry, line: { ...line, bytes: Buffer.from(text) } };
    }
    case 'stderr':
      return { ...entry, bytes: redactor.lines.bytes(entry.bytes, cuts) };
    case 'process':
      return { ...entry, what: redactor.value(entry.what) };
    case 'bench':
      return { ...entry, what: redactor.value(entry.what) };
  }
};
