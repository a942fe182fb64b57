/**
 * A map from text to numbers that keeps only a 64-bit hash of each key: 16 bytes an entry (at most 43 with the room to
 * grow), however long the keys are. Two keys out of a million collide with a probability of 3 in 100 million.
 */
export interface HashMap {
  /** The number that was set for the key, or 0. */
  get(key: string): number;
  /** Any number but NaN. 0 says the same as no entry: a key that has none gets none, and one that has it keeps it. */
  set(key: string, value: number): void;
  /** Entries ever made. */
  readonly size: number;
  /** Bytes that the table takes. */
  readonly bytes: number;
}

const smallest = 16;

export const createHashMap = (): HashMap => {
  let hashes = new Uint32Array(smallest * 2);
  let values = new Float64Array(smallest);
  let size = 0;
  // A key is often looked up and then set, and a session's id comes with every frame.
  let lastKey: string | undefined;
  let lastHigh = 0;
  let lastLow = 0;

  const hash = (key: string): void => {
    if (key === lastKey) return;
    hash64(key);
    lastKey = key;
    lastHigh = hashHigh;
    lastLow = hashLow;
  };

  /** Slot of the hash, or the free slot where it belongs. */
  const slotOf = (high: number, low: number): number => {
    const mask = values.length - 1;
    let slot = low & mask;
    while (true) {
      const there = hashes[slot * 2 + 1]!;
      if (there === 0 || (there === high && hashes[slot * 2] === low)) return slot;
      slot = (slot + 1) & mask;
    }
  };

  const grow = (): void => {
    const oldHashes = hashes;
    const oldValues = values;
    hashes = new Uint32Array(oldHashes.length * 2);
    values = new Float64Array(oldValues.length * 2);
    for (let old = 0; old < oldValues.length; old++) {
      const high = oldHashes[old * 2 + 1]!;
      if (high === 0) continue;
      const low = oldHashes[old * 2]!;
      const slot = slotOf(high, low);
      hashes[slot * 2] = low;
      hashes[slot * 2 + 1] = high;
      values[slot] = oldValues[old]!;
    }
  };

  return {
    get(key) {
      if (size === 0) return 0;
      hash(key);
      return values[slotOf(lastHigh, lastLow)]!;
    },
    set(key, value) {
      if (size === 0 && value === 0) return;
      hash(key);
      let slot = slotOf(lastHigh, lastLow);
      if (hashes[slot * 2 + 1] === 0) {
        if (value === 0) return;
        if (size * 4 >= values.length * 3) {
          grow();
          slot = slotOf(lastHigh, lastLow);
        }
        hashes[slot * 2] = lastLow;
        hashes[slot * 2 + 1] = lastHigh;
        size++;
      }
      values[slot] = value;
    },
    get size() {
      return size;
    },
    get bytes() {
      return hashes.byteLength + values.byteLength;
    },
  };
};

/** Number that stands for a text in a HashMap's values: 53 bits of its hash, never 0. */
export const digest = (text: string): number => {
  hash64(text);
  return (hashHigh & 0x1fffff) * 0x100000000 + hashLow || 1;
};

let hashHigh = 0;
let hashLow = 0;
/** Several maps are asked for one key in turn. */
let hashed: string | undefined;

/** Leaves the hash in the variables above, so that it allocates nothing. After cyrb53 by bryc, public domain. */
const hash64 = (text: string): void => {
  if (text === hashed) return;
  hashed = text;
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  hashLow = a >>> 0;
  // 0 marks a free slot.
  hashHigh = b >>> 0 || 1;
};
