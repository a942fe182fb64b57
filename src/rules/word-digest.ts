/** A digest of text that comes in pieces. White space does not count: a store may trim it, and a chunk may end anywhere. */
export interface WordDigest {
  add(text: string): void;
  /** The same for the same words in whatever pieces; 0 for none. */
  readonly value: number;
}

export const createWordDigest = (): WordDigest => {
  let a = 0;
  let b = 0;
  let pending = '';

  const settle = (): void => {
    for (let start = 0; start < pending.length; start += pageUnits)
      look(pending.slice(start, start + pageUnits));
    pending = '';
  };

  const look = (text: string): void => {
    const end = page.write(text, 'utf16le');
    for (let at = 0; at < end; at += 2) {
      const unit = page[at]! | (page[at + 1]! << 8);
      if (isSpace(unit)) continue;
      // Two lanes of FNV-1a with different primes.
      a = Math.imul(a ^ unit ^ 0x811c9dc5, 16777619);
      b = Math.imul(b ^ unit ^ 0x9e3779b9, 1597334677);
    }
  };

  return {
    add(text) {
      pending += text;
      if (pending.length >= pageUnits) settle();
    },
    get value() {
      settle();
      return (a >>> 11) * 0x100000000 + (b >>> 0);
    },
  };
};

/** UTF-16 units that are looked at together. */
const pageUnits = 2048;

/** Where they lie meanwhile: a text that is a part of others is slow to go through. */
const page = Buffer.alloc(2 * pageUnits);

/** Text without its white space. */
export const wordsOf = (text: string): string => text.replace(/[\s\u0085]+/g, '');

/** As `wordsOf`, which is too slow for a stream. */
const isSpace = (unit: number): boolean =>
  unit <= 0x20 ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) : unit >= 0x85 && rare.has(unit);

const rare: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
  0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);
