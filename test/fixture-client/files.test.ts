import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { agentSide, withCode } from './agent-side.ts';

const content = 'one\ntwo\r\nthrée\nfour';

const parts: readonly [what: string, part: { line?: number | null; limit?: number | null }, read: string][] =
  [
    ['the whole file', {}, content],
    ['the whole file, with nulls', { line: null, limit: null }, content],
    ['lines 2 to 3', { line: 2, limit: 2 }, 'two\r\nthrée\n'],
    ['from the last line on', { line: 4 }, 'four'],
    ['the first line', { limit: 1 }, 'one\n'],
    ['more lines than there are', { line: 3, limit: 99 }, 'thrée\nfour'],
    ['lines beyond the end', { line: 5 }, ''],
    ['no lines', { limit: 0 }, ''],
    ['line 0, which the schema admits', { line: 0, limit: 1 }, 'one\n'],
  ];

for (const [what, part, read] of parts) {
  test(`reading ${what} gives exactly that text`, async t => {
    const agent = await agentSide(t, { files: { 'a.txt': content } });
    assert.deepEqual(await agent.ask('fs/read_text_file', { path: agent.path('a.txt'), ...part }), {
      content: read,
    });
  });
}

test('writing creates the file, with its folders, and answers an object', async t => {
  const agent = await agentSide(t);
  const path = agent.path('new/folder/b.txt');
  assert.deepEqual(await agent.ask('fs/write_text_file', { path, content }), {});
  assert.equal(await readFile(path, 'utf8'), content);
  assert.deepEqual(await agent.ask('fs/write_text_file', { path, content: 'é' }), {});
  assert.equal(await readFile(path, 'utf8'), 'é');
});

test('reading a missing file is -32002, in a missing folder too', async t => {
  const agent = await agentSide(t);
  for (const name of ['none.txt', 'none/none.txt']) {
    await assert.rejects(agent.ask('fs/read_text_file', { path: agent.path(name) }), withCode(-32002));
  }
});

test('paths that are relative or lead out of the workspace are refused', async t => {
  const agent = await agentSide(t);
  await symlink('/etc', agent.path('link'));
  await symlink('/nowhere/at/all', agent.path('dangling'));
  await mkdir(agent.path('sub'));
  for (const path of [
    'a.txt',
    '/etc/hostname',
    agent.path('../x'),
    agent.path('sub/../../x'),
    agent.path('link/hostname'),
  ]) {
    await assert.rejects(agent.ask('fs/read_text_file', { path }), withCode(-32602), path);
    await assert.rejects(agent.ask('fs/write_text_file', { path, content: '' }), withCode(-32602), path);
  }
  await assert.rejects(
    agent.ask('fs/write_text_file', { path: agent.path('dangling'), content: '' }),
    withCode(-32002),
  );
});

test('a folder, and bytes that are no text, are no text file', async t => {
  const agent = await agentSide(t);
  await writeFile(agent.path('binary'), Buffer.from([0xff, 0xfe]));
  for (const path of [agent.path('.'), agent.path('binary')]) {
    await assert.rejects(agent.ask('fs/read_text_file', { path }), withCode(-32602));
  }
});

for (const params of [{}, { path: 5 }, { path: '/x', line: -1 }, { path: '/x', limit: 1.5 }]) {
  test(`reading with ${JSON.stringify(params)} is refused as invalid params`, async t => {
    const agent = await agentSide(t);
    await assert.rejects(agent.ask('fs/read_text_file', params), withCode(-32602));
  });
}

test('what is no file is refused at once, a pipe that would never end above all', async t => {
  const agent = await agentSide(t);
  execFileSync('mkfifo', [agent.path('pipe')]);
  await mkdir(agent.path('folder'));
  for (const name of ['pipe', 'folder']) {
    const path = agent.path(name);
    await assert.rejects(agent.ask('fs/read_text_file', { path }), withCode(-32602), name);
    await assert.rejects(agent.ask('fs/write_text_file', { path, content: '' }), withCode(-32602), name);
  }
});

test('a file that no frame can hold is refused', async t => {
  const agent = await agentSide(t);
  const path = agent.path('large');
  await writeFile(path, '');
  await truncate(path, 32 * 1024 * 1024 + 1);
  await assert.rejects(agent.ask('fs/read_text_file', { path }), withCode(-32602));
});
