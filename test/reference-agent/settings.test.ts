import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../src/wire/index.ts';
import { begin, codeOf, converse, initialize, play } from './conversation.ts';

const currentValueOf = (options: Json | undefined, id: string): Json | undefined =>
  (options as readonly JsonObject[]).find(option => option.id === id)?.currentValue;

describe('session/set_mode', () => {
  it('changes the mode and tells both the mode and the option', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    assert.deepEqual((await agent.request('session/set_mode', { sessionId, modeId: 'code' })).result, {});
    assert.deepEqual(
      agent.updates('current_mode_update').map(({ currentModeId }) => currentModeId),
      ['code'],
    );
    assert.deepEqual(
      agent.updates('config_option_update').map(({ configOptions }) => currentValueOf(configOptions, 'mode')),
      ['code'],
    );
  });

  it('takes the mode that is set already, without a word', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    assert.deepEqual((await agent.request('session/set_mode', { sessionId, modeId: 'ask' })).result, {});
    assert.equal(agent.updates('current_mode_update').length, 0);
  });

  it('refuses an unknown mode with -32602 and keeps the old one', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    assert.equal(
      await codeOf(agent.request('session/set_mode', { sessionId, modeId: 'bench-nope' })),
      -32602,
    );
    assert.equal(await codeOf(agent.request('session/set_mode', { sessionId })), -32602);
    const { result } = await agent.request('session/resume', { sessionId, cwd: '/work' });
    assert.equal((result!.modes as JsonObject).currentModeId, 'ask');
  });

  it('works while a turn runs', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    const turn = play(agent, 'slow-turn');
    assert.deepEqual((await agent.request('session/set_mode', { sessionId, modeId: 'code' })).result, {});
    agent.notify('session/cancel', { sessionId });
    assert.equal((await turn).result?.stopReason, 'cancelled');
  });

  it('does not exist where the behaviour has no modes, nor does the option', async test => {
    const agent = converse(test, { behaviour: { modes: false } });
    await initialize(agent);
    const { result } = await agent.request('session/new', { cwd: '/work', mcpServers: [] });
    const { sessionId } = result!;
    assert.equal(result!.modes, undefined);
    assert.equal(currentValueOf(result!.configOptions, 'mode'), undefined);
    assert.equal(await codeOf(agent.request('session/set_mode', { sessionId, modeId: 'ask' })), -32601);
  });
});

describe('session/set_config_option', () => {
  it('answers with the complete list and tells the change', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    const { result } = await agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'large',
    });
    assert.deepEqual(
      (result!.configOptions as JsonObject[]).map(({ id, currentValue }) => [id, currentValue]),
      [
        ['mode', 'ask'],
        ['model', 'large'],
        ['thought', 'low'],
      ],
    );
    assert.deepEqual(
      agent.updates('config_option_update').map(update => update.configOptions),
      [result!.configOptions],
    );
  });

  it('changes the mode through its option', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    await agent.request('session/set_config_option', { sessionId, configId: 'mode', value: 'code' });
    assert.deepEqual(
      agent.updates('current_mode_update').map(({ currentModeId }) => currentModeId),
      ['code'],
    );
  });

  it('has a switch for clients that know switches, and for them alone', async test => {
    const set = { configId: 'brief', type: 'boolean', value: true };
    const knows = await begin(test, { capabilities: { session: { configOptions: { boolean: {} } } } });
    const { result } = await knows.request('session/set_config_option', {
      sessionId: knows.sessionId,
      ...set,
    });
    assert.equal(currentValueOf(result!.configOptions, 'brief'), true);

    const other = await begin(test);
    assert.equal(
      await codeOf(other.request('session/set_config_option', { sessionId: other.sessionId, ...set })),
      -32602,
    );
    assert.doesNotMatch(JSON.stringify(other.frames), /boolean/);
  });

  for (const [what, params] of Object.entries({
    'an unknown option': { configId: 'bench-nope', value: 'large' },
    'a value that the option does not have': { configId: 'model', value: 'huge' },
    'a boolean for a choice': { configId: 'model', type: 'boolean', value: true },
    'a switch without its type': { configId: 'brief', value: true },
    'a switch with a text': { configId: 'brief', type: 'boolean', value: 'true' },
    'no value': { configId: 'model' },
  } as Record<string, JsonObject>)) {
    it(`refuses ${what} with -32602 and changes nothing`, async test => {
      const agent = await begin(test, { capabilities: { session: { configOptions: { boolean: {} } } } });
      const { sessionId } = agent;
      assert.equal(
        await codeOf(agent.request('session/set_config_option', { sessionId, ...params })),
        -32602,
      );
      assert.equal(agent.updates('config_option_update').length, 0);
    });
  }

  it('does not exist where the behaviour has no options', async test => {
    const agent = converse(test, { behaviour: { configOptions: false }, accepts: ['CFG-14'] });
    await initialize(agent);
    const { result } = await agent.request('session/new', { cwd: '/work', mcpServers: [] });
    assert.equal(result!.configOptions, undefined);
    const params = { sessionId: result!.sessionId, configId: 'model', value: 'large' };
    assert.equal(await codeOf(agent.request('session/set_config_option', params)), -32601);
    await agent.request('session/set_mode', { sessionId: result!.sessionId, modeId: 'code' });
    assert.equal(agent.updates('config_option_update').length, 0);
  });
});

describe('What is set', () => {
  it('is kept with the session', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    await agent.request('session/set_mode', { sessionId, modeId: 'code' });
    await agent.request('session/set_config_option', { sessionId, configId: 'thought', value: 'high' });
    await agent.request('session/close', { sessionId });
    const { result } = await agent.request('session/load', { sessionId, cwd: '/work', mcpServers: [] });
    assert.equal((result!.modes as JsonObject).currentModeId, 'code');
    assert.equal(currentValueOf(result!.configOptions, 'mode'), 'code');
    assert.equal(currentValueOf(result!.configOptions, 'thought'), 'high');
  });
});
