import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml, parseYamlFile, UserError } from '../../src/base/index.ts';

/** The profile schema stands for any schema of ours: it has unknown members, closed names, enums and patterns. */
const parse = (text: string) => parseYaml(text, { file: 'p.yaml', schema: 'schemas/profile.schema.json' });

const mistakeOf = async (text: string): Promise<string> => {
  const outcome = await parse(text).catch((error: unknown) => error);
  assert.ok(outcome instanceof UserError, 'a UserError was expected');
  return outcome.message;
};

describe('parseYaml', () => {
  it('yields the value and the place of each part of it', async () => {
    const file = await parse(
      'title: A\nsetup:\n  - request: session/set_mode\n    params: { modeId: code }\n',
    );
    assert.deepEqual(file.value, {
      title: 'A',
      setup: [{ request: 'session/set_mode', params: { modeId: 'code' } }],
    });
    assert.equal(file.placeOf('/setup/0/params/modeId'), 'p.yaml:4:23');
    assert.equal(file.placeOf('/setup/0/params/modeId', 'key'), 'p.yaml:4:15');
    assert.equal(file.placeOf(''), 'p.yaml:1:1');
  });

  it('places a pointer that leads nowhere at the nearest value above it', async () => {
    const file = await parse('title: A\nsession:\n  mcp: [echo]\n');
    assert.equal(file.placeOf('/session/mcp/7/x'), 'p.yaml:3:8');
  });

  it('follows aliases and names that a pointer must escape', async () => {
    const file = await parse('title: A\nfiles:\n  a/b~c: &t text\n  d: *t\n');
    assert.equal(file.placeOf('/files/a~1b~0c'), 'p.yaml:3:13');
    assert.equal((file.value as { files: { d: string } }).files.d, 'text');
  });

  it('reads YAML 1.2, where yes and on are text', async () => {
    const file = await parse('title: yes\n');
    assert.deepEqual(file.value, { title: 'yes' });
  });

  const mistakes: readonly (readonly [title: string, text: string, message: RegExp])[] = [
    [
      'an unknown member',
      'title: A\ntrigers: {}\n',
      /^p\.yaml:2:1 {2}unknown member "trigers"; did you mean "triggers"\?$/,
    ],
    [
      'an unknown name',
      'title: A\ntriggers:\n  permision: x\n',
      /^p\.yaml:3:3 {2}unknown name "permision"; did you mean "permission"\?$/,
    ],
    [
      'a value outside a list',
      'title: A\nallow: [logot]\n',
      /^p\.yaml:2:9 {2}"logot" is not possible here; did you mean "logout"\?$/,
    ],
    ['a wrong type', 'title: A\nprompts:\n  turn: 7\n', /^p\.yaml:3:9 {2}expected string, got 7$/],
    ['a missing member', 'command: [x]\n', /^p\.yaml:1:1 {2}member "title" is missing$/],
    ['a key that stands twice', 'title: A\ntitle: B\n', /^p\.yaml:2:1 {2}this key stands twice/],
    [
      'a name that breaks a pattern',
      'title: A\nfiles:\n  ../x: y\n',
      /^p\.yaml:3:3 {2}unknown name "\.\.\/x"; expected: a path below HOME/,
    ],
    ['bad syntax', 'title: [A\n', /^p\.yaml:\d+:\d+ {2}\S/],
    ['two documents', 'title: A\n---\ntitle: B\n', /^p\.yaml:2:1 {2}\S/],
    ['an empty file', '', /^p\.yaml:1:1 {2}expected object, got null$/],
    ['an unresolved alias', 'title: *nope\n', /^p\.yaml:1:8 {2}\S/],
  ];
  for (const [title, text, message] of mistakes) {
    it(`tells place and remedy of ${title}`, async () => assert.match(await mistakeOf(text), message));
  }
});

describe('parseYamlFile', () => {
  it('says which file is missing, is a folder, or is not text', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'yaml-file-'));
    try {
      const binary = join(folder, 'binary.yaml');
      await writeFile(binary, Buffer.from([0x74, 0xff, 0xfe]));
      const read = (path: string) => parseYamlFile(path, { schema: 'schemas/profile.schema.json' });
      await assert.rejects(read(join(folder, 'none.yaml')), {
        name: 'UserError',
        message: /none\.yaml {2}no such file$/,
      });
      await assert.rejects(read(folder), { name: 'UserError', message: /is a folder, not a file$/ });
      await assert.rejects(read(binary), { name: 'UserError', message: /binary\.yaml {2}is not UTF-8 text/ });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
