/** Where entries become lines of a file: in order, redacted, in batches. */
import type { UserError } from '../base/index.ts';
import { type BatchFile, createBatchFile } from './batch-file.ts';
import type { Entry, JournalHeader } from './entry.ts';
import {
  circumstancesOf,
  entryText,
  type FrameEntry,
  frameHead,
  frameTail,
  isFrameEntry,
  serializeHeader,
} from './entry-line.ts';
import { redactEntry, redactHeader } from './redact-entry.ts';
import type { Redactor } from './redactor.ts';
import { createSplitSecrets } from './split-secrets.ts';

export interface JournalFile {
  add(entry: Entry): void;
  flush(): void;
  close(): void;
}

export interface JournalFileOptions {
  readonly redactor: Redactor | undefined;
  readonly onFailure: (error: UserError) => void;
}

/** A batch waits no longer than this for more. */
const flushMs = 50;

/** @throws UserError (exit code 2) when the file is there already or cannot be made */
export const createJournalFile = (
  path: string,
  header: JournalHeader,
  { redactor, onFailure }: JournalFileOptions,
): JournalFile => {
  const file = createBatchFile(path, {
    onFailure,
    ...(redactor ? { seal: redactor.lines.batch } : {}),
  });
  addText(file, serializeHeader(redactor ? redactHeader(header, redactor) : header));
  file.flush();

  const circumstances = createCircumstances();

  const write = (entry: Entry): void => {
    if (isFrameEntry(entry)) file.addNumbered(head, entry.seq, circumstances(entry), entry.line.bytes, tail);
    else addText(file, entryText(entry));
  };
  const split =
    redactor &&
    createSplitSecrets(redactor.lines.forms, (entry, cuts) => write(redactEntry(entry, redactor, cuts)));

  let timer: NodeJS.Timeout | undefined;
  const startTimer = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      split?.tick();
      file.flush();
      if (split?.isHolding()) startTimer();
    }, flushMs).unref();
  };
  const flush = (): void => {
    split?.release();
    file.flush();
  };

  return {
    add(entry) {
      if (split) split.add(entry);
      else write(entry);
      startTimer();
    },
    flush,
    close() {
      clearTimeout(timer);
      flush();
      file.close();
    },
  };
};

const addText = (file: BatchFile, line: string): void => file.add(Buffer.from(`${line}\n`));

const head = Buffer.from(frameHead);
const tail = Buffer.from(`${frameTail}\n`);

/** Writes them out anew only where they differ from those of the last frame. */
const createCircumstances = (): ((entry: FrameEntry) => Uint8Array) => {
  let last: FrameEntry | undefined;
  let bytes: Uint8Array = Buffer.alloc(0);
  return entry => {
    if (
      last?.t !== entry.t ||
      last.from !== entry.from ||
      last.by !== entry.by ||
      last.connection !== entry.connection ||
      last.declaredFault !== entry.declaredFault ||
      last.line.carriageReturn !== entry.line.carriageReturn
    ) {
      last = entry;
      bytes = Buffer.from(circumstancesOf(entry));
    }
    return bytes;
  };
};
