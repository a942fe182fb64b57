/** Whether an id is what a careless program makes of another: of other type, cut, rounded, or decoded wrongly. */
import type { RequestId } from '../wire/index.ts';

export const isChangedForm = (meant: RequestId, got: RequestId): boolean => {
  if (meant === null || got === null || meant === got) return false;
  if (typeof meant === 'string' && typeof got === 'string') {
    return got.includes(replacement) && withoutForeign(meant) === withoutForeign(got);
  }
  const [from, to] = [numberOf(meant), numberOf(got)];
  if (from === undefined || to === undefined) return false;
  return from === to || roundings.some(rounded => rounded(from) === to);
};

/** What decoders put in place of bytes that are no UTF-8. */
const replacement = '\ufffd';

const withoutForeign = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, '');

const numberOf = (id: string | number): number | undefined => {
  if (typeof id === 'number') return id;
  return id.trim() !== '' && Number.isFinite(Number(id)) ? Number(id) : undefined;
};

/** An integer of 32 bits, with sign or without; floating point of single precision; the even neighbour of double. */
const roundings: readonly ((id: number) => number)[] = [
  id => id | 0,
  id => id >>> 0,
  Math.fround,
  id => (id === Number.MAX_SAFE_INTEGER ? id + 1 : id),
];
