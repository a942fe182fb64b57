import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../src/wire/index.ts';
import { begin, codeOf, newSession, play, promptOf, said } from './conversation.ts';

const blocks = {
  text: { type: 'text', text: 'hi' },
  resource_link: { type: 'resource_link', uri: 'file:///work/a.txt', name: 'a.txt' },
  image: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
  audio: { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
  'text resource': { type: 'resource', resource: { uri: 'file:///work/a.txt', text: 'a' } },
  'blob resource': { type: 'resource', resource: { uri: 'file:///work/a.bin', blob: 'AA==' } },
} satisfies Record<string, JsonObject>;

describe('session/prompt', () => {
  it('streams one message in chunks of one id and ends the turn', async test => {
    const agent = await begin(test);
    const { result } = await agent.request(
      'session/prompt',
      promptOf(agent.sessionId, 'Guten Tag 🌍\r\nZeile'),
    );
    assert.deepEqual(result, { stopReason: 'end_turn' });
    assert.equal(said(agent), 'You said: Guten Tag 🌍\r\nZeile.');
    const ids = (kind: string) => new Set(agent.updates(kind).map(({ messageId }) => messageId));
    assert.equal(ids('agent_message_chunk').size, 1);
    assert.equal(ids('agent_thought_chunk').size, 1);
    assert.notDeepEqual(ids('agent_message_chunk'), ids('agent_thought_chunk'));
    assert.equal(agent.frames.at(-1)?.result, result);
  });

  it('gives each message an id of its own, over all turns', async test => {
    const agent = await begin(test);
    for (const text of ['one', 'two']) await agent.request('session/prompt', promptOf(agent.sessionId, text));
    assert.equal(new Set(agent.updates('agent_message_chunk').map(({ messageId }) => messageId)).size, 2);
  });

  it('names the session once, and tells the use of the context each turn', async test => {
    const agent = await begin(test);
    for (const text of ['First words\nmore', 'Other words']) {
      await agent.request('session/prompt', promptOf(agent.sessionId, text));
    }
    assert.deepEqual(agent.updates('session_info_update'), [
      { sessionUpdate: 'session_info_update', title: 'First words' },
    ]);
    const usage = agent.updates('usage_update');
    assert.equal(usage.length, 2);
    assert.ok(usage.every(({ used, size }) => Number(used) > 0 && Number(used) <= Number(size)));
    assert.deepEqual(usage.at(-1)!.cost, { amount: 0.02, currency: 'USD' });
  });

  for (const [kind, block] of Object.entries(blocks)) {
    it(`takes ${kind} content`, async test => {
      const agent = await begin(test);
      const { result } = await agent.request('session/prompt', {
        sessionId: agent.sessionId,
        prompt: [block],
      });
      assert.equal(result?.stopReason, 'end_turn');
    });
  }

  for (const [kind, capability] of [
    ['image', 'image'],
    ['audio', 'audio'],
    ['text resource', 'embeddedContext'],
  ] as const) {
    it(`refuses ${kind} content with -32602 where it is not advertised`, async test => {
      const agent = await begin(test, { behaviour: { capabilities: { [capability]: false } } });
      const attempt = (prompt: JsonObject[]) =>
        agent.request('session/prompt', { sessionId: agent.sessionId, prompt });
      assert.equal(await codeOf(attempt([blocks.text, blocks[kind]])), -32602);
      assert.equal((await attempt([blocks.text, blocks.resource_link])).result?.stopReason, 'end_turn');
    });
  }

  for (const [what, prompt] of Object.entries({
    'no prompt': undefined,
    'a prompt that is a text': 'hello',
    'a block that is a text': ['hello'],
    'a block of unknown type': [{ type: 'smell', data: 'x' }],
    'a text block without text': [{ type: 'text' }],
    'an image without mimeType': [{ type: 'image', data: 'AA==' }],
    'a resource without its resource': [{ type: 'resource' }],
  })) {
    it(`refuses ${what} with -32602, and stays usable`, async test => {
      const agent = await begin(test);
      const { sessionId } = agent;
      assert.equal(await codeOf(agent.request('session/prompt', { sessionId, prompt })), -32602);
      assert.equal(
        (await agent.request('session/prompt', promptOf(sessionId, 'hi'))).result?.stopReason,
        'end_turn',
      );
    });
  }

  it('answers an empty prompt', async test => {
    const agent = await begin(test);
    const { result } = await agent.request('session/prompt', { sessionId: agent.sessionId, prompt: [] });
    assert.equal(result?.stopReason, 'end_turn');
    assert.equal(agent.updates('session_info_update').length, 0);
  });

  it('takes a prompt of a mebibyte and repeats only its beginning', async test => {
    const agent = await begin(test);
    const text = '🌍'.repeat(2 ** 18);
    const { result } = await agent.request('session/prompt', promptOf(agent.sessionId, text));
    assert.equal(result?.stopReason, 'end_turn');
    assert.equal(said(agent), `You said: ${'🌍'.repeat(200)}.`);
  });

  it('refuses a second prompt while a turn runs, and goes on with the first', async test => {
    const agent = await begin(test);
    const { sessionId } = agent;
    const first = play(agent, 'slow-turn');
    assert.equal(await codeOf(agent.request('session/prompt', promptOf(sessionId, 'me too'))), -32600);
    agent.notify('session/cancel', { sessionId });
    assert.equal((await first).result?.stopReason, 'cancelled');
  });

  it('runs turns of two sessions side by side', async test => {
    const agent = await begin(test);
    const other = { ...agent, sessionId: await newSession(agent) };
    const slow = play(agent, 'slow-turn');
    const { result } = await agent.request('session/prompt', promptOf(other.sessionId, 'hi'));
    assert.equal(result?.stopReason, 'end_turn');
    const held = play(other, 'slow-turn');
    agent.notify('session/cancel', { sessionId: agent.sessionId });
    assert.equal((await slow).result?.stopReason, 'cancelled');
    agent.notify('session/cancel', { sessionId: other.sessionId });
    assert.equal((await held).result?.stopReason, 'cancelled');
  });
});

describe('Commands', () => {
  it('run when a prompt begins with their name', async test => {
    const agent = await begin(test);
    await agent.request('session/prompt', promptOf(agent.sessionId, '/echo two\nlines'));
    assert.equal(said(agent), 'two\nlines');
    await agent.request('session/prompt', promptOf(agent.sessionId, '/status'));
    assert.match(said(agent), /Turn 2 in \/work, mode ask\.$/);
  });

  it('that nobody advertised are words like others', async test => {
    const agent = await begin(test);
    await agent.request('session/prompt', promptOf(agent.sessionId, '/unknown thing'));
    assert.equal(said(agent), 'You said: /unknown thing.');
    const without = await begin(test, { behaviour: { commands: false } });
    await without.request('session/prompt', promptOf(without.sessionId, '/echo a'));
    assert.equal(said(without), 'You said: /echo a.');
    assert.equal(without.updates('available_commands_update').length, 0);
  });
});

describe('A behaviour', () => {
  it('can leave out message ids, usage and titles', async test => {
    const agent = await begin(test, { behaviour: { messageIds: false, usage: false, titles: false } });
    await agent.request('session/prompt', promptOf(agent.sessionId, 'hi'));
    assert.doesNotMatch(JSON.stringify(agent.updates()), /messageId|usage_update|session_info_update/);
  });

  it('can choose what a prompt without a trigger does', async test => {
    const agent = await begin(test, { behaviour: { turn: 'refusal' } });
    const { result } = await agent.request('session/prompt', promptOf(agent.sessionId, 'hi'));
    assert.equal(result?.stopReason, 'refusal');
  });

  it('can answer with another version and name', async test => {
    const agent = await begin(test, { behaviour: { info: { name: 'other', version: '9' } } });
    const { agentInfo } = agent.frames[0]!.result as JsonObject;
    assert.deepEqual(agentInfo, { name: 'other', title: 'Reference agent', version: '9' });
  });
});
