import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compiled, shipped } from '../../src/base/index.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { certify, handshake, inWorld, referenceAgent } from './world.ts';

/** What a command says when it refuses its words: one line on stderr, exit code 2, nothing else. */
const refuses = (words: readonly string[], message: string | RegExp) =>
  inWorld(async ({ run }) => {
    const { code, stdout, stderr } = await run(words);
    if (typeof message === 'string') assert.equal(stderr, `${message}\n`);
    else assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });

describe('usage', { concurrency: true, timeout: 60_000 }, () => {
  for (const words of [['--version'], ['-V']]) {
    it(`${words[0]} prints the version of the package`, () =>
      inWorld(async ({ run }) => {
        const { version } = JSON.parse(readFileSync(shipped('package.json'), 'utf8')) as { version: string };
        assert.deepEqual(await run(words), { code: 0, stdout: `${version}\n`, stderr: '' });
      }));
  }

  for (const words of [['--help'], ['-h'], ['help']]) {
    it(`${words[0]} lists every command`, () =>
      inWorld(async ({ run }) => {
        const { code, stdout, stderr } = await run(words);
        assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
        for (const [name, load] of Object.entries(commands)) {
          const { summary } = (await load()).default;
          assert.match(stdout, new RegExp(`^  ${name} +${summary.slice(0, 40)}`, 'm'));
        }
      }));
  }

  it('no words at all show the help and are a mistake', () =>
    inWorld(async ({ run }) => {
      const { code, stdout } = await run([]);
      assert.equal(code, 2);
      assert.match(stdout, /^Usage: acp-testbench <command>/);
    }));

  for (const name of Object.keys(commands)) {
    it(`${name} --help describes its arguments, and so does help ${name}`, () =>
      inWorld(async ({ run }) => {
        const [asked, helped] = await Promise.all([run([name, '--help']), run(['help', name])]);
        assert.deepEqual({ code: asked.code, stderr: asked.stderr }, { code: 0, stderr: '' });
        const { summary } = (await commands[name]!()).default;
        assert.match(asked.stdout, new RegExp(`^Usage: acp-testbench ${name} .*\\n\\n${summary}`));
        assert.match(asked.stdout, /-h, --help {2}/);
        assert.deepEqual(helped, asked);
      }));
  }

  it('a folder that is not there any more is no place to run in', () =>
    inWorld(async ({ folder }) => {
      const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
      const words = ['sh', process.execPath, compiled('cli/main.js'), 'list', 'releases'];
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line, ...words], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.deepEqual(
        { status, stdout, stderr },
        {
          status: 2,
          stdout: '',
          stderr: 'the current folder is not there any more; change to one that is\n',
        },
      );
    }));

  it('an unknown command is met with the nearest one', () =>
    refuses(['certfy', '--', 'agent'], 'unknown command "certfy"; did you mean "certify"?'));

  it('a command like no other is met with all of them', () =>
    refuses(['frobnicate'], `unknown command "frobnicate"; known are ${Object.keys(commands).join(', ')}`));

  it('a name that every object has is no command', () =>
    refuses(['constructor'], /^unknown command "constructor"/));

  it('an unknown option is met with the nearest one', () =>
    refuses(
      ['certify', '--onyl', 'x', '--', 'agent'],
      "acp-testbench certify: unknown option '--onyl'; did you mean --only?",
    ));

  it('an unknown option before the command is refused', () =>
    refuses(['--jsno'], "acp-testbench: unknown option '--jsno'"));

  it('a missing word is named', () =>
    refuses(['explain'], "acp-testbench explain: missing required argument 'requirement'"));

  it('a word too many is refused', () =>
    refuses(
      ['list', 'rules', 'more'],
      'acp-testbench list: too many arguments. Expected 1 argument but got 2.',
    ));

  it('an option without its value is refused', () =>
    refuses(['certify', '--out'], "acp-testbench certify: option '--out <folder>' argument missing"));

  for (const [option, value, complaint] of [
    ['--jobs', '0', '"0" is not a whole number from 1 upwards'],
    ['--timeout', '5', '"5" is not a duration; write a number and a unit, such as 500ms, 30s or 5m'],
    ['--env', 'NAME', '"NAME" is not of the form NAME=value'],
    ['--tier', 'scriptd', '"scriptd" is not one of core, turn, scripted; did you mean "scripted"?'],
    ['--schema', '2.0', '"2.0" is not one of 0.12.1, 1.19.0, 1.21.0, latest'],
    ['--allow', 'everything', '"everything" is not one of logout'],
    ['--fail-on', 'warning', '"warning" is not one of fail, warn'],
  ] as const) {
    it(`${option} ${value} is refused with the name of the option`, () =>
      refuses(
        ['certify', option, value, '--', 'agent'],
        new RegExp(`^${escaped(`${option}  ${complaint}`)}`),
      ));
  }

  it('what follows the command of the agent is its own, options included', () =>
    inWorld(async ({ run, path }) => {
      const { stdout } = await run(['certify', '--dry-run', process.execPath, '--json', '--out', path('x')]);
      assert.match(stdout, new RegExp(`against ${process.execPath} --json --out ${path('x')}\\n`));
    }));

  for (const words of [
    ['list', 'requirements'],
    ['certify', '--help'],
    certify(...handshake, '--', ...referenceAgent),
  ]) {
    it(`a reader that goes away changes nothing for ${words[0]} ${words[1]}`, () =>
      inWorld(async ({ start }) => {
        const { process: child, ended } = start(words);
        child.stdout!.destroy();
        const { code, stderr } = await ended;
        assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      }));
  }
});

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
