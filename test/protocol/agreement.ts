import assert from 'node:assert/strict';
import type { SchemaFault } from '../../src/protocol/index.ts';
import type { Validates } from './releases.ts';

/** A plain `anyOf` lets a known variant that is wrong fall through to the variant without a tag; we do not. */
const fallsThrough =
  /^(McpServer|AuthMethod|SetSessionConfigOptionRequest|MultiSelectItems|SessionConfigSelect)/;

/** Asserts that faults name something invalid exactly where the plain schema refuses the value. */
export const assertAgrees = (
  plain: Validates,
  definition: string,
  value: unknown,
  faults: readonly SchemaFault[],
): void => {
  const invalid = faults.filter(
    ({ kind, check }) =>
      ['invalid', 'unknown-value', 'null-result'].includes(kind) || /^(u?int\d+|uri)$/.test(check ?? ''),
  );
  if (!plain(definition, value)) {
    assert.ok(invalid.length > 0, `${definition}: the plain schema refuses ${JSON.stringify(value)}`);
  } else {
    assert.deepEqual(
      invalid.filter(fault => !fallsThrough.test(fault.definition)),
      [],
      definition,
    );
  }
};
