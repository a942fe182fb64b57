import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../../src/report/index.ts';
import { header, initialized } from './journals.ts';
import { certify, handshake, inWorld, referenceAgent } from './world.ts';

const whole = `${header}\n${initialized.join('\n')}\n`;
/** The agent answers `session/new` twice. */
const faulty = `${whole}${initialized[3]!.replace('"seq":4', '"seq":5')}\n`;

describe('judge', { concurrency: 8, timeout: 60_000 }, () => {
  it('finds nothing in a journal without fault', () =>
    inWorld(async ({ run, write }) => {
      write('journal.jsonl', whole);
      const { code, stdout, stderr } = await run(['judge', 'journal.jsonl']);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.doesNotMatch(stdout, /FAIL/);
    }));

  it('fails a journal with a fault, and shows it', () =>
    inWorld(async ({ run, write }) => {
      write('journal.jsonl', faulty);
      const { code, stdout } = await run(['judge', 'journal.jsonl']);
      assert.equal(code, 1);
      assert.match(stdout, /^FAIL {2}RPC-05 /m);
      assert.match(stdout, /^non-conformant .*1 fail/m);
    }));

  it('gives the verdicts of the live run', () =>
    inWorld(async ({ run, report }) => {
      await run(certify(...handshake, '--schema', 'latest', '--', ...referenceAgent));
      const journal = 'out/journals/initialize-handshake.jsonl';
      const { code, stdout } = await run(['judge', '--schema', 'latest', '--json', journal]);
      assert.equal(code, 0);
      const failed = ({ requirements }: Report) => requirements.filter(({ verdict }) => verdict === 'fail');
      assert.deepEqual(failed(JSON.parse(stdout)), failed(report()));
    }));

  it('judges a journal that ends within a line up to there, and says so', () =>
    inWorld(async ({ run, write }) => {
      write('journal.jsonl', faulty.slice(0, -20));
      const { code, stdout, stderr } = await run(['judge', '--json', 'journal.jsonl']);
      assert.deepEqual(
        { code, stderr },
        { code: 0, stderr: 'journal.jsonl  ends within a line, as after a crash; judged up to there\n' },
      );
      assert.equal((JSON.parse(stdout) as Report).footer!.complete, false);
    }));

  for (const [what, text, complaint] of [
    [
      'has a broken line in the middle',
      `${header}\n${initialized[0]}\n{"seq":2,\n${initialized[2]}\n`,
      /^journal\.jsonl:3 {2}this line /,
    ],
    [
      'has lost a line',
      `${header}\n${initialized[0]}\n${initialized[2]}\n`,
      /^journal\.jsonl:3 {2}this line has "seq" 3 where 2 follows/,
    ],
    ['is empty', '', /^journal\.jsonl {2}is no journal: it does not hold one whole line$/],
    ['is something else', '{"hello":"world"}\n', /^journal\.jsonl:1 {2}this line is no header of a journal$/],
  ] as const) {
    it(`refuses a file that ${what}`, () =>
      inWorld(async ({ run, write }) => {
        write('journal.jsonl', text);
        const { code, stdout, stderr } = await run(['judge', 'journal.jsonl']);
        assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
        assert.match(stderr.trimEnd(), complaint);
      }));
  }

  for (const [what, name, reason] of [
    ['absent', 'nowhere.jsonl', 'there is no such file'],
    ['a folder', '.', 'it is a folder'],
  ] as const) {
    it(`says that a journal is ${what}`, () =>
      inWorld(async ({ run }) => {
        assert.deepEqual(await run(['judge', name]), {
          code: 2,
          stdout: '',
          stderr: `${name}  cannot read the journal: ${reason}\n`,
        });
      }));
  }

  it('refuses rules of a release that is not there yet', () =>
    inWorld(async ({ run, write }) => {
      write('journal.jsonl', whole);
      for (const release of ['99.0.0', 'newest']) {
        const { code, stderr } = await run(['judge', '--rules', release, 'journal.jsonl']);
        assert.equal(code, 2);
        assert.match(stderr, new RegExp(`^--rules {2}"${release}" is not a release of this bench; `));
      }
    }));
});
