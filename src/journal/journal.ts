/** Gives each entry its place and time, hands it on live, and writes it down. */
import type { UserError } from '../base/index.ts';
import { type Clock, systemClock } from '../wire/index.ts';
import type { AcpEntry, Draft, Entry, JournalHeader } from './entry.ts';
import { createJournalFile } from './journal-file.ts';
import type { Redactor } from './redactor.ts';

export interface Journal {
  /**
   * Gives the entry its `seq` and `t` (microseconds are kept, and time never runs backwards within a journal), adds it
   * to the file and hands it to `onEntry`. After `close` it does neither.
   */
  append(draft: Draft): Entry;
  /** The journal's clock: one reading may serve several entries, as the `t` of their drafts. */
  now(): number;
  /**
   * Writes what is collected.
   * @throws UserError (exit code 3) when writing failed, once, unless `onFailure` has got it
   */
  flush(): void;
  /** Flushes, closes the file. Idempotent. Throws as `flush` does. */
  close(): void;
}

export interface JournalOptions {
  readonly header: JournalHeader;
  /** The file to make; without it nothing is written. */
  readonly path?: string;
  /** Redacts what is written; entries in memory stay as they are. */
  readonly redactor?: Redactor;
  readonly clock?: Clock;
  /** Called within `append`, in order. */
  readonly onEntry?: (entry: Entry) => void;
  /** Called at once when writing fails (full disk, removed file); entries still come, the file stays as it is. */
  readonly onFailure?: (error: UserError) => void;
}

/** @throws UserError (exit code 2) when the file is there already or cannot be made */
export const createJournal = (options: JournalOptions): Journal => {
  const { header, path, redactor, clock = systemClock, onEntry } = options;
  let failure: UserError | undefined;
  const onFailure =
    options.onFailure ??
    ((error: UserError): void => {
      failure = error;
    });
  const file = path === undefined ? undefined : createJournalFile(path, header, { redactor, onFailure });
  let seq = 0;
  let latest = 0;
  let isOpen = true;

  return {
    append(draft) {
      latest = Math.max(latest, toMicroseconds(draft.t ?? clock.now()));
      seq += 1;
      const entry =
        draft.channel === 'acp' ? acpEntry(draft, seq, latest) : ({ ...draft, seq, t: latest } as Entry);
      if (!isOpen) return entry;
      file?.add(entry);
      onEntry?.(entry);
      return entry;
    },

    now: () => clock.now(),

    flush() {
      if (isOpen) file?.flush();
      throwFailure();
    },

    close() {
      if (!isOpen) return;
      isOpen = false;
      file?.close();
      throwFailure();
    },
  };

  function throwFailure(): void {
    const error = failure;
    failure = undefined;
    if (error) throw error;
  }
};

/** Member by member: lines come by the hundred thousand, and a spread takes as long as parsing one. */
const acpEntry = (draft: Draft<AcpEntry>, seq: number, t: number): AcpEntry => {
  const { connection, channel, from, line, message, by, declaredFault } = draft;
  if (by === undefined && declaredFault === undefined)
    return { seq, t, connection, channel, from, line, message };
  return {
    seq,
    t,
    connection,
    channel,
    from,
    line,
    message,
    ...(by === undefined ? {} : { by }),
    ...(declaredFault === undefined ? {} : { declaredFault }),
  };
};

const toMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
