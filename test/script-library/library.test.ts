import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { compiled, shipped } from '../../src/base/index.ts';
import { readForm, writeForm } from '../../src/script-library/compiled-form.ts';
import {
  loadMockAgent,
  loadMockAgents,
  loadScenarios,
  loadScriptFile,
} from '../../src/script-library/index.ts';

const script = 'id: own/agent\ntitle: An agent of mine\nrole: agent\n';
const cacheBefore = process.env.XDG_CACHE_HOME;
let folder: string;
let file: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-'));
  file = join(folder, 'mine.yaml');
  cache = join(folder, 'cache', 'acp-testbench');
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  writeFileSync(file, script);
});

afterEach(() => {
  if (cacheBefore === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = cacheBefore;
  rmSync(folder, { recursive: true });
});

describe('shipped scripts', () => {
  it('are those of the folders, each known by its path', async () => {
    for (const [kind, scripts] of [
      ['scenarios', await loadScenarios()],
      ['mock-agents', await loadMockAgents()],
    ] as const) {
      const paths = readdirSync(shipped(kind), { recursive: true, encoding: 'utf8' });
      const ids = paths.filter(path => path.endsWith('.yaml')).map(path => path.slice(0, -5));
      assert.deepEqual(
        scripts.map(each => each.script.id),
        ids.sort(),
      );
    }
  });

  it('have a compiled form that is what their text says', async () => {
    for (const { script, source } of await loadMockAgents()) {
      const text = readFileSync(source!, 'utf8');
      const form = readForm(compiled(`scripts/mock-agents/${script.id}.json`), text, source!);
      assert.ok(form, `${script.id} has no compiled form; build the bench`);
      assert.deepEqual(form, await loadScriptFile(source!));
    }
  });

  it('start an agent without the YAML parser and the validator', () => {
    const { stdout } = spawnSync(
      process.execPath,
      [compiled('cli/main.js'), 'mock-agent', 'mutants/content/refuses-links'],
      {
        input: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n',
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, NODE_V8_COVERAGE: join(folder, 'loaded') },
      },
    );
    assert.match(stdout, /"id":1,"result"/);
    const [name] = readdirSync(join(folder, 'loaded'));
    const modules = readFileSync(join(folder, 'loaded', name!), 'utf8').match(/"url":"file:[^"]+"/g) ?? [];
    assert.ok(modules.some(url => url.includes('/dist/mock-agent/')));
    assert.deepEqual(
      modules.filter(url =>
        /node_modules\/(yaml|ajv)\/(?!dist\/runtime)|dist\/(bench|rules|protocol|generated)\//.test(url),
      ),
      [],
    );
  });
});

describe('a mock agent by name', () => {
  it('is found by its id', async () => {
    assert.equal((await loadMockAgent('behaviour/noisy')).id, 'behaviour/noisy');
  });

  it('is suggested when its name is nearly right', async () => {
    await assert.rejects(loadMockAgent('behavior/noisy'), {
      message: 'no mock agent "behavior/noisy"; did you mean "behaviour/noisy"?',
    });
  });

  it('is found by its file', async () => {
    assert.equal((await loadMockAgent(file)).id, 'own/agent');
  });

  it('is refused when it is a client', async () => {
    writeFileSync(file, 'id: own/client\ntitle: T\nrole: client\n');
    await assert.rejects(loadMockAgent(file), {
      message: `${file}  has role client; a mock agent has role agent`,
    });
  });
});

describe('a script of the user', () => {
  it('is compiled once and then taken from the cache', async () => {
    const first = await loadScriptFile(file);
    const [name] = readdirSync(cache);
    // Who does not read the cache cannot see this.
    writeForm(join(cache, name!), script, await compiledAs('Another title'));
    assert.equal((await loadScriptFile(file)).script.title, 'Another title');
    assert.equal(first.script.title, 'An agent of mine');
  });

  it('is compiled again when its text changes', async () => {
    await loadScriptFile(file);
    writeFileSync(file, script.replace('mine', 'yours'));
    assert.equal((await loadScriptFile(file)).script.title, 'An agent of yours');
  });

  for (const [damage, content] of [
    ['cut short', '{"text":"'],
    ['altered', JSON.stringify({ text: 'x', script: { id: 'own/agent' }, digest: 'x' })],
    ['empty', ''],
  ] as const) {
    it(`is compiled again when its compiled form is ${damage}`, async () => {
      await loadScriptFile(file);
      const [name] = readdirSync(cache);
      writeFileSync(join(cache, name!), content);
      assert.equal((await loadScriptFile(file)).script.title, 'An agent of mine');
      assert.notEqual(readFileSync(join(cache, name!), 'utf8'), content);
    });
  }

  it('is not believed when script and digest of its compiled form do not agree', async () => {
    await loadScriptFile(file);
    const [name] = readdirSync(cache);
    const form = readFileSync(join(cache, name!), 'utf8');
    writeFileSync(join(cache, name!), form.replace('An agent of mine', 'An agent of none'));
    assert.equal((await loadScriptFile(file)).script.title, 'An agent of mine');
  });

  it('works without a cache that can be written', async () => {
    mkdirSync(join(folder, 'cache'));
    writeFileSync(cache, 'a file where the folder should be');
    assert.equal((await loadScriptFile(file)).script.title, 'An agent of mine');
    assert.equal(readFileSync(cache, 'utf8'), 'a file where the folder should be');
  });

  it('that takes in another file is read anew each time', async () => {
    writeFileSync(file, `${script}steps:\n  - raw: { file: bytes }\n`);
    writeFileSync(join(folder, 'bytes'), 'one');
    const one = await loadScriptFile(file);
    writeFileSync(join(folder, 'bytes'), 'two');
    const two = await loadScriptFile(file);
    assert.notEqual(one.digest, two.digest);
  });

  it('is refused with the place of its mistake, and leaves nothing in the cache', async () => {
    writeFileSync(file, `${script}breaks: [CANCEL-99]\n`);
    await assert.rejects(loadScriptFile(file), {
      message: /mine\.yaml:4:10 {2}unknown requirement "CANCEL-99"/,
    });
    assert.throws(() => readdirSync(cache), { code: 'ENOENT' });
  });
});

const compiledAs = async (title: string) => {
  const other = join(folder, 'other.yaml');
  writeFileSync(other, script.replace('An agent of mine', title));
  return loadScriptFile(other);
};
