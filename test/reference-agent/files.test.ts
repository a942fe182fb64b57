import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/wire/index.ts';
import { allCapabilities, begin, newSession, play, statuses } from './conversation.ts';
import { completed, contentOf, failed, optionOf, workspace } from './turn-fixtures.ts';

describe('Files', () => {
  it('are read and written through a client that offers both', async test => {
    const agent = await begin(test, { capabilities: allCapabilities });
    const turn = play(agent, 'fs');
    const { params: read } = await agent.asked('fs/read_text_file');
    assert.deepEqual(read, { sessionId: agent.sessionId, path: '/work/notes.txt' });
    agent.answer('fs/read_text_file', { result: { content: 'unsaved' } });
    const { params: write } = await agent.asked('fs/write_text_file');
    assert.equal((write as JsonObject).path, '/work/written-by-agent.txt');
    agent.answer('fs/write_text_file', { result: null });
    assert.equal((await turn).result?.stopReason, 'end_turn');
    assert.match(JSON.stringify(contentOf(agent.updates())), /unsaved/);
    assert.deepEqual(statuses(agent), [...completed, ...completed]);
  });

  it('are reached directly where the client does not offer it, each way by itself', async test => {
    for (const [fs, asked] of [
      [{ readTextFile: true }, ['fs/read_text_file']],
      [{ writeTextFile: true }, ['fs/write_text_file']],
      [{}, []],
    ] as const) {
      const cwd = await workspace(test, { 'notes.txt': 'on disk' });
      const agent = await begin(test, { capabilities: { fs }, cwd });
      agent.serve({
        'fs/read_text_file': () => ({ content: 'in editor' }),
        'fs/write_text_file': () => ({}),
      });
      await play(agent, 'fs');
      assert.deepEqual(statuses(agent), [...completed, ...completed]);
      assert.deepEqual(
        agent.frames.flatMap(({ id, method }) => (id !== undefined && method ? [method] : [])),
        asked,
      );
      assert.match(
        JSON.stringify(agent.updates()),
        asked[0] === 'fs/read_text_file' ? /in editor/ : /on disk/,
      );
    }
  });

  for (const reply of [
    { error: { code: -32603, message: 'disk on fire' } },
    { result: {} },
    { result: null },
  ]) {
    it(`make the tool fail but not the turn when reading yields ${JSON.stringify(reply)}`, async test => {
      const agent = await begin(test, { capabilities: allCapabilities });
      const turn = play(agent, 'fs-read');
      await agent.asked('fs/read_text_file');
      agent.answer('fs/read_text_file', reply as { result: null });
      assert.equal((await turn).result?.stopReason, 'end_turn');
      assert.deepEqual(statuses(agent), failed);
    });
  }

  it('that do not exist make the tool fail', async test => {
    const agent = await begin(test, { cwd: await workspace(test) });
    await play(agent, 'fs-read');
    assert.deepEqual(statuses(agent), failed);
  });

  it('are named relative to the cwd, or absolutely, after the directive', async test => {
    const cwd = await workspace(test, { 'other.txt': 'x' });
    const agent = await begin(test, { cwd });
    for (const name of ['other.txt', join(cwd, 'other.txt')]) await play(agent, 'fs-read', name);
    assert.deepEqual(
      agent.updates('tool_call').map(({ locations }) => locations),
      [[{ path: join(cwd, 'other.txt') }], [{ path: join(cwd, 'other.txt') }]],
    );
  });

  it('outside the roots are only touched with permission', async test => {
    const folder = await workspace(test);
    const [cwd, more] = [join(folder, 'root'), join(folder, 'root-too')];
    await Promise.all([mkdir(cwd), mkdir(more)]);
    const agent = await begin(test);
    const session = { ...agent, sessionId: await newSession(agent, { cwd, additionalDirectories: [more] }) };
    agent.serve({ 'session/request_permission': optionOf('reject_once') });
    const asked = () => agent.frames.filter(({ method }) => method === 'session/request_permission').length;
    for (const [name, expected] of [
      ['inside.txt', 0],
      [join(more, 'inside.txt'), 0],
      ['../outside.txt', 1],
      [`${cwd}-not.txt`, 2],
      [join(folder, 'root', '..', 'x.txt'), 3],
    ] as const) {
      await play(session, 'fs-write', name);
      assert.equal(asked(), expected, name);
    }
    await assert.rejects(readFile(join(folder, 'outside.txt')), { code: 'ENOENT' });
  });

  it('that are edited yield a diff, with null for what was not there', async test => {
    const cwd = await workspace(test);
    const agent = await begin(test, { cwd });
    await play(agent, 'diff');
    await play(agent, 'diff');
    const path = join(cwd, 'notes.txt');
    const line = 'A line by the agent.\n';
    assert.deepEqual(contentOf(agent.updates('tool_call_update')), [
      { type: 'diff', path, oldText: null, newText: line },
      { type: 'diff', path, oldText: line, newText: line + line },
    ]);
    assert.equal(await readFile(path, 'utf8'), line + line);
  });
});
