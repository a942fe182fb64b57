import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** SHA-256 of a file of any size, in hex. Throws as `openSync` does. */
export const digestOfFile = (path: string): string => {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(1 << 20);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, block); size > 0; size = readSync(file, block))
      hash.update(block.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
};
