import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { resolveCommand } from '../../src/process/index.ts';

let root: string;

const file = (path: string, text: string, mode = 0o755): string => {
  const full = join(root, path);
  writeFileSync(full, text);
  chmodSync(full, mode);
  return full;
};

const refusal = (command: string, path = '/usr/local/bin:/usr/bin:/bin'): string => {
  try {
    resolveCommand(command, { cwd: root, path });
  } catch (error) {
    assert.ok(error instanceof UserError);
    assert.equal(error.exitCode, 2);
    return error.message;
  }
  assert.fail(`"${command}" was resolved`);
};

describe('resolving a command', { skip: process.platform === 'win32' && 'POSIX files' }, () => {
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'acp-testbench-test-')));
    for (const folder of ['one', 'two', 'folder']) mkdirSync(join(root, folder));
  });
  after(() => rmSync(root, { recursive: true }));

  test('a path is taken from the given directory', () => {
    const program = file('two/agent', '#!/bin/sh\n');
    assert.deepEqual(resolveCommand('./two/agent', { cwd: root, path: undefined }), {
      file: program,
      args: [],
    });
    assert.deepEqual(resolveCommand(program, { cwd: '/', path: undefined }), { file: program, args: [] });
  });

  test('a name is the first executable of that name on PATH; folders and plain files are passed over', () => {
    mkdirSync(join(root, 'one/my-tool'));
    file('two/other-tool', '', 0o644);
    const program = file('two/my-tool', '#!/bin/sh\n');
    const second = file('folder/other-tool', '#!/bin/sh\n');
    const path = ['one', 'two', 'folder'].map(name => join(root, name)).join(':');
    assert.equal(resolveCommand('my-tool', { cwd: '/', path }).file, program);
    assert.equal(resolveCommand('other-tool', { cwd: '/', path }).file, second);
  });

  test('an empty part of PATH and a relative one start from the given directory', () => {
    const program = file('here', '#!/bin/sh\n');
    assert.equal(resolveCommand('here', { cwd: root, path: '/bin:' }).file, program);
    assert.equal(resolveCommand('agent', { cwd: root, path: 'two' }).file, join(root, 'two/agent'));
  });

  test('a name that is nowhere on PATH', () => {
    assert.equal(
      refusal('my-agent'),
      'cannot start "my-agent": not found on PATH (/usr/local/bin:/usr/bin:/bin). Give a path, or put its folder on PATH.',
    );
    assert.equal(
      refusal('my-agent', ''),
      'cannot start "my-agent": not found, since PATH is empty. Give a path, or put its folder on PATH.',
    );
  });

  test('a path where nothing is, also below a plain file', () => {
    assert.equal(
      refusal('./nope'),
      `cannot start "./nope": no such file (${root}/nope). Check the path, or give a name that is on PATH.`,
    );
    file('plain', '');
    assert.match(refusal('./plain/nope'), /no such file/);
    assert.match(refusal('nope', `${root}/plain`), /not found on PATH/);
  });

  test('a directory', () => {
    assert.equal(
      refusal('./folder'),
      'cannot start "./folder": it is a directory. Name the program inside it.',
    );
  });

  test('a file that is not executable, by path and on PATH', () => {
    const script = file('two/script.js', '', 0o644);
    const expected = (command: string): string =>
      `cannot start "${command}": ${script} is not executable. Run chmod +x on it, or name its interpreter first.`;
    assert.equal(refusal('two/script.js'), expected('two/script.js'));
    assert.equal(refusal('script.js', join(root, 'two')), expected('script.js'));
  });

  test('an empty command', () => {
    assert.equal(refusal(''), 'cannot start "": the command is empty. Name the program to start.');
  });

  test('a script whose interpreter is not there', () => {
    const script = file('lost', '#!/opt/nowhere/python3\nprint()\n');
    assert.equal(
      refusal('./lost'),
      `cannot start "./lost": the first line of ${script} names the interpreter "/opt/nowhere/python3", which is not there. ` +
        'Install it, or name another one before the script.',
    );
  });

  test('a script with Windows line ends names an interpreter that ends in a carriage return', () => {
    file('crlf', '#!/bin/sh\r\nexit\r\n');
    assert.match(refusal('./crlf'), /names the interpreter "\/bin\/sh\\r", which is not there/);
  });

  test('a script that asks env for a program that is not on PATH', () => {
    file('by-env', '#!/usr/bin/env -S FOO=1 no-such-runtime --flag\n');
    assert.match(refusal('./by-env'), /names the interpreter "no-such-runtime", which is not on PATH/);
    file('by-env-sh', '#! /usr/bin/env sh\n');
    assert.doesNotThrow(() => resolveCommand('./by-env-sh', { cwd: root, path: '/bin' }));
  });
});
