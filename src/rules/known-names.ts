/** Names that only another release knows, each told once: a feature in use is one finding, not one for each frame. */
import type { SchemaFault } from '../protocol/index.ts';

export interface KnownNames {
  /** Whether the name was told before; notes it otherwise. Always false for a fault in every release. */
  isOld(fault: SchemaFault): boolean;
}

/** State: the names told, of which the schemas have a few hundred at most. */
export const createKnownNames = (): KnownNames => {
  const told = new Set<string>();
  return {
    isOld({ known, kind, definition, pointer, actual }) {
      if (known === undefined) return false;
      const name = kind === 'unknown-member' ? pointer.slice(pointer.lastIndexOf('/')) : `=${String(actual)}`;
      const key = `${definition}${name}`;
      if (told.has(key)) return true;
      told.add(key);
      return false;
    },
  };
};
