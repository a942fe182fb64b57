import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { compiled, shipped } from '../../src/base/index.ts';
import { releases } from '../../src/protocol/index.ts';
import { deriveSchema } from '../../tools/schemas/derive.ts';
import { structuralDigest, structure } from '../../tools/schemas/digest.ts';
import type { SchemaFile } from '../../tools/schemas/schema.ts';
import { external } from './external.ts';
import { descriptorOf, readJson, schemaOf } from './releases.ts';

/** Published with the upstream schemas; `latest` was recorded from the package that is its base. */
const recorded = {
  '0.12.1': { digest: '6da159a27c5c2c6eb96e135646b0d78e3ec625b50bb83b2f7b17de99f19e603c', definitions: 118 },
  '1.19.0': { digest: 'de9bb01481b824e91a832d534f219e773adcff4bba2aec638f730f84a6327839', definitions: 142 },
  '1.21.0': { digest: '4a90f4047380aeef6428b0fbc406e5b9c4250a35c8501aeceb471135704d6e9d', definitions: 170 },
  latest: { digest: '58fb9295a198f437585507fcf14c35af78b7d71c4fca0dec68f6d638520bbbc8', definitions: 178 },
} as const;

for (const release of releases) {
  test(`the schema of ${release} has the structure on record, derived now and as built`, () => {
    const built = readJson<SchemaFile>(compiled(`generated/acp/${release}.schema.json`));
    for (const schema of [schemaOf(release), built]) {
      assert.equal(structuralDigest(schema), recorded[release].digest);
      assert.equal(Object.keys(schema.$defs).length, recorded[release].definitions);
    }
  });

  if (release === 'latest') continue;
  test(`every definition of ${release} equals the upstream one`, t => {
    const folder = external(t, 'ACP_SCHEMA_ORACLE');
    if (!folder) return;
    const oracle = readJson<SchemaFile>(`${folder}/acp-${release}.stable.schema.json`);
    const schema = schemaOf(release);
    assert.deepEqual(Object.keys(schema.$defs).sort(), Object.keys(oracle.$defs).sort());
    for (const [name, definition] of Object.entries(oracle.$defs)) {
      assert.deepEqual(structure(schema.$defs[name]), structure(definition), name);
    }
    assert.deepEqual(structure({ ...schema, $defs: 0 }), structure({ ...oracle, $defs: 0 }));
  });
}

test('the digest ignores words, not members that are called like words', () => {
  const schema = { type: 'object', properties: { title: { type: 'string', description: 'x' } } };
  const reworded = {
    properties: { title: { description: 'y', type: 'string' } },
    title: 'z',
    type: 'object',
  };
  const without = { type: 'object', properties: {} };
  assert.equal(structuralDigest(schema), structuralDigest(reworded));
  assert.notEqual(structuralDigest(schema), structuralDigest(without));
});

test('a dropped definition takes along the branches and members that refer to it', () => {
  const base: SchemaFile = {
    $defs: {
      A: {
        type: 'object',
        properties: {
          b: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] },
          c: { type: 'array', items: { $ref: '#/$defs/B' } },
          d: { type: ['string', 'null'] },
        },
        oneOf: [{ allOf: [{ $ref: '#/$defs/B' }] }, { allOf: [{ $ref: '#/$defs/C' }] }],
      },
      B: { type: 'object' },
      C: { type: 'object' },
    },
  };
  assert.deepEqual(deriveSchema(base, { base: '', keep: ['A', 'C'], digest: '' }).$defs, {
    A: {
      type: 'object',
      properties: { d: { type: ['string', 'null'] } },
      oneOf: [{ allOf: [{ $ref: '#/$defs/C' }] }],
    },
    C: { type: 'object' },
  });
  assert.ok('B' in base.$defs);
});

test('a descriptor that no longer fits its base is refused', () => {
  const base: SchemaFile = { $defs: { A: { type: 'object' } } };
  assert.throws(() => deriveSchema(base, { base: '', keep: ['B'], digest: '' }), /no definition B/);
  const remove = ['/$defs/A/properties/x'];
  assert.throws(() => deriveSchema(base, { base: '', remove, digest: '' }), /nothing at \/\$defs\/A/);
});

test('descriptors hold names and pointers, never upstream text', () => {
  assert.deepEqual(
    readdirSync(shipped('schemas/acp')).sort(),
    [
      'checks.json',
      'gates.json',
      'since.json',
      'unstable.json',
      ...releases.map(each => `${each}.json`),
    ].sort(),
  );
  for (const release of releases) {
    JSON.stringify(descriptorOf(release), (key, value) => {
      assert.ok(!['description', 'title', '$comment'].includes(key), `${release} has a ${key}`);
      if (typeof value === 'string') assert.match(value, /^\S+$/);
      return value;
    });
  }
});
