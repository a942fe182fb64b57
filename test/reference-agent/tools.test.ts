import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { JsonObject } from '../../src/wire/index.ts';
import { allCapabilities, begin, newSession, play, statuses } from './conversation.ts';
import { completed, contentOf, failed, optionOf, workspace } from './turn-fixtures.ts';

describe('tool-call', () => {
  it('reports a call from pending to completed, on the roots of the session', async test => {
    const [cwd, more] = [await workspace(test, { 'a.txt': '' }), await workspace(test, { 'b.txt': '' })];
    const agent = await begin(test);
    const sessionId = await newSession(agent, { cwd, additionalDirectories: [more] });
    await play({ ...agent, sessionId }, 'tool-call');
    const [call] = agent.updates('tool_call');
    assert.deepEqual(call!.locations, [{ path: cwd }, { path: more }]);
    assert.deepEqual(statuses(agent), completed);
    assert.deepEqual((agent.updates('tool_call_update').at(-1)!.rawOutput as JsonObject).paths, [
      join(cwd, 'a.txt'),
      join(more, 'b.txt'),
    ]);
  });

  it('gives each call an id of its own', async test => {
    const agent = await begin(test);
    await play(agent, 'turn-limit');
    await play(agent, 'tool-call');
    const ids = agent.updates('tool_call').map(({ toolCallId }) => toolCallId);
    assert.equal(ids.length, 4);
    assert.equal(new Set(ids).size, 4);
  });

  it('fails in a folder that does not exist, and the turn ends', async test => {
    const agent = await begin(test, { cwd: '/no/such/folder' });
    assert.equal((await play(agent, 'tool-call')).result?.stopReason, 'end_turn');
    assert.deepEqual(statuses(agent), failed);
  });
});

describe('tool-failure', () => {
  it('reports the call as failed', async test => {
    const agent = await begin(test);
    await play(agent, 'tool-failure');
    assert.deepEqual(statuses(agent), failed);
  });
});

describe('permission', () => {
  const begun = async (test: TestContext, capabilities: JsonObject = {}) => {
    const cwd = await workspace(test);
    const written = () => readFile(join(cwd, 'guarded.txt'), 'utf8').catch(() => undefined);
    return { ...(await begin(test, { cwd, capabilities })), cwd, written };
  };

  it('is asked for a call that was announced, before anything is done', async test => {
    const agent = await begun(test);
    const turn = play(agent, 'permission');
    const { params } = await agent.asked('session/request_permission');
    const { toolCall, options, sessionId } = params as JsonObject;
    assert.equal(sessionId, agent.sessionId);
    assert.equal((toolCall as JsonObject).toolCallId, agent.updates('tool_call')[0]!.toolCallId);
    assert.deepEqual(
      (options as JsonObject[]).map(({ kind }) => kind),
      ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    );
    assert.deepEqual(statuses(agent), ['pending']);
    assert.equal(await agent.written(), undefined);

    agent.answer('session/request_permission', { result: optionOf('allow_once')(params as JsonObject) });
    assert.equal((await turn).result?.stopReason, 'end_turn');
    assert.deepEqual(statuses(agent), completed);
    assert.equal(await agent.written(), 'Written with permission.\n');
  });

  const refusals: Record<string, JsonObject> = {
    reject_once: { result: { outcome: { outcome: 'selected', optionId: 'reject-once' } } },
    'an option that was not offered': { result: { outcome: { outcome: 'selected', optionId: 'sure' } } },
    'a cancelled outcome without a cancel': { result: { outcome: { outcome: 'cancelled' } } },
    'an outcome that is none': { result: { outcome: 'allow' } },
    null: { result: null },
    'an error': { error: { code: -32603, message: 'no' } },
  };
  for (const [what, reply] of Object.entries(refusals)) {
    it(`that gets ${what} leaves the tool undone and the turn ends`, async test => {
      const agent = await begun(test, allCapabilities);
      const turn = play(agent, 'permission');
      await agent.asked('session/request_permission');
      agent.answer('session/request_permission', reply);
      assert.equal((await turn).result?.stopReason, 'end_turn');
      assert.deepEqual(statuses(agent), ['pending', 'failed']);
      assert.deepEqual(agent.open, []);
      assert.equal(await agent.written(), undefined);
    });
  }

  for (const [kind, outcome] of [
    ['allow_always', completed],
    ['reject_always', ['pending', 'failed']],
  ] as const) {
    it(`with ${kind} stands for the session, and for that session alone`, async test => {
      const agent = await begun(test);
      agent.serve({ 'session/request_permission': optionOf(kind) });
      const asked = () => agent.frames.filter(({ method }) => method === 'session/request_permission').length;
      await play(agent, 'permission');
      await play(agent, 'permission');
      assert.equal(asked(), 1);
      assert.deepEqual(statuses(agent), [...outcome, ...outcome]);
      await play({ ...agent, sessionId: await newSession(agent, { cwd: agent.cwd }) }, 'permission');
      assert.equal(asked(), 2);
    });
  }

  it('leaves other requests to be answered while it is open', async test => {
    const agent = await begun(test);
    const turn = play(agent, 'agent-request');
    await agent.asked('session/request_permission');
    assert.ok((await agent.request('session/list', {})).result);
    assert.equal((await agent.request('_bench/none', {})).error?.code, -32601);
    agent.answer('session/request_permission', refusals.reject_once!);
    await turn;
  });
});

describe('terminal', () => {
  const methodsOf = (agent: { frames: JsonObject[] }) =>
    agent.frames.flatMap(({ method }) => (String(method).startsWith('terminal/') ? [method] : []));

  it('is created, shown, waited for, read and released once', async test => {
    const agent = await begin(test, { capabilities: { terminal: true } });
    agent.serve({
      'terminal/create': () => ({ terminalId: 't7' }),
      'terminal/wait_for_exit': () => ({ exitCode: 3, signal: null }),
      'terminal/output': () => ({ output: 'hello', truncated: false }),
      'terminal/release': () => ({}),
    });
    await play(agent, 'terminal');
    assert.deepEqual(methodsOf(agent), [
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/output',
      'terminal/release',
    ]);
    assert.deepEqual(statuses(agent), completed);
    assert.deepEqual(contentOf(agent.updates())[0], { type: 'terminal', terminalId: 't7' });
    const shown = agent.frames.findIndex(frame => JSON.stringify(frame).includes('"type":"terminal"'));
    const released = agent.frames.findIndex(({ method }) => method === 'terminal/release');
    assert.ok(shown < released);
  });

  it('that cannot be created fails the tool, and nothing is released', async test => {
    const agent = await begin(test, { capabilities: { terminal: true } });
    const turn = play(agent, 'terminal');
    await agent.asked('terminal/create');
    agent.answer('terminal/create', { error: { code: -32603, message: 'no' } });
    assert.equal((await turn).result?.stopReason, 'end_turn');
    assert.deepEqual(methodsOf(agent), ['terminal/create']);
    assert.deepEqual(statuses(agent), failed);
  });

  it('whose wait fails is released all the same', async test => {
    const agent = await begin(test, { capabilities: { terminal: true } });
    const turn = play(agent, 'terminal');
    await agent.asked('terminal/create');
    agent.answer('terminal/create', { result: { terminalId: 't' } });
    await agent.asked('terminal/wait_for_exit');
    agent.answer('terminal/wait_for_exit', { error: { code: -32603, message: 'no' } });
    assert.equal((await turn).result?.stopReason, 'end_turn');
    assert.deepEqual(methodsOf(agent), ['terminal/create', 'terminal/wait_for_exit', 'terminal/release']);
  });
});
