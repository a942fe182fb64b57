import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { triggerNames } from '../../src/reference-agent/index.ts';
import type { Json, JsonObject } from '../../src/wire/index.ts';
import { allCapabilities, begin, newSession, play, promptOf, said, statuses } from './conversation.ts';

const workspace = async (test: TestContext, files: Record<string, string> = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'reference-agent-'));
  test.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

const contentOf = (updates: readonly JsonObject[]): readonly JsonObject[] =>
  updates.flatMap(({ content }) => (Array.isArray(content) ? content : []));

const completed: Json[] = ['pending', 'in_progress', 'completed'];
const failed: Json[] = ['pending', 'in_progress', 'failed'];

const optionOf = (kind: string) => (params: JsonObject) => ({
  outcome: {
    outcome: 'selected',
    optionId: (params.options as JsonObject[]).find(option => option.kind === kind)!.optionId!,
  },
});

describe('Every trigger', () => {
  /** A client that grants everything. */
  const willing = {
    'session/request_permission': optionOf('allow_once'),
    'fs/read_text_file': () => ({ content: 'text' }),
    'fs/write_text_file': () => ({}),
    'terminal/create': () => ({ terminalId: 't' }),
    'terminal/wait_for_exit': () => ({ exitCode: 0 }),
    'terminal/output': () => ({ output: '', truncated: false }),
    'terminal/release': () => ({}),
    'elicitation/create': ({ mode }: JsonObject) =>
      mode === 'form' ? { action: 'accept', content: { colour: 'red' } } : { action: 'accept' },
  };
  const endings: Record<string, string> = {
    'max-tokens': 'max_tokens',
    refusal: 'refusal',
    'turn-limit': 'max_turn_requests',
  };
  for (const [who, capabilities] of [
    ['that can do everything', allCapabilities],
    ['that can do nothing', {}],
  ] as const) {
    for (const trigger of triggerNames) {
      if (trigger === 'slow-turn' || trigger === 'model-error') continue;
      it(`${trigger} ends as it should with a client ${who}, which is asked for nothing else`, async test => {
        const agent = await begin(test, { capabilities, cwd: await workspace(test) });
        agent.serve(willing);
        const { result } = await play(agent, trigger);
        assert.deepEqual(result, { stopReason: endings[trigger] ?? 'end_turn' });
        await agent.settle();
        assert.deepEqual(agent.open, []);
        const asked = agent.frames.flatMap(({ id, method }) => (id !== undefined && method ? [method] : []));
        if (who === 'that can do nothing') {
          assert.deepEqual(
            asked,
            /permission|agent-request/.test(trigger) ? ['session/request_permission'] : [],
          );
          assert.doesNotMatch(JSON.stringify(agent.frames), /"notice"|compaction_update|"type":"boolean"/);
        }
      });
    }
  }

  it('is suggested when a prompt misspells it', async test => {
    const agent = await begin(test);
    await agent.request('session/prompt', promptOf(agent.sessionId, 'do: permision'));
    assert.match(said(agent), /did you mean "permission"\?/);
  });
});

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

describe('plan', () => {
  it('tells the whole list each time, and goes forward', async test => {
    const agent = await begin(test);
    await play(agent, 'plan');
    const plans = agent
      .updates('plan')
      .map(({ entries }) => (entries as JsonObject[]).map(({ status }) => status));
    assert.deepEqual(plans, [
      ['in_progress', 'pending', 'pending'],
      ['completed', 'in_progress', 'pending'],
      ['completed', 'completed', 'in_progress'],
      ['completed', 'completed', 'completed'],
    ]);
  });
});

describe('model-error', () => {
  it('is an error of the prompt, after which the session goes on', async test => {
    const agent = await begin(test);
    const { error } = await play(agent, 'model-error');
    assert.equal(error?.code, -32603);
    assert.equal(error?.message, 'The model provider failed');
    assert.equal((await play(agent, 'refusal')).result?.stopReason, 'refusal');
  });
});

describe('mode-change and config-change', () => {
  it('tell the complete new state', async test => {
    const agent = await begin(test);
    await play(agent, 'mode-change');
    await play(agent, 'config-change');
    assert.deepEqual(
      agent.updates('current_mode_update').map(({ currentModeId }) => currentModeId),
      ['code'],
    );
    const states = agent
      .updates('config_option_update')
      .map(({ configOptions }) => (configOptions as JsonObject[]).map(({ currentValue }) => currentValue));
    assert.deepEqual(states, [
      ['code', 'small', 'low'],
      ['code', 'large', 'low'],
    ]);
  });
});

describe('elicitation', () => {
  const run = async (test: TestContext, elicitation: JsonObject, replies: readonly JsonObject[]) => {
    const agent = await begin(test, { capabilities: { elicitation } });
    const turn = play(agent, 'elicitation');
    const requests: JsonObject[] = [];
    for (const reply of replies) {
      requests.push((await agent.asked('elicitation/create')).params as JsonObject);
      agent.answer('elicitation/create', reply);
      await agent.settle();
    }
    assert.equal((await turn).result?.stopReason, 'end_turn');
    const completed = agent.frames.filter(({ method }) => method === 'elicitation/complete');
    return { agent, requests, completed: completed.map(({ params }) => params as JsonObject) };
  };
  const accept = (content: JsonObject): JsonObject => ({ result: { action: 'accept', content } });

  it('uses the modes that the client advertised, and no other', async test => {
    const yes = accept({ colour: 'blue' });
    for (const [elicitation, modes] of [
      [{ form: {} }, ['form']],
      [{ url: {} }, ['url']],
      [{ form: {}, url: {} }, ['form', 'url']],
      [{}, []],
      [{ form: null }, []],
    ] as const) {
      const { agent, requests } = await run(
        test,
        elicitation,
        modes.map(() => yes),
      );
      assert.deepEqual(
        requests.map(({ mode, sessionId }) => [mode, sessionId]),
        modes.map(mode => [mode, agent.sessionId]),
      );
    }
  });

  it('completes a page that was accepted, once, by its id', async test => {
    const { requests, completed } = await run(test, { url: {} }, [{ result: { action: 'accept' } }]);
    assert.deepEqual(completed, [{ elicitationId: requests[0]!.elicitationId }]);
  });

  for (const reply of [
    { result: { action: 'decline' } },
    { result: { action: 'cancel' } },
    { result: { action: 'ponder' } },
    { result: null },
    { error: { code: -32602, message: 'no' } },
  ] as JsonObject[]) {
    it(`does without when the client answers ${JSON.stringify(reply)}`, async test => {
      const { agent, completed } = await run(test, { form: {}, url: {} }, [reply, reply]);
      assert.deepEqual(completed, []);
      assert.match(said(agent), /I choose red.*do without the page/);
    });
  }

  for (const content of [{ colour: 'mauve' }, {}, { colour: 'red', isSure: 'yes' }] as JsonObject[]) {
    it(`checks again what a form returns: ${JSON.stringify(content)} is not taken`, async test => {
      const { agent } = await run(test, { form: {} }, [accept(content)]);
      assert.match(said(agent), /I do not know that colour/);
    });
  }
});

describe('compaction', () => {
  it('goes from in_progress to completed under one id, each time another', async test => {
    const agent = await begin(test, { capabilities: { session: { compaction: {} } } });
    await play(agent, 'compaction');
    await play(agent, 'compaction');
    const updates = agent
      .updates('compaction_update')
      .map(({ compactionId, status }) => [compactionId, status]);
    const [first, second] = [updates[0]![0], updates[2]![0]];
    assert.notEqual(first, second);
    assert.deepEqual(updates, [
      [first, 'in_progress'],
      [first, 'completed'],
      [second, 'in_progress'],
      [second, 'completed'],
    ]);
    assert.equal(agent.updates('compaction_summary_chunk').length, 2);
  });
});
