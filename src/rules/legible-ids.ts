/**
 * Ids in a line that is no message. Who reads leniently (skips a byte-order mark, replaces bytes that are no UTF-8, takes
 * an object from the middle of a line) finds a request in it and answers that, and nobody can be blamed.
 */
import type { AcpEntry } from '../journal/index.ts';
import type { RequestId } from '../wire/index.ts';

export const legibleIds = ({ line }: AcpEntry): readonly RequestId[] => {
  const text = new TextDecoder().decode(line.bytes.subarray(0, searched));
  return [...text.matchAll(idMember)].map(([, text, number]) => text ?? Number(number));
};

/** Bytes at the start of a line that are looked at. */
const searched = 65_536;

const idMember = /"id"\s*:\s*(?:"([^"\\]*)"|(-?\d+))/g;
