import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compiled, shipped } from '../../src/base/index.ts';
import type { Report } from '../../src/report/index.ts';
import { certify, fixture, handshake, inWorld, referenceAgent, type World } from './world.ts';

const mockAgent = (id: string): readonly string[] => [
  process.execPath,
  compiled('cli/main.js'),
  'mock-agent',
  id,
];

const isReport = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(shipped('schemas/report.schema.json'), 'utf8')),
);

const idsOf = ({ scenarios }: Report): readonly string[] => scenarios.map(({ id }) => id);

/** What `certify` refuses before it starts anything: one line, exit code 2, no report. */
const refuses = (words: readonly string[], message: string | RegExp) =>
  inWorld(async ({ run, path }) => {
    const { code, stdout, stderr } = await run(certify(...words));
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    if (typeof message === 'string') assert.equal(stderr, `${message}\n`);
    else assert.match(stderr, message);
    assert.equal(existsSync(path('out')), false);
  });

describe('certify', { concurrency: 8, timeout: 120_000 }, () => {
  it('certifies an agent that keeps every requirement, and prints level and counts last', () =>
    inWorld(async ({ run, report }) => {
      const { code, stdout, stderr } = await run(certify('--schema', 'latest', '--', ...referenceAgent));
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const { summary, footer } = report();
      assert.equal(summary.counts.fail, undefined);
      assert.deepEqual([footer!.complete, footer!.exitCode], [true, 0]);
      assert.match(stdout.trimEnd().split('\n').at(-1)!, new RegExp(`^${summary.level}  .*\\d+ pass`));
    }));

  it('fails an agent with a fault', () =>
    inWorld(async ({ run }) => {
      const { code, stdout } = await run(
        certify('--only', 'initialize/minimal', '--', ...mockAgent('mutants/initialize/needs-client-info')),
      );
      assert.equal(code, 1);
      assert.match(stdout, /^FAIL {2}INIT-05 /m);
      assert.match(stdout, /^non-conformant /m);
    }));

  it('prints the report as JSON and nothing else', () =>
    inWorld(async ({ run, report }) => {
      const { code, stdout, stderr } = await run(certify('--json', ...handshake, '--', ...referenceAgent));
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const printed = JSON.parse(stdout) as Report;
      assert.deepEqual(printed, report());
      assert.ok(isReport(printed), JSON.stringify(isReport.errors));
    }));

  it('writes the report to reports/<time> unless told otherwise', () =>
    inWorld(async ({ run, path }) => {
      const { stdout } = await run(['certify', ...handshake, '--', ...referenceAgent]);
      const [, file] = /^Report +(reports\/[\dT-]+\/report\.json)$/m.exec(stdout)!;
      assert.ok(existsSync(path(file!)));
    }));

  it('says with --dry-run what it would do, and starts nothing', () =>
    inWorld(async ({ run, path }) => {
      const words = [
        '--dry-run',
        '--only',
        'cancel/pending-permission',
        '--',
        'sh',
        '-c',
        `touch ${path('started')}`,
      ];
      const [text, json] = await Promise.all([run(certify(...words)), run(certify('--json', ...words))]);
      assert.deepEqual([text.code, text.stderr, json.code], [0, '', 0]);
      const plan = JSON.parse(json.stdout) as { scenarios: { id: string }[] };
      const ids = ['initialize/handshake', 'cancel/pending-permission'];
      assert.deepEqual(
        plan.scenarios.map(({ id }) => id),
        ids,
      );
      for (const id of ids) assert.match(text.stdout, new RegExp(`^  ${id} `, 'm'));
      for (const name of ['started', 'out']) assert.equal(existsSync(path(name)), false);
    }));
});

describe('selection', { concurrency: 8, timeout: 120_000 }, () => {
  const planned = async ({ run }: World, ...words: readonly string[]) => {
    const { stdout, stderr } = await run(certify('--dry-run', '--json', ...words, '--', ...referenceAgent));
    assert.equal(stderr, '');
    return (JSON.parse(stdout) as { scenarios: { id: string }[] }).scenarios.map(({ id }) => id);
  };

  it('takes an area, less what is skipped; the handshake is always there', () =>
    inWorld(async world => {
      const ids = await planned(world, '--only', 'permission/*', '--skip', 'permission/reject');
      assert.deepEqual(ids, ['initialize/handshake', 'permission/allow']);
    }));

  it('takes one instance of a family', () =>
    inWorld(async world => {
      const ids = await planned(world, '--only', 'cancel/streaming[frames=3]');
      assert.deepEqual(ids, ['initialize/handshake', 'cancel/streaming[frames=3]']);
    }));

  it('takes what decides a requirement', () =>
    inWorld(async world => {
      assert.ok((await planned(world, '--only', 'SESS-07')).includes('session/relative-cwd[cwd=.]'));
    }));

  it('takes the scenarios of a tier', () =>
    inWorld(async world => {
      const ids = await planned(world, '--tier', 'turn', '--prompts');
      assert.ok(ids.includes('prompt/ordinary-turn'));
      assert.ok(!ids.some(id => id.startsWith('session/relative-cwd')));
    }));

  it('takes only the core without prompts, and everything with a profile that has triggers', () =>
    inWorld(async world => {
      const [core, all] = await Promise.all([planned(world), planned(world, '--profile', 'reference-agent')]);
      assert.ok(!core.some(id => id.startsWith('prompt/') || id === 'cancel/streaming'));
      assert.ok(['prompt/ordinary-turn', 'cancel/pending-permission'].every(id => all.includes(id)));
    }));

  for (const [words, message] of [
    [
      ['--only', 'cancel/streming'],
      '--only  "cancel/streming" matches no scenario or requirement; did you mean "cancel/streaming"?',
    ],
    [
      ['--skip', 'nothing-like-it'],
      '--skip  "nothing-like-it" matches no scenario or requirement; see acp-testbench list scenarios',
    ],
    [['--only', 'FRM-02'], '--only  no scenario decides FRM-02; it is judged by rules over every run'],
    [
      ['--only', 'stdio/*', '--skip', 'stdio/*'],
      '--skip  the selection leaves no scenario; take a --skip away',
    ],
    [['--rules', '99.0.0'], /^--rules {2}"99\.0\.0" is not a release of this bench; /],
    [
      ['--trigger', 'permission= '],
      '--trigger  the text of "permission" is empty; give the prompt that makes the agent do it',
    ],
    [['--trigger', 'permision=Ask.'], '--trigger  unknown trigger "permision"; did you mean "permission"?'],
    [
      ['--profile', 'nobody'],
      /^unknown profile "nobody"; known are reference-agent, sdk-example, or give the path of a file$/m,
    ],
    [['--profile', './nobody.yaml'], './nobody.yaml  no such file'],
    [['--last-failed'], 'out/report.json  no such report; name the folder of one, or its report.json'],
  ] as const) {
    it(`${words.join(' ')} is refused`, () => refuses([...words, '--', ...referenceAgent], message));
  }

  it('no command at all is refused', () => refuses([], /^no agent to certify; give its command after --/));
});

describe('ways to run', { concurrency: 8, timeout: 120_000 }, () => {
  it('--last-failed runs again what did not pass', () =>
    inWorld(async ({ run, report }) => {
      const agent = mockAgent('mutants/initialize/needs-client-info');
      await run(certify('--only', 'initialize/minimal', '--only', 'initialize/version-zero', '--', ...agent));
      const { code } = await run(certify('--last-failed', '--', ...agent));
      assert.equal(code, 1);
      assert.deepEqual(idsOf(report()), ['initialize/handshake', 'initialize/minimal']);
      const passing = await run(certify('--last-failed', '--', ...referenceAgent));
      assert.equal(passing.code, 0);
      assert.deepEqual(await run(certify('--last-failed', '--', ...referenceAgent)), {
        code: 2,
        stdout: '',
        stderr: '--last-failed  nothing failed in the last report\n',
      });
    }));

  it('--max-failures ends the run early, and the report says that it is not all', () =>
    inWorld(async ({ run, report }) => {
      const { code, stdout } = await run(
        certify(
          '--max-failures',
          '1',
          '--jobs',
          '1',
          '--only',
          'rpc/split-writes',
          '--only',
          'stdio/*',
          '--',
          ...mockAgent('mutants/framing/loses-split-frames'),
        ),
      );
      assert.equal(code, 1);
      const { footer, scenarios } = report();
      assert.equal(footer!.complete, false);
      assert.equal(scenarios.at(-1)!.verdict, 'fail');
      assert.deepEqual(idsOf(report()), ['initialize/handshake', 'rpc/split-writes']);
      assert.match(stdout, /^non-conformant \(partial report\) /m);
    }));

  it('--fail-on warn makes of a warning a failure', () =>
    inWorld(async ({ run, report }) => {
      const agent = fixture('only-initialize.mjs');
      const words = ['--start-timeout', '1s', '--only', 'initialize/minimal', '--allow-incomplete'];
      const scenario = ['--', ...agent];
      const [mild, strict] = await Promise.all([
        run(['certify', '--out', 'mild', ...words, ...scenario]),
        run(['certify', '--out', 'strict', '--fail-on', 'warn', ...words, ...scenario]),
      ]);
      assert.deepEqual([mild.code, strict.code], [0, 1]);
      assert.ok(report('mild').summary.counts.warn! > 0);
    }));

  it('a run without a session is incomplete, and --allow-incomplete forgives that', () =>
    inWorld(async ({ run, report }) => {
      const words = ['--start-timeout', '1s', '--only', 'initialize/minimal'];
      const agent = ['--', ...fixture('only-initialize.mjs')];
      const [strict, mild] = await Promise.all([
        run(['certify', '--out', 'strict', ...words, ...agent]),
        run(['certify', '--out', 'mild', '--allow-incomplete', ...words, ...agent]),
      ]);
      assert.deepEqual([strict.code, mild.code], [1, 0]);
      assert.equal(report('strict').summary.level, 'incomplete');
    }));

  it('runs many scenarios at the same time without a word on stderr', () =>
    inWorld(async ({ run }) => {
      const { code, stderr } = await run(certify('--jobs', '20', '--', ...referenceAgent));
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    }));

  it('--repeat runs everything again, and what differs is unstable', () =>
    inWorld(async ({ run, report, path }) => {
      const { code } = await run(
        certify('--repeat', '2', ...handshake, '--', ...fixture('dies-sometimes.mjs', path('memory'))),
      );
      assert.equal(code, 1);
      const [scenario] = report().scenarios;
      assert.deepEqual(
        [scenario!.verdict, scenario!.attempts, scenario!.journals.length],
        ['unstable', 2, 2],
      );
      const { verdict, reason } = report().requirements.find(({ id }) => id === 'INIT-05')!;
      assert.deepEqual([verdict, reason], ['unstable', 'differs between repeats: pass, fail']);
    }));
});

describe('the folder of the report', { concurrency: 8, timeout: 120_000 }, () => {
  it('replaces what an earlier run left in it, and nothing else', () =>
    inWorld(async ({ run, write, path, read, report }) => {
      await run(certify(...handshake, '--', ...referenceAgent));
      write('out/journals/earlier.jsonl', '');
      write('out/notes.txt', 'mine');
      const { code } = await run(certify(...handshake, '--', ...referenceAgent));
      assert.equal(code, 0);
      assert.equal(existsSync(path('out/journals/earlier.jsonl')), false);
      assert.equal(read('out/notes.txt'), 'mine');
      assert.equal(report().scenarios.length, 1);
    }));

  it('refuses a folder with files that are not ours, and touches none', () =>
    inWorld(async ({ run, write, read }) => {
      write('out/precious.txt', 'mine');
      assert.deepEqual(await run(certify(...handshake, '--', ...referenceAgent)), {
        code: 2,
        stdout: '',
        stderr: 'out  holds files that are not ours and is not replaced; name an empty or new folder\n',
      });
      assert.equal(read('out/precious.txt'), 'mine');
    }));

  for (const [what, place, error] of [
    ['below a file', 'file/out', 'ENOTDIR'],
    ['that is a file', 'file', 'ENOTDIR'],
    ['where the system makes none', '/proc/acp', 'ENOENT'],
  ] as const) {
    it(`refuses a folder ${what}`, () =>
      inWorld(async ({ run, write }) => {
        write('file', 'text');
        assert.deepEqual(await run(['certify', '--out', place, ...handshake, '--', ...referenceAgent]), {
          code: 2,
          stdout: '',
          stderr: `${place}  cannot be written (${error}); name another folder with --out\n`,
        });
      }));
  }

  it('is another one for each of the runs that begin in the same second', () =>
    inWorld(async ({ run, path }) => {
      const runs = [1, 2, 3].map(() => run(['certify', ...handshake, '--', ...referenceAgent]));
      const outcomes = await Promise.all(runs);
      assert.deepEqual(
        outcomes.map(({ code, stderr }) => [code, stderr]),
        runs.map(() => [0, '']),
      );
      assert.equal(readdirSync(path('reports')).length, 3);
    }));

  it('is not made when no temporary folder can be', () =>
    inWorld(async ({ run, path, write }) => {
      const nowhere = `${write('file', 'text')}/temp`;
      const { code, stderr } = await run(certify(...handshake, '--', ...referenceAgent), { TMPDIR: nowhere });
      assert.equal(code, 2);
      assert.equal(
        stderr,
        `cannot create a temporary folder in ${nowhere} (ENOTDIR); set TMPDIR to a folder that can be written\n`,
      );
      assert.equal(existsSync(path('out')), false);
    }));
});
