import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { programIn, readPackageRunner } from '../../src/process/package-runner.ts';
import { complaintIn } from '../../src/process/runner-complaint.ts';

const words = (line: string): readonly string[] => line.split(' ');

describe('reading a package runner', () => {
  for (const [line, options, target, args] of [
    ['npx agent', '', 'agent', ''],
    ['npx @acme/agent@1.2.3 --acp', '', '@acme/agent@1.2.3', '--acp'],
    ['npx -y agent --acp -y', '-y', 'agent', '--acp -y'],
    ['npx --yes -- agent -- x', '--yes', 'agent', '-- x'],
    ['npx agent -- --acp', '', 'agent', '-- --acp'],
    ['npx -p @acme/tools agent --acp', '-p @acme/tools', 'agent', '--acp'],
    ['npx --package=a --package b -y -- agent', '--package=a --package b -y', 'agent', ''],
    ['/usr/bin/npx agent', '', 'agent', ''],
    ['uvx agent@1.2 serve', '', 'agent@1.2', 'serve'],
    ['uvx --from acme-agent==2 agent --from x', '--from acme-agent==2', 'agent', '--from x'],
    ['uvx --python 3.12 --with=extra agent', '--python 3.12 --with=extra', 'agent', ''],
  ] as const) {
    test(line, () => {
      const runner = readPackageRunner(words(line));
      assert.ok(runner && 'target' in runner);
      const { program, kind, ...read } = runner;
      assert.equal(program, words(line)[0]);
      assert.equal(kind, line.includes('npx') ? 'npx' : 'uvx');
      const list = (text: string) => (text === '' ? [] : words(text));
      assert.deepEqual(read, { options: list(options), target, args: list(args) });
    });
  }

  test('any other command is none', () => {
    for (const line of [
      'node npx',
      'npxx agent',
      'my/npx-agent',
      'env npx agent',
      'npm exec agent',
      'uv run',
    ]) {
      assert.equal(readPackageRunner(words(line)), undefined, line);
    }
  });

  test('an option that is not known makes it unclear, since it may take the next word', () => {
    for (const [line, option] of [
      ['npx --prefix /tmp agent', '--prefix'],
      ['npx -y -c agent', '-c'],
      ['npx --yes=false agent', '--yes'],
      ['uvx --from x --isolated agent', '--isolated'],
    ] as const) {
      assert.deepEqual(readPackageRunner(words(line)), { unclear: `its option ${option} is not known here` });
    }
  });

  test('a runner that is to start nothing is unclear', () => {
    for (const line of ['npx', 'npx -y', 'npx -p agent', 'npx --', 'uvx --from agent']) {
      assert.deepEqual(readPackageRunner(words(line)), { unclear: 'it names nothing to start' }, line);
    }
  });
});

describe('the program that a runner starts', () => {
  const program = (line: string, shellCommand: string) => {
    const runner = readPackageRunner(words(line));
    assert.ok(runner && 'target' in runner);
    return programIn(runner, { path: '/env/bin:/usr/bin', shellCommand });
  };

  test('npx: the word in its command, however the release quotes it, on the whole PATH', () => {
    for (const command of ["'my-agent'", '"my-agent"', 'my-agent']) {
      assert.deepEqual(program('npx @acme/x', command), { name: 'my-agent', path: '/env/bin:/usr/bin' });
    }
    for (const command of ['', 'my-agent --x', "'it'\\''s'", 'a/b', '$(x)', "'agent"]) {
      assert.equal(program('npx @acme/x', command), undefined, command);
    }
  });

  test('uvx: the tool, or the name before version, extras and specifier, in the environment alone', () => {
    for (const [target, name] of [
      ['agent', 'agent'],
      ['my.agent-2@latest', 'my.agent-2'],
      ['agent[acp]@1.0', 'agent'],
      ['agent>=1,<2', 'agent'],
    ] as const) {
      assert.deepEqual(program(`uvx ${target}`, ''), { name, path: '/env/bin' });
    }
    assert.deepEqual(program('uvx --from git+https://x/y agent', ''), { name: 'agent', path: '/env/bin' });
    for (const target of ['git+https://x/y', './agent', '/opt/agent']) {
      assert.equal(program(`uvx ${target}`, ''), undefined, target);
    }
  });
});

describe('what a runner complains of', () => {
  const npm = (...lines: readonly string[]) =>
    complaintIn('npx', ['npm warn config x', ...lines.map(line => `npm error ${line}`), ''].join('\n'));
  const log = 'A complete log of this run can be found in: /home/me/.npm/_logs/x.log';

  test('npm: the reason, not the code before it nor the advice after it', () => {
    assert.deepEqual(
      npm('code E404', '404 Not Found - GET https://packages.example/nope', '404', '404 Note that', log),
      { text: '404 Not Found - GET https://packages.example/nope', isFinal: true },
    );
    assert.deepEqual(
      npm('code ENOENT', 'syscall open', 'path /x.tgz', 'errno -2', 'enoent ENOENT: no such file', log),
      { text: 'enoent ENOENT: no such file', isFinal: true },
    );
  });

  test('npm: older releases, and colours', () => {
    assert.deepEqual(
      complaintIn(
        'npx',
        '\u001b[31mnpm ERR! code ETARGET\nnpm ERR! notarget No matching version\u001b[39m\n',
      ),
      { text: 'notarget No matching version', isFinal: true },
    );
  });

  test('npm: a network that fails and a cache that lacks the package are not final, nor is a missing program', () => {
    assert.equal(npm('code ENOTCACHED', 'request to x failed: cache mode is only-if-cached').isFinal, false);
    assert.equal(npm('code EAI_AGAIN', 'syscall getaddrinfo').isFinal, false);
    assert.deepEqual(npm('could not determine executable to run', log), {
      text: 'could not determine executable to run',
      isFinal: false,
    });
  });

  test('uv: the conclusion on one line; final unless the network was disabled', () => {
    const conclusion = [
      '  × No solution found when resolving tool dependencies:',
      '  ╰─▶ Because nope was not found in the package registry and you require',
      '      nope, we can conclude that your requirements are unsatisfiable.',
      '',
    ];
    const text =
      'Because nope was not found in the package registry and you require nope, ' +
      'we can conclude that your requirements are unsatisfiable.';
    assert.deepEqual(complaintIn('uvx', conclusion.join('\n')), { text, isFinal: true });
    const hint = '      hint: Packages were unavailable because the network was disabled.';
    assert.deepEqual(complaintIn('uvx', [...conclusion, hint].join('\n')), { text, isFinal: false });
  });

  test('anything else: the last line, and not too much of it', () => {
    assert.deepEqual(complaintIn('uvx', 'warning: x\nerror: dns error\n\n'), {
      text: 'error: dns error',
      isFinal: false,
    });
    assert.deepEqual(complaintIn('npx', ''), { text: '', isFinal: false });
    assert.equal(complaintIn('npx', 'x'.repeat(60_000)).text, `${'x'.repeat(300)}…`);
  });
});
