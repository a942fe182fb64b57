/** Where entries become lines of a file: in order, redacted, in batches. */
import type { UserError } from '../base/index.ts';
import { type BatchFile, createBatchFile } from './batch-file.ts';
import type { Entry, JournalHeader } from './entry.ts';
import { entryText, frameHead, isFrameEntry, serializeHeader } from './entry-line.ts';
import type { Redactor } from './redactor.ts';

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
  { onFailure }: JournalFileOptions,
): JournalFile => {
  const file = createBatchFile(path, { onFailure });
  let timer: NodeJS.Timeout | undefined;
  addText(file, serializeHeader(header));
  file.flush();

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    file.flush();
  };

  return {
    add(entry) {
      if (isFrameEntry(entry)) file.add(frameHead(entry), entry.line.bytes, '}\n');
      else addText(file, entryText(entry));
      timer ??= setTimeout(flush, flushMs).unref();
    },
    flush,
    close() {
      flush();
      file.close();
    },
  };
};

const addText = (file: BatchFile, line: string): void => file.add('', Buffer.from(line), '\n');
