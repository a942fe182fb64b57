import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { shipped, UserError } from '../../src/base/index.ts';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProfile, type Profile, profileNames } from '../../src/profile/index.ts';
import { triggerNames, triggerPrompt } from '../../src/reference-agent/index.ts';

const load = async (text: string): Promise<Profile> => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  try {
    const path = join(folder, 'mine.yaml');
    await writeFile(path, text);
    return await loadProfile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const mistakeOf = async (loading: Promise<Profile>): Promise<string> => {
  const outcome = await loading.catch((error: unknown) => error);
  assert.ok(outcome instanceof UserError, 'a UserError was expected');
  return outcome.message;
};

describe('loadProfile', () => {
  it('fills in what a profile leaves out', async () => {
    const { name, ...profile } = await load('title: Mine\n');
    assert.match(name, /mine\.yaml$/);
    assert.deepEqual(profile, {
      title: 'Mine',
      env: {},
      files: {},
      allow: [],
      session: { mcp: [] },
      setup: [],
      prompts: {},
      triggers: {},
    });
  });

  it('takes over everything that a profile says', async () => {
    const text = `
title: Mine
command: [my-agent, --acp, $$HOME, plain]
env: { MY_KEY: dummy }
files: { .my/config.toml: "model = 1" }
auth: key
allow: [logout]
session: { mcp: [echo] }
setup:
  - request: session/set_mode
    params: { modeId: default }
  - request: session/set_mode
prompts: { turn: hi }
triggers: { permission: delete it }
`;
    const { name, ...profile } = await load(text);
    assert.deepEqual(profile, {
      title: 'Mine',
      command: ['my-agent', '--acp', '$HOME', 'plain'],
      env: { MY_KEY: 'dummy' },
      files: { '.my/config.toml': 'model = 1' },
      auth: 'key',
      allow: ['logout'],
      session: { mcp: ['echo'] },
      setup: [
        { request: 'session/set_mode', params: { modeId: 'default' } },
        { request: 'session/set_mode', params: {} },
      ],
      prompts: { turn: 'hi' },
      triggers: { permission: 'delete it' },
    });
  });

  it('names the file, line and column of a mistake and suggests what was meant', async () => {
    assert.match(
      await mistakeOf(load('title: A\ntriggers:\n  permision: x\n')),
      /mine\.yaml:3:3 {2}unknown name "permision"; did you mean "permission"\?$/,
    );
    assert.match(
      await mistakeOf(load('title: A\nprompt: { turn: x }\n')),
      /mine\.yaml:2:1 {2}unknown member "prompt"; did you mean "prompts"\?$/,
    );
  });

  it('refuses a placeholder that it does not know', async () => {
    assert.match(
      await mistakeOf(load('title: A\ncommand: [$nod, x]\n')),
      /mine\.yaml:2:11 {2}.*"\$nod".*\$node/,
    );
  });

  for (const path of ['/etc/passwd', '../up', 'a/../../up', 'C:/x', '\\\\server\\x']) {
    it(`refuses to place a file at ${path}, outside HOME`, async () => {
      const text = JSON.stringify({ title: 'A', files: { [path]: '' } });
      assert.match(await mistakeOf(load(text)), /expected: a path below HOME/);
    });
  }

  it('lists the known profiles for an unknown name', async () => {
    assert.equal(
      await mistakeOf(loadProfile('reference-agnt')),
      'unknown profile "reference-agnt"; did you mean "reference-agent"?; known are reference-agent, sdk-example, ' +
        'or give the path of a file',
    );
  });

  it('says that a file is missing', async () => {
    assert.match(await mistakeOf(loadProfile('./no-such.yaml')), /no-such\.yaml {2}no such file$/);
  });
});

describe('Shipped profiles', () => {
  it('are all valid', async () => {
    assert.deepEqual(profileNames(), ['reference-agent', 'sdk-example']);
    for (const name of profileNames()) assert.equal((await loadProfile(name)).name, name);
  });

  it('start the compiled reference agent with the Node that runs the bench', async () => {
    const { command } = await loadProfile('reference-agent');
    assert.deepEqual(command, [process.execPath, shipped('dist/reference-agent/main.js')]);
  });

  it('declare every trigger of the reference agent, each with the prompt that fires it', async () => {
    const { triggers } = await loadProfile('reference-agent');
    assert.deepEqual(triggers, Object.fromEntries(triggerNames.map(name => [name, triggerPrompt(name)])));
  });

  it('know exactly the triggers that the catalogue names', async () => {
    const requires = [...loadCatalogue().requirements.values()].flatMap(requirement => requirement.requires);
    const catalogued = requires
      .filter(name => name.startsWith('trigger:'))
      .map(name => name.slice('trigger:'.length));
    const schema = JSON.parse(await readFile(shipped('schemas/profile.schema.json'), 'utf8'));
    assert.deepEqual([...new Set(catalogued)].sort(), [...triggerNames]);
    assert.deepEqual(schema.properties.triggers.propertyNames.enum, [...triggerNames]);
  });
});
