import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { triggerNames } from '../../src/reference-agent/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { allCapabilities, begin, play, promptOf, said } from './conversation.ts';
import { optionOf, workspace } from './turn-fixtures.ts';

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
