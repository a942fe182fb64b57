/**
 * Writes dist/scripts/: the compiled form of each script that ships, and a test for each schema that one of them matches
 * with. Does nothing when its inputs are unchanged.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv2020Module from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { UserError } from '../src/base/index.ts';
import { instancesOf } from '../src/script/index.ts';
import { builtTestsModule, schemaName, schemasIn } from '../src/script/schema-test.ts';
import { writeForm } from '../src/script-library/compiled-form.ts';
import { compileShipped, shippedIds } from '../src/script-library/library.ts';
import type { Json } from '../src/wire/index.ts';
import { digestOfFiles, filesBelow, writeWhole } from './derived-files.ts';

const Ajv2020 = Ajv2020Module.default;
const standalone = standaloneModule.default;

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const target = 'dist/scripts';
const kinds = ['scenarios', 'mock-agents'] as const;

const build = async (): Promise<void> => {
  const stamp = inputsDigest();
  if (existsSync(`${target}/stamp`) && readFileSync(`${target}/stamp`, 'utf8') === stamp) return;
  const schemas = new Map<string, Json>();
  const forms = new Set<string>();
  for (const kind of kinds) {
    for (const id of shippedIds(kind)) {
      const text = readFileSync(`${kind}/${id}.yaml`, 'utf8');
      const script = await compileShipped(kind, id, text);
      writeForm(`${target}/${kind}/${id}.json`, text, script);
      forms.add(`${kind}/${id}.json`);
      for (const instance of instancesOf(script)) {
        for (const schema of schemasIn(instance.script as unknown as Json))
          schemas.set(schemaName(schema), schema);
      }
    }
  }
  removeOthers(forms);
  writeWhole(`dist/${builtTestsModule}`, testsModule(schemas));
  writeWhole(`${target}/stamp`, stamp);
};

/** A CommonJS module, since what Ajv generates requires its helpers. */
const testsModule = (schemas: ReadonlyMap<string, Json>): string => {
  const ajv = new Ajv2020({ strict: false, messages: false, code: { source: true } });
  for (const [name, schema] of schemas) ajv.addSchema(schema as object, name);
  return standalone(ajv, Object.fromEntries([...schemas.keys()].map(name => [name, name])));
};

const removeOthers = (forms: ReadonlySet<string>): void => {
  for (const path of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.json') && !forms.has(path.replaceAll('\\', '/'))) rmSync(`${target}/${path}`);
  }
};

/** Digest of all that the output depends on: the scripts, what checks and compiles them, the words that they may use. */
const inputsDigest = (): string => {
  const folders = [
    'scenarios',
    'mock-agents',
    'src/base',
    'src/catalogue',
    'src/script',
    'src/script-library',
  ];
  return digestOfFiles([
    'tools/build-scripts.ts',
    'tools/derived-files.ts',
    'schemas/script.schema.json',
    'requirements/requirements.json',
    'node_modules/ajv/package.json',
    ...folders.flatMap(filesBelow),
  ]);
};

try {
  mkdirSync(target, { recursive: true });
  await build();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
