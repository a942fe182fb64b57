import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { shipped } from '../../src/base/index.ts';
import { parseEntry, parseHeader, serializeEntry, serializeHeader } from '../../src/journal/index.ts';
import { anyEntry } from './arbitrary-entry.ts';
import { header } from './support.ts';

const fits = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(shipped('schemas/journal.schema.json'), 'utf8')),
);

test('the schema describes every line that is written', () => {
  const scripts = [{ id: 'x', digest: 'y' }];
  assert.ok(fits(JSON.parse(serializeHeader(header))));
  assert.ok(fits(JSON.parse(serializeHeader({ ...header, scripts, bindings: { after: 1 } }))));
  fc.assert(
    fc.property(anyEntry, entry => {
      assert.ok(
        fits(JSON.parse(Buffer.from(serializeEntry(entry)).toString('utf8'))),
        JSON.stringify(fits.errors),
      );
    }),
    { numRuns: 300 },
  );
});

test('a line that lacks a member or has an impossible one is refused by schema and reader alike', () => {
  const refusedByReader = (line: string): boolean => {
    try {
      (line.includes('"journal"') ? parseHeader : parseEntry)(Buffer.from(line));
      return false;
    } catch {
      return true;
    }
  };
  fc.assert(
    fc.property(
      fc.oneof(
        anyEntry.map(entry => Buffer.from(serializeEntry(entry)).toString('utf8')),
        fc.constant(serializeHeader(header)),
      ),
      fc.nat(),
      fc.boolean(),
      (line, which, isRemoved) => {
        const value = JSON.parse(line);
        const names = Object.keys(value).filter(
          name => !['by', 'declaredFault', 'cr', 'continues'].includes(name),
        );
        const name = names[which % names.length]!;
        const changed = { ...value, [name]: isRemoved ? undefined : { event: {} } };
        fc.pre(name !== 'frame' || isRemoved);
        const text = JSON.stringify(changed);
        assert.equal(fits(JSON.parse(text)), false, text);
        assert.equal(refusedByReader(text), true, text);
      },
    ),
    { numRuns: 300 },
  );
});
