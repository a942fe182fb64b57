import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { loadManifest, resolveReferences } from '../../src/manifest/index.ts';

describe('manifest', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  });
  after(() => rm(folder, { recursive: true }));

  const load = async (content: unknown) => {
    const path = join(folder, 'agent.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return loadManifest(path);
  };
  const refused = (content: unknown, message: RegExp) =>
    assert.rejects(load(content), error => error instanceof UserError && message.test(error.message));

  it('needs a command only and fills in the rest', async () => {
    assert.deepEqual(await load({ command: 'agent' }), { command: 'agent', args: [], references: {} });
  });

  it('reads references by name', async () => {
    const manifest = await load({ command: 'agent', args: ['--stdio'], env: { TOKEN: '${PROVIDER_TOKEN}' } });
    assert.deepEqual(manifest, {
      command: 'agent',
      args: ['--stdio'],
      references: { TOKEN: 'PROVIDER_TOKEN' },
    });
    assert.deepEqual(resolveReferences(manifest, { PROVIDER_TOKEN: 'abc', OTHER: 'x' }), { TOKEN: 'abc' });
  });

  it('names every variable that is not set', async () => {
    const manifest = await load({ command: 'agent', env: { A: '${B_TOKEN}', C: '${A_TOKEN}' } });
    assert.throws(() => resolveReferences(manifest, {}), /not set: A_TOKEN, B_TOKEN/);
  });

  it('refuses unknown fields, literal values and wrong versions, with the place', async () => {
    await refused({ command: 'agent', shell: true }, /agent\.json:1:\d+ {2}unknown member "shell"/);
    await refused({ command: 'agent', env: { TOKEN: 'literal' } }, /a literal value does not belong/);
    await refused({ command: 'agent', env: { '1A': '${B}' } }, /agent\.json:1:\d+ .*"1A"/);
    await refused({ command: 'agent', protocol_version: 2 }, /2 is not possible here/);
    await refused({ command: '' }, /agent\.json:1:\d+/);
    await refused({ args: [] }, /member "command" is missing/);
    await refused('{"command": ', /agent\.json:1:\d+/);
  });
});
