import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { header, initialized } from './journals.ts';
import { inWorld, type World } from './world.ts';

/** A right file of each kind, and a wrong one with what is said of it. */
const kinds: readonly {
  readonly kind: string;
  readonly name: string;
  readonly good: string;
  readonly bad: string;
  readonly complaint: RegExp;
}[] = [
  {
    kind: 'script',
    name: 'agent.yaml',
    good: 'id: own/agent\ntitle: T\nrole: agent\n',
    bad: 'id: own/agent\ntitle: T\nrole: agent\nsteps:\n  - exepct: { response: x }\n',
    complaint: /^agent\.yaml:5:5 {2}unknown verb "exepct"; did you mean "expect"\?$/,
  },
  {
    kind: 'profile',
    name: 'profile.yaml',
    good: 'title: Mine\ntriggers: { permission: Ask me. }\n',
    bad: 'titel: Mine\n',
    complaint: /^profile\.yaml:1:1 {2}unknown member "titel"; did you mean "title"\?$/,
  },
  {
    kind: 'manifest',
    name: 'manifest.json',
    good: '{ "command": "agent", "env": { "KEY": "${KEY}" } }',
    bad: '{ "command": "agent", "env": { "KEY": "abc123" } }',
    complaint:
      /^manifest\.json:1:39 {2}env: the value of "KEY" must be a reference such as \$\{PROVIDER_TOKEN\}/,
  },
  {
    kind: 'journal',
    name: 'journal.jsonl',
    good: `${header}\n${initialized.join('\n')}\n`,
    bad: `${header}\n${initialized[0]}\n{"seq":2}\n${initialized[1]}\n`,
    complaint: /^journal\.jsonl:3 {2}this line /,
  },
  {
    kind: 'catalogue',
    name: 'catalogue.json',
    good: readFileSync(shipped('requirements/requirements.json'), 'utf8'),
    bad: readFileSync(shipped('requirements/requirements.json'), 'utf8').replace(
      '"level": "MUST"',
      '"level": "MSUT"',
    ),
    complaint: /^catalogue\.json:\d+:\d+ {2}"MSUT" is not possible here; did you mean "MUST"\?$/,
  },
];

describe('validate', { concurrency: 8, timeout: 60_000 }, () => {
  for (const { kind, name, good, bad, complaint } of kinds) {
    it(`knows a right ${kind} by its content`, () =>
      inWorld(async ({ run, write }) => {
        write(name, good);
        assert.deepEqual(await run(['validate', name]), {
          code: 0,
          stdout: `${name}  ok (${kind})\n`,
          stderr: '',
        });
      }));

    it(`tells the place of a mistake in a ${kind}`, () =>
      inWorld(async ({ run, write }) => {
        write(name, bad);
        const { code, stdout, stderr } = await run(['validate', name]);
        assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
        assert.match(stderr.trimEnd(), complaint);
      }));
  }

  it('checks a report', () =>
    inWorld(async world => {
      await judged(world);
      assert.deepEqual(await world.run(['validate', 'report.json']), {
        code: 0,
        stdout: 'report.json  ok (report)\n',
        stderr: '',
      });
      world.write('report.json', world.read('report.json').replace(/"level": "\w+"/, '"level": "partal"'));
      const { code, stderr } = await world.run(['validate', 'report.json']);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^report\.json:\d+:\d+ {2}"partal" is not possible here; did you mean "partial"\?$/m,
      );
    }));

  it('checks every file and counts one wrong one', () =>
    inWorld(async ({ run, write }) => {
      for (const { name, good } of kinds) write(name, good);
      write('wrong.yaml', 'role: [');
      const { code, stdout, stderr } = await run([
        'validate',
        'wrong.yaml',
        ...kinds.map(({ name }) => name),
      ]);
      assert.equal(code, 1);
      assert.equal(stdout.trimEnd().split('\n').length, kinds.length);
      assert.match(stderr, /^wrong\.yaml:1:\d+ {2}/);
    }));

  it('takes the kind that it is told', () =>
    inWorld(async ({ run, write }) => {
      write('manifest.json', kinds[2]!.good);
      const { code, stderr } = await run(['validate', '--kind', 'profile', 'manifest.json']);
      assert.deepEqual([code, stderr.split('  ')[0]], [1, 'manifest.json:1:14']);
    }));

  it('says which file is not there or no file', () =>
    inWorld(async ({ run, folder }) => {
      assert.deepEqual(await run(['validate', 'nowhere.yaml', folder]), {
        code: 1,
        stdout: '',
        stderr: `nowhere.yaml  no such file\n${folder}  is a folder, not a file\n`,
      });
    }));

  it('accepts a journal that ends within a line, and says so', () =>
    inWorld(async ({ run, write }) => {
      write('cut.jsonl', `${header}\n${initialized.join('\n')}`);
      assert.deepEqual(await run(['validate', 'cut.jsonl']), {
        code: 0,
        stdout: 'cut.jsonl  ok (journal; it ends within a line, as after a crash)\n',
        stderr: '',
      });
    }));

  it('accepts every script that ships', () =>
    inWorld(async ({ run, path }) => {
      copyFileSync(shipped('scenarios/cancel/streaming.yaml'), path('streaming.yaml'));
      const { code, stderr } = await run(['validate', 'streaming.yaml']);
      assert.deepEqual([code, stderr], [0, '']);
    }));
});

/** Makes a report in little time: that of a journal. */
const judged = async ({ run, write }: World): Promise<void> => {
  write('journal.jsonl', `${header}\n${initialized.join('\n')}\n`);
  const { stdout } = await run(['judge', '--json', 'journal.jsonl']);
  write('report.json', stdout);
};
