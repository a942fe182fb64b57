/** Reads a journal file of any size in bounded memory: one line at a time. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { UserError } from '../base/index.ts';
import type { Entry, JournalHeader } from './entry.ts';
import { parseEntry, parseHeader } from './parse-entry.ts';

export interface ReadJournal {
  readonly path: string;
  readonly header: JournalHeader;
  /**
   * Reads the entries anew at each iteration.
   * Throws UserError (exit code 2) at `file:line` for a line that is no entry or does not follow the one before it.
   */
  readonly entries: Iterable<Entry>;
  /** The file ends within a line, as after a crash. That line is left out. */
  readonly truncated: boolean;
}

/** @throws UserError (exit code 2) when the file cannot be read or does not begin with the header of a journal */
export const readJournal = (path: string): ReadJournal => {
  const lines = readLines(path);
  let first: IteratorResult<Uint8Array>;
  try {
    first = lines.next();
  } finally {
    lines.return();
  }
  if (first.done) {
    throw new UserError('is no journal: it does not hold one whole line', { place: path });
  }
  return {
    path,
    header: parseAt(path, 1, first.value, parseHeader),
    entries: { [Symbol.iterator]: () => readEntries(path) },
    truncated: !endsInLineFeed(path),
  };
};

function* readEntries(path: string): Generator<Entry, void, undefined> {
  let number = 0;
  for (const line of readLines(path)) {
    number += 1;
    if (number === 1) continue;
    const entry = parseAt(path, number, line, parseEntry);
    // The header is line 1, so entry n stands on line n + 1.
    if (entry.seq !== number - 1) {
      throw corrupt(
        path,
        number,
        `has "seq" ${entry.seq} where ${number - 1} follows; lines were lost or added`,
      );
    }
    yield entry;
  }
}

const parseAt = <T>(path: string, line: number, bytes: Uint8Array, parse: (bytes: Uint8Array) => T): T => {
  try {
    return parse(bytes);
  } catch (error) {
    throw corrupt(path, line, (error as Error).message);
  }
};

const corrupt = (path: string, line: number, complaint: string): UserError =>
  new UserError(`this line ${complaint}`, { place: `${path}:${line}` });

const chunkBytes = 1024 * 1024;

/** Whole lines without their LF. Each is a view of memory of its own, so it may be kept. */
function* readLines(path: string): Generator<Uint8Array, void, undefined> {
  const descriptor = open(path);
  try {
    let rest: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      const size = readSync(descriptor, chunk);
      if (size === 0) return;
      let start = 0;
      for (
        let end = chunk.indexOf(lineFeed);
        end !== -1 && end < size;
        end = chunk.indexOf(lineFeed, start)
      ) {
        const line = chunk.subarray(start, end);
        start = end + 1;
        if (rest.length === 0) yield line;
        else {
          const whole = Buffer.concat([...rest, line]);
          rest = [];
          yield whole;
        }
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  } finally {
    closeSync(descriptor);
  }
}

const lineFeed = 0x0a;

const endsInLineFeed = (path: string): boolean => {
  const descriptor = open(path);
  try {
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, fstatSync(descriptor).size - 1);
    return last[0] === lineFeed;
  } finally {
    closeSync(descriptor);
  }
};

const open = (path: string): number => {
  try {
    const descriptor = openSync(path, 'r');
    if (!fstatSync(descriptor).isDirectory()) return descriptor;
    closeSync(descriptor);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      ENOTDIR: 'there is no such file',
      EACCES: 'the system denies it',
    };
    throw new UserError(`cannot read the journal: ${reasons[code ?? ''] ?? message}`, { place: path, cause });
  }
  throw new UserError('cannot read the journal: it is a folder', { place: path });
};
