import type { AnyRule } from './rule.ts';

/** Every rule, in the order of the catalogue. */
export const allRules: readonly AnyRule[] = [];
