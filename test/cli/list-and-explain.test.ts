import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { inWorld } from './world.ts';

interface CatalogueFile {
  readonly rules: readonly {
    readonly id: string;
    readonly party: string;
    readonly statement: string;
    readonly url?: string;
    readonly aliases?: readonly string[];
  }[];
}

const catalogue = JSON.parse(
  readFileSync(shipped('requirements/requirements.json'), 'utf8'),
) as CatalogueFile;
const aliased = catalogue.rules.filter(({ aliases }) => aliases?.length);

const scriptIds = (kind: string): readonly string[] =>
  readdirSync(shipped(kind), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.yaml'))
    .map(path => path.slice(0, -'.yaml'.length))
    .sort();

const listed: Readonly<Record<string, { readonly key: string; readonly expected: readonly string[] }>> = {
  scenarios: { key: 'id', expected: scriptIds('scenarios') },
  'mock-agents': { key: 'id', expected: scriptIds('mock-agents') },
  requirements: { key: 'id', expected: catalogue.rules.map(({ id }) => id) },
  profiles: {
    key: 'name',
    expected: readdirSync(shipped('profiles'))
      .map(file => basename(file, '.yaml'))
      .sort(),
  },
  releases: { key: 'release', expected: ['0.12.1', '1.19.0', '1.21.0', 'latest'] },
};

describe('list', { concurrency: 8, timeout: 60_000 }, () => {
  for (const [what, { key, expected }] of Object.entries(listed)) {
    it(`${what} prints one line for each, and the same as JSON`, () =>
      inWorld(async ({ run }) => {
        const [text, json] = await Promise.all([run(['list', what]), run(['list', what, '--json'])]);
        assert.deepEqual([text.code, text.stderr, json.code, json.stderr], [0, '', 0, '']);
        const rows = JSON.parse(json.stdout) as Record<string, string>[];
        assert.deepEqual(
          rows.map(row => row[key]),
          expected,
        );
        assert.deepEqual(
          text.stdout
            .trimEnd()
            .split('\n')
            .map(line => line.split('  ', 1)[0]),
          expected,
        );
      }));
  }

  it('rules prints each with what it decides', () =>
    inWorld(async ({ run }) => {
      const { code, stdout } = await run(['list', 'rules', '--json']);
      assert.equal(code, 0);
      const rules = JSON.parse(stdout) as { name: string; decides: string }[];
      assert.ok(
        rules.some(({ name, decides }) => name === 'framing' && decides.split(' ').includes('FRM-02')),
      );
    }));

  it('requirements --coverage prints counts by tier, and each that is not judged with the reason', () =>
    inWorld(async ({ run }) => {
      const [text, json] = await Promise.all([
        run(['list', 'requirements', '--coverage']),
        run(['list', 'requirements', '--coverage', '--json']),
      ]);
      assert.deepEqual([text.code, text.stderr, json.code, json.stderr], [0, '', 0, '']);
      const [heading, ...lines] = text.stdout.split('\n');
      assert.match(heading!, /^tier +rule +scenario +both +excluded +mcp-server +mcp-server-http +scripted/);
      assert.ok(lines.some(line => /^LOAD-10 +turn +mcp-server +needs a server of the bench$/.test(line)));
      const { counts, requirements } = JSON.parse(json.stdout) as {
        readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
        readonly requirements: readonly { readonly id: string; readonly tier: string }[];
      };
      const bindsAgents = catalogue.rules.filter(({ party }) => party !== 'client').map(({ id }) => id);
      assert.deepEqual(
        requirements.map(({ id }) => id),
        bindsAgents,
      );
      for (const [tier, paths] of Object.entries(counts)) {
        const sum = Object.values(paths).reduce((total, count) => total + count, 0);
        assert.equal(sum, requirements.filter(each => each.tier === tier).length, tier);
      }
    }));

  it('coverage of anything else is refused', () =>
    inWorld(async ({ run }) => {
      assert.deepEqual(await run(['list', 'rules', '--coverage']), {
        code: 2,
        stdout: '',
        stderr: '--coverage  is of requirements; write list requirements --coverage\n',
      });
    }));

  it('what is unknown is met with the nearest word', () =>
    inWorld(async ({ run }) => {
      assert.deepEqual(await run(['list', 'scenario']), {
        code: 2,
        stdout: '',
        stderr:
          '<what>  "scenario" is not one of scenarios, requirements, rules, mock-agents, profiles, releases; did you mean "scenarios"?\n',
      });
    }));
});

describe('explain', { concurrency: 8, timeout: 60_000 }, () => {
  it('tells statement, source, rules and scenarios of a requirement', () =>
    inWorld(async ({ run }) => {
      const { statement, url } = catalogue.rules.find(({ id }) => id === 'CANCEL-02')!;
      const { code, stdout, stderr } = await run(['explain', 'CANCEL-02']);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const part of [
        'CANCEL-02  MUST',
        statement,
        url!,
        'rules         cancel',
        'cancel/pending-permission',
      ])
        assert.ok(stdout.includes(part), part);
    }));

  const { aliases } = aliased[0]!;
  for (const alias of [aliases![0]!, aliases![0]!.replace('acp-tck:', '')]) {
    it(`knows ${alias} for all requirements that it stands for`, () =>
      inWorld(async ({ run }) => {
        const { code, stdout } = await run(['explain', alias]);
        assert.equal(code, 0);
        const meant = aliased.filter(rule => rule.aliases!.includes(aliases![0]!)).map(({ id }) => id);
        assert.deepEqual(stdout.match(/^[A-Z]+-\d+(?= {2})/gm), meant);
      }));
  }

  it('meets an unknown id with the nearest one', () =>
    inWorld(async ({ run }) => {
      assert.deepEqual(await run(['explain', 'cancel-2']), {
        code: 2,
        stdout: '',
        stderr: 'no requirement "cancel-2"; did you mean "CANCEL-02"?\n',
      });
    }));

  it('says where the ids stand when none is near', () =>
    inWorld(async ({ run }) => {
      const { code, stderr } = await run(['explain', 'something-else-entirely']);
      assert.deepEqual(
        [code, stderr],
        [2, 'no requirement "something-else-entirely"; see acp-testbench list requirements\n'],
      );
    }));
});
