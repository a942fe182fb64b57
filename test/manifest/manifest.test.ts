/** Cases M1 to M20 of the reference, and that the JSON Schema for editors says the same. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compiled, shipped, UserError } from '../../src/base/index.ts';
import {
  exportManifest,
  loadManifest,
  ManifestValidationError,
  resolveReferences,
  validateManifest,
} from '../../src/manifest/index.ts';

const fits = new Ajv2020().compile(JSON.parse(readFileSync(shipped('schemas/manifest.schema.json'), 'utf8')));

const defaults = {
  schema_version: 'm3.harness.v1',
  protocol: 'acp',
  protocol_version: 1,
  command: 'agent',
  args: [],
  env: {},
};

const accepted: Readonly<Record<string, unknown>> = {
  'M1: a command alone': { command: 'agent' },
  'M4: a command of 1000 characters': { command: 'x'.repeat(1000) },
  'M4: one of 1000 characters beyond the first plane': { command: '𝔁'.repeat(1000) },
  'M11: names that begin with an underscore or in lower case': {
    command: 'a',
    env: { _a: '${X}', a1: '${_x1}' },
  },
  'every field': { ...defaults, args: ['--stdio', ''], env: { TOKEN: '${PROVIDER_TOKEN}' } },
};

const refused: readonly (readonly [name: string, value: unknown, message: string | RegExp])[] = [
  ['M2: a list', [], 'manifest must be an object'],
  ['M2: a text', 'x', 'manifest must be an object'],
  ['M2: nothing', null, 'manifest must be an object'],
  ['M3: no command', {}, /^command: /],
  ['M4: an empty command', { command: '' }, /^command: /],
  ['M4: a command of 1001 characters', { command: 'x'.repeat(1001) }, /^command: /],
  ['a command that is no text', { command: 7 }, /^command: /],
  ['M5: unknown fields, sorted', { command: 'a', z: 1, a: 2 }, 'unknown manifest fields: a, z'],
  ['M6: nothing but the unknown field', { command: '', shell: true }, 'unknown manifest fields: shell'],
  ['M7: another form', { command: 'a', schema_version: 'mcp-pal.harness.v1' }, /^schema_version: /],
  ['M7: another protocol', { command: 'a', protocol: 'mcp' }, /^protocol: /],
  ['M7: another version', { command: 'a', protocol_version: 2 }, /^protocol_version: /],
  ['M7: the version as a text', { command: 'a', protocol_version: '1' }, /^protocol_version: /],
  ['M8: an argument that is no text', { command: 'a', args: ['a', 1] }, /^args\.1: /],
  ['M8: arguments that are no list', { command: 'a', args: 'x' }, /^args: /],
  ['M9: a literal value', { command: 'a', env: { TOKEN: 'secret' } }, /^env: .*"TOKEN"/],
  ['a value that is no text', { command: 'a', env: { TOKEN: 1 } }, /^env: .*"TOKEN"/],
  ['variables that are no object', { command: 'a', env: ['A'] }, /^env: /],
  ...['1A', 'A-B', 'A B', ''].map(
    name => [`M10: the name "${name}"`, { command: 'a', env: { [name]: '${X}' } }, /^env: /] as const,
  ),
  ...['${A}x', 'x${A}', '$A', '${}', '${A-B}', '${1A}', '${A}\n'].map(
    value =>
      [`M12: the value ${JSON.stringify(value)}`, { command: 'a', env: { A: value } }, /^env: /] as const,
  ),
  [
    'M13: the reserved name',
    { command: 'a', env: { M3_ACCESS_TOKEN: '${X}' } },
    'env: M3_ACCESS_TOKEN cannot be mapped to a test credential',
  ],
  [
    'M13: the reserved reference',
    { command: 'a', env: { X: '${M3_ACCESS_TOKEN}' } },
    'env: M3_ACCESS_TOKEN cannot be mapped to a test credential',
  ],
  ['every fault at once', { args: 'x', protocol: 'mcp' }, /^command: .*; protocol: .*; args: /],
];

describe('a manifest', () => {
  for (const [name, value] of Object.entries(accepted)) {
    it(`takes ${name}, and so does the schema`, () => {
      assert.deepEqual(validateManifest(value), {
        valid: true,
        manifest: { ...defaults, ...(value as object) },
        executable: null,
        localReady: null,
        missingEnvironment: [],
      });
      assert.equal(fits(value), true);
    });
  }

  for (const [name, value, message] of refused) {
    it(`refuses ${name}, and so does the schema`, () => {
      assert.throws(() => validateManifest(value), { constructor: ManifestValidationError, message });
      assert.equal(fits(value), false);
    });
  }

  it('M17: is checked without a look at the machine', () => {
    const environment = new Proxy({}, { get: () => assert.fail('looked at a variable') });
    assert.equal(
      validateManifest({ command: 'agent', env: { A: '${B}' } }, { environment }).localReady,
      null,
    );
  });
});

describe('a manifest and the machine', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'manifest-'));
    writeFileSync(join(folder, 'agent'), '#!/bin/sh\n');
    chmodSync(join(folder, 'agent'), 0o755);
    writeFileSync(join(folder, 'notes'), '');
  });
  after(() => rmSync(folder, { recursive: true }));
  const local = (value: object, environment: Record<string, string> = {}) => {
    const { manifest: _, ...found } = validateManifest(value, {
      checkLocal: true,
      environment: { PATH: folder, ...environment },
    });
    return found;
  };

  it('M14: are not ready for each other while variables are missing, each named once and in order', () => {
    assert.deepEqual(local({ command: 'agent', env: { A: '${Z}', B: '${Y}', C: '${Z}' } }), {
      valid: true,
      executable: join(folder, 'agent'),
      localReady: false,
      missingEnvironment: ['Y', 'Z'],
      warning: 'Missing environment variables: Y, Z',
    });
  });

  it('M15: are ready with a variable that is set to nothing', () => {
    const found = local({ command: 'agent', env: { A: '${Z}' } }, { Z: '' });
    assert.deepEqual([found.localReady, found.missingEnvironment, found.warning], [true, [], undefined]);
  });

  it('M16: are not ready without the executable, which the warning names before the variables', () => {
    assert.deepEqual(local({ command: 'nowhere', env: { A: '${Z}' } }), {
      valid: true,
      executable: null,
      localReady: false,
      missingEnvironment: ['Z'],
      warning: 'Executable is unavailable: nowhere',
    });
  });

  it('take an absolute path as it is, ready only if it can be executed', () => {
    for (const name of ['absent', 'notes']) {
      const found = local({ command: join(folder, name) });
      assert.deepEqual(
        [found.executable, found.localReady, found.warning],
        [join(folder, name), false, undefined],
      );
    }
    assert.equal(local({ command: join(folder, 'agent') }).localReady, true);
  });
});

describe('a file of a manifest', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const written = (content: unknown): string => {
    const path = join(folder, 'agent.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const cli = (words: readonly string[], input = '') =>
    spawnSync(process.execPath, [compiled('cli/main.js'), 'manifest', ...words], { input, encoding: 'utf8' });

  it('M18: is read with its defaults, from a path or from standard input', async () => {
    assert.deepEqual(await loadManifest(written({ command: 'agent' })), defaults);
    const { status, stdout } = cli(['export', '-'], '{"command":"agent"}');
    assert.deepEqual([status, JSON.parse(stdout)], [0, defaults]);
  });

  it('M18: that is no JSON, or not there, is told with its place', async () => {
    await assert.rejects(loadManifest(written('{"command": ')), {
      constructor: ManifestValidationError,
      message: /agent\.json.* {2}invalid JSON: /,
    });
    await assert.rejects(
      loadManifest(join(folder, 'absent.json')),
      error => error instanceof UserError && !(error instanceof ManifestValidationError),
    );
  });

  it('has the place of the first fault, by line and column', async () => {
    const text = '{\n  "command": "agent",\n  "env": { "TOKEN": "literal" }\n}';
    await assert.rejects(loadManifest(written(text)), { message: /agent\.json:3:21 {2}env: .*"TOKEN"/ });
    await assert.rejects(loadManifest(written('{"command":"a","shell":1}')), {
      message: /agent\.json:1:16 {2}unknown/,
    });
  });

  it('M19, M20: is exported with sorted keys and every default, references as they are; twice is once', () => {
    const text = exportManifest({ command: 'agent', args: ['b', 'a'], env: { Z: '${HOME}', A: '${B}' } });
    assert.equal(
      text,
      `{
  "args": [
    "b",
    "a"
  ],
  "command": "agent",
  "env": {
    "A": "\${B}",
    "Z": "\${HOME}"
  },
  "protocol": "acp",
  "protocol_version": 1,
  "schema_version": "m3.harness.v1"
}
`,
    );
    assert.equal(exportManifest(JSON.parse(text)), text);
  });

  it('is checked by the command: exit 0, 1 where this machine is not ready, 2 for a fault', () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    const path = written({ command: 'nowhere-to-be-found' });
    assert.deepEqual(
      [cli(['validate', path]), cli(['validate', '--check-local', path]), cli(['validate', written({})])].map(
        ({ status }) => status,
      ),
      [0, 1, 2],
    );
    const { stdout } = cli(['validate', '--check-local', '--json', written({ command: process.execPath })]);
    assert.deepEqual(JSON.parse(stdout), {
      valid: true,
      manifest: { ...defaults, command: process.execPath },
      executable: process.execPath,
      localReady: true,
      missingEnvironment: [],
    });
  });
});

describe('references of a manifest', () => {
  const { manifest } = validateManifest({
    command: 'agent',
    env: { TOKEN: '${B_TOKEN}', OTHER: '${A_TOKEN}' },
  });
  it('are resolved by name', () => {
    assert.deepEqual(resolveReferences(manifest, { A_TOKEN: 'a', B_TOKEN: 'b', REST: 'x' }), {
      TOKEN: 'b',
      OTHER: 'a',
    });
  });
  it('that lead nowhere are all named', () => {
    assert.throws(() => resolveReferences(manifest, {}), /not set: A_TOKEN, B_TOKEN/);
  });
});
