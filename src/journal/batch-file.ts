/**
 * Lines collected into large synchronous writes. What was written is in the system's hands at once, so `kill -9` costs
 * the open batch at most, and a file always consists of whole lines but for one that was cut at its end.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { exitCode, UserError } from '../base/index.ts';

export interface BatchFile {
  /** Adds bytes that end in LF. */
  add(line: Uint8Array): void;
  /** Adds a line in pieces, of which the second is a whole number from 0; the last one ends in LF. */
  addNumbered(
    head: Uint8Array,
    number: number,
    first: Uint8Array,
    second: Uint8Array,
    tail: Uint8Array,
  ): void;
  /** Writes the open batch. */
  flush(): void;
  /** Writes the open batch and closes. Idempotent. */
  close(): void;
}

export interface BatchFileOptions {
  /** Called for each batch of whole lines; what it returns is written. */
  readonly seal?: (batch: Buffer) => readonly Uint8Array[];
  /** Called once, with exit code 3, when writing fails; nothing is written from then on. */
  readonly onFailure: (error: UserError) => void;
}

const batchBytes = 1024 * 1024;
/** Of the largest whole number. */
const mostDigits = 16;
const zero = 0x30;
/** So many are copied faster one by one. */
const fewBytes = 16;

/** @throws UserError (exit code 2) when the file is there already or cannot be made */
export const createBatchFile = (
  path: string,
  { seal = batch => [batch], onFailure }: BatchFileOptions,
): BatchFile => {
  const descriptor = create(path);
  let batch = Buffer.allocUnsafeSlow(batchBytes);
  let used = 0;
  let state: 'open' | 'failed' | 'closed' = 'open';

  const flush = (): void => {
    if (state === 'open' && used > 0) write(seal(batch.subarray(0, used)));
    used = 0;
  };

  return {
    add(line) {
      if (state !== 'open') return;
      makeRoom(line.length);
      addBytes(line);
      afterLine();
    },

    addNumbered(head, number, first, second, tail) {
      if (state !== 'open') return;
      makeRoom(head.length + mostDigits + first.length + second.length + tail.length);
      addBytes(head);
      addNumber(number);
      addBytes(first);
      addBytes(second);
      addBytes(tail);
      afterLine();
    },

    flush,

    close() {
      if (state === 'closed') return;
      flush();
      closeSync(descriptor);
      state = 'closed';
    },
  };

  function makeRoom(size: number): void {
    if (used + size <= batch.length) return;
    flush();
    if (size > batch.length) batch = Buffer.allocUnsafeSlow(size);
  }

  function afterLine(): void {
    if (used < batchBytes) return;
    flush();
    if (batch.length > batchBytes) batch = Buffer.allocUnsafeSlow(batchBytes);
  }

  function addBytes(bytes: Uint8Array): void {
    if (bytes.length > fewBytes) batch.set(bytes, used);
    else for (let at = 0; at < bytes.length; at++) batch[used + at] = bytes[at]!;
    used += bytes.length;
  }

  /** Digit by digit: by way of a string it takes five times as long. */
  function addNumber(number: number): void {
    let end = used + 1;
    for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) end += 1;
    used = end;
    let rest = number;
    do {
      const next = Math.floor(rest / 10);
      end -= 1;
      batch[end] = zero + rest - next * 10;
      rest = next;
    } while (rest > 0);
  }

  function write(pieces: readonly Uint8Array[]): void {
    try {
      for (const piece of pieces) {
        for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done);
      }
      if (fstatSync(descriptor).nlink === 0) throw new Error('the file was removed');
    } catch (cause) {
      state = 'failed';
      const message = `cannot write the journal on: ${reason(cause)}. What was written before stays readable.`;
      onFailure(new UserError(message, { place: path, exitCode: exitCode.benchError, cause }));
    }
  }
};

const create = (path: string): number => {
  try {
    return openSync(path, 'wx');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const remedy =
      code === 'EEXIST'
        ? 'the file is there already, and a journal is never overwritten. Give another path, or remove it.'
        : `${reason(cause)}. Give a path in a folder that can be written.`;
    throw new UserError(`cannot make the journal: ${remedy}`, { place: path, cause });
  }
};

const reason = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EFBIG: 'the file is too large for this system',
    EIO: 'the disk reports an error',
    EROFS: 'the disk is read-only',
    EACCES: 'the system denies it',
    EPERM: 'the system denies it',
    ENOENT: 'its folder is not there',
    ENOTDIR: 'its folder is not there',
    EISDIR: 'it is a folder',
    ENAMETOOLONG: 'its name is too long',
    EMFILE: 'this process has too many open files',
  };
  return reasons[code ?? ''] ?? message;
};
