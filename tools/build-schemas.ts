/**
 * Writes dist/generated/acp/: for each release the exact stable schema, the gate and the data beside it.
 * Does nothing when its inputs are unchanged.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { releases } from '../src/protocol/protocol.ts';
import { digestOfFiles, filesBelow, writeWhole } from './derived-files.ts';
import { type Descriptor, deriveSchema } from './schemas/derive.ts';
import { structuralDigest } from './schemas/digest.ts';
import { gateModule } from './schemas/gate.ts';
import { type Facts, proveChecks, proveSince, releaseData, rootsOf } from './schemas/release.ts';
import type { SchemaFile } from './schemas/schema.ts';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const target = 'dist/generated/acp';
const licence = 'node_modules/acp-sdk-2.4.0/LICENSE';

const build = (): void => {
  const stamp = inputsDigest();
  if (existsSync(`${target}/stamp`) && readFileSync(`${target}/stamp`, 'utf8') === stamp) return;
  mkdirSync(target, { recursive: true });
  const schemas = releases.map(release => stableSchema(release));
  const facts: Facts = { stable: schemas, ...handKept() };
  proveSince(facts);
  proveChecks(facts);
  for (const [at, release] of releases.entries()) {
    const schema = schemas[at]!;
    const data = releaseData(schema, facts);
    write(`${release}.schema.json`, JSON.stringify(schema, null, 1));
    write(`${release}.json`, JSON.stringify(data));
    write(`${release}.gate.js`, gateModule(data.shapes, rootsOf(data)));
  }
  copyFileSync(licence, `${target}/LICENSE`);
  write('stamp', stamp);
};

const stableSchema = (release: string): SchemaFile => {
  const descriptor = readJson<Descriptor>(`schemas/acp/${release}.json`);
  const schema = deriveSchema(readJson<SchemaFile>(`node_modules/${descriptor.base}`), descriptor);
  const digest = structuralDigest(schema);
  if (digest !== descriptor.digest) {
    throw new Error(
      `schemas/acp/${release}.json gives a schema of digest ${digest}, not ${descriptor.digest}`,
    );
  }
  return schema;
};

const handKept = (): Omit<Facts, 'stable'> => ({
  unstable: Object.fromEntries(
    Object.entries(readJson<Record<string, string>>('schemas/acp/unstable.json')).map(([release, base]) => [
      release,
      readJson<SchemaFile>(`node_modules/${base}`),
    ]),
  ),
  gates: readJson('schemas/acp/gates.json'),
  since: readJson('schemas/acp/since.json'),
  checks: readJson('schemas/acp/checks.json'),
});

/** Digest of all that the output depends on: this tool, its data, the base files. */
const inputsDigest = (): string => {
  const runtime = ['protocol', 'shape', 'formats', 'released'].map(file => `src/protocol/${file}.ts`);
  const packages = ['acp-sdk-0.20.0', 'acp-sdk-1.2.1', 'acp-sdk-1.4.0', 'acp-sdk-2.4.0'];
  return digestOfFiles([
    'tools/build-schemas.ts',
    'tools/derived-files.ts',
    'src/base/json-pointer.ts',
    ...['tools/schemas', 'schemas/acp'].flatMap(filesBelow),
    ...runtime,
    ...packages.map(name => `node_modules/${name}/package.json`),
  ]);
};

const write = (file: string, text: string): void => writeWhole(`${target}/${file}`, text);

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

build();
