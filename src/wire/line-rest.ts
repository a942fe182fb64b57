/** Fragments per join. Bounds the number of views held, so that a line sent byte by byte takes memory in proportion. */
const fragmentsPerJoin = 1024;

/** The bytes of a line that has not ended. However they arrive, each byte is copied at most twice. */
export interface LineRest {
  size(): number;
  add(bytes: Buffer): void;
  /** All bytes in one buffer, without a copy when they came in one fragment; empties the rest. */
  take(): Buffer;
}

/** @param join copies buffers into one; the tests count what passes through it */
export const createLineRest = (join: (parts: Buffer[], size: number) => Buffer = Buffer.concat): LineRest => {
  let joined: Buffer[] = [];
  let fragments: Buffer[] = [];
  let size = 0;
  let fragmentsSize = 0;

  return {
    size: () => size,

    add(bytes) {
      if (bytes.length === 0) return;
      fragments.push(bytes);
      size += bytes.length;
      fragmentsSize += bytes.length;
      if (fragments.length < fragmentsPerJoin) return;
      joined.push(join(fragments, fragmentsSize));
      fragments = [];
      fragmentsSize = 0;
    },

    take() {
      const parts = joined.length === 0 ? fragments : [...joined, ...fragments];
      const whole = parts.length === 1 ? parts[0]! : join(parts, size);
      joined = [];
      fragments = [];
      size = 0;
      fragmentsSize = 0;
      return whole;
    },
  };
};
