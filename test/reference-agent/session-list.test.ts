import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../src/wire/index.ts';
import { begin, codeOf, converse, initialize, listed, newSession, promptOf } from './conversation.ts';

describe('session/list', () => {
  it('walks all sessions page by page, each once, the latest first', async test => {
    let time = 0;
    const agent = converse(test, { behaviour: { pageSize: 2 }, now: () => new Date(++time * 1000) });
    await initialize(agent);
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift(await newSession(agent));

    const walked: string[] = [];
    const sizes: number[] = [];
    let cursor: Json | undefined;
    do {
      const { result } = await agent.request('session/list', cursor === undefined ? {} : { cursor });
      const page = result!.sessions as JsonObject[];
      walked.push(...page.map(({ sessionId }) => String(sessionId)));
      sizes.push(page.length);
      cursor = result!.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(walked, made);
    assert.deepEqual(sizes, [2, 2, 1]);
  });

  it('neither repeats nor loses a session when one is made or deleted between two pages', async test => {
    let time = 0;
    const agent = converse(test, { behaviour: { pageSize: 2 }, now: () => new Date(++time * 1000) });
    await initialize(agent);
    const [a, b, c, d] = [
      await newSession(agent),
      await newSession(agent),
      await newSession(agent),
      await newSession(agent),
    ];
    const { result } = await agent.request('session/list', {});
    assert.deepEqual(
      (result!.sessions as JsonObject[]).map(({ sessionId }) => sessionId),
      [d, c],
    );
    await newSession(agent);
    await agent.request('session/delete', { sessionId: c });
    assert.deepEqual(await listed(agent, { cursor: result!.nextCursor }), [b, a]);
  });

  it('filters by cwd before it makes pages', async test => {
    const agent = converse(test, { behaviour: { pageSize: 2 } });
    await initialize(agent);
    const here = [await newSession(agent, { cwd: '/here' })];
    for (let count = 0; count < 3; count++) await newSession(agent, { cwd: '/there' });
    here.push(await newSession(agent, { cwd: '/here' }));
    const { result } = await agent.request('session/list', { cwd: '/here' });
    assert.deepEqual((result!.sessions as JsonObject[]).map(({ sessionId }) => sessionId).sort(), here);
    assert.equal(result!.nextCursor, undefined);
    assert.deepEqual(await listed(agent, { cwd: '/nowhere' }), []);
    assert.equal((await listed(agent, { cwd: null, cursor: null })).length, 2);
  });

  for (const [what, params] of Object.entries({
    'a made-up cursor': { cursor: 'bench-not-a-cursor' },
    'an empty cursor': { cursor: '' },
    'a cursor that is no string': { cursor: 7 },
    'a relative cwd': { cwd: 'here' },
  })) {
    it(`refuses ${what} with -32602`, async test => {
      const agent = await begin(test);
      assert.equal(await codeOf(agent.request('session/list', params)), -32602);
    });
  }

  it('changes nothing and shows title, time and extra roots', async test => {
    const agent = converse(test, { now: () => new Date('2026-01-02T03:04:05Z') });
    await initialize(agent);
    const sessionId = await newSession(agent, { additionalDirectories: ['/b', '/a'] });
    await agent.request('session/prompt', promptOf(sessionId, 'Name me\nafter line one'));
    const first = await agent.request('session/list');
    assert.deepEqual(first.result, (await agent.request('session/list')).result);
    assert.deepEqual(first.result!.sessions, [
      {
        sessionId,
        cwd: '/work',
        title: 'Name me',
        updatedAt: '2026-01-02T03:04:05.000Z',
        additionalDirectories: ['/b', '/a'],
      },
    ]);
  });
});
