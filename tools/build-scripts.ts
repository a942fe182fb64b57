/**
 * Writes dist/scripts/: the compiled form of each script that ships, and a test for each schema that one of them matches
 * with. Does nothing when its inputs are unchanged. Files are replaced whole, so that a running process never reads a half.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Ajv2020Module from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { UserError } from '../src/base/index.ts';
import { instancesOf } from '../src/script/index.ts';
import { builtTestsModule, schemaName, schemasIn } from '../src/script/schema-test.ts';
import { writeForm } from '../src/script-library/compiled-form.ts';
import { compileShipped, shippedIds } from '../src/script-library/library.ts';
import type { Json } from '../src/wire/index.ts';

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
  write(`dist/${builtTestsModule}`, testsModule(schemas));
  write(`${target}/stamp`, stamp);
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
  const files = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => `${entry.parentPath}/${entry.name}`),
  );
  const inputs = [
    'tools/build-scripts.ts',
    'schemas/script.schema.json',
    'requirements/requirements.json',
    'node_modules/ajv/package.json',
    ...files,
  ];
  const digest = createHash('sha256');
  for (const path of inputs.sort()) digest.update(path).update('\0').update(readFileSync(path)).update('\0');
  return digest.digest('hex');
};

const write = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
};

try {
  mkdirSync(target, { recursive: true });
  await build();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
