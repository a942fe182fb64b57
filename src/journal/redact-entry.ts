import type { Entry, JournalHeader } from './entry.ts';
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
      const text = redactor.lines.frame(textOf(line.bytes), cuts);
      return { ...entry, line: { ...line, bytes: Buffer.from(text) } };
    }
    case 'stderr':
      return { ...entry, bytes: redactor.lines.bytes(entry.bytes, cuts) };
    case 'process':
      return { ...entry, what: redactMembers(entry.what, redactor) };
    case 'bench':
      return { ...entry, what: redactMembers(entry.what, redactor) };
  }
};

/** The header's own words stay, as do those of an event. */
export const redactHeader = (header: JournalHeader, redactor: Redactor): JournalHeader =>
  header.bindings ? { ...header, bindings: redactor.value(header.bindings) } : header;

const redactMembers = <E extends { readonly event: string }>(
  { event, ...members }: E,
  redactor: Redactor,
): E =>
  ({
    event,
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, redactor.value(value)])),
  }) as unknown as E;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
