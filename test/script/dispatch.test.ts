import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Script } from '../../src/script/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import {
  agent,
  answering,
  decisions,
  inSession,
  type Options,
  type Other,
  paramsOf,
  permissionRequest,
  run,
  update,
} from './world.ts';

/** A turn in which the agent sends these frames before its answer. */
const turn = (...frames: JsonObject[]): NonNullable<Options['onFrame']> =>
  agent((frame, other) => {
    if (frame.method !== 'session/prompt') return;
    for (const one of frames) other.send(one);
  });
const prompt = { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } } as const;
const responses = (sent: readonly JsonObject[]) =>
  sent.filter(frame => frame.method === undefined).map(({ id, result }) => [id, result]);

describe('the actor behind the script', () => {
  it('gets every line that the script leaves, and its answers go out', async () => {
    const { factory, got } = answering({ by: 'actor' });
    const { sent, entries } = await run(inSession([prompt, { expect: { method: '_end' } }]), {
      actor: factory,
      onFrame: turn(permissionRequest(7), update('a'), { jsonrpc: '2.0', method: '_end' }),
    });
    assert.deepEqual(got, ['session/request_permission', 'session/update', 'disposed']);
    assert.deepEqual(responses(sent), [[7, { by: 'actor' }]]);
    assert.ok(entries.some(entry => entry.channel === 'acp' && entry.by === 'fixture'));
  });

  it('hears of every frame that the script sends on the connection that they share', async () => {
    const heard: string[] = [];
    await run(inSession([prompt, { notify: 'session/cancel', params: { sessionId: 's-1' } }]), {
      actor: () => ({
        receive() {},
        ended() {},
        dispose: async () => {},
        sent: frame => void heard.push(String(frame.method)),
      }),
      onFrame: turn(),
    });
    assert.deepEqual(heard, ['initialize', 'session/new', 'session/prompt', 'session/cancel']);
  });

  it('gets malformed lines, answers to its own requests, and the end of output, but no answers to the script', async () => {
    const { got } = await (async () => {
      const lines: string[] = [];
      await run(
        { role: 'agent', steps: [{ request: '_script', as: 'x' }, { expect: { response: 'x' } }] },
        {
          actor(host) {
            host.send({ jsonrpc: '2.0', id: 1, method: '_actor' });
            return {
              receive: line => void lines.push(line.kind === 'frame' ? String(line.value.id) : line.fault),
              ended() {
                lines.push('eof');
                host.exit(0);
              },
              dispose: async () => {},
            };
          },
          onFrame(frame, other) {
            other.answer(frame, {});
            if (frame.method !== '_script') return;
            other.write('rubbish\n');
            other.end();
          },
        },
      );
      return { got: lines };
    })();
    assert.deepEqual(got, ['1', 'not-json', 'eof']);
  });
});

describe('requests that steps name', () => {
  it('are never answered automatically: by a later expect, collect, hold or either', async () => {
    const waits: Script['steps'][] = [
      [{ expect: { method: '_end' } }, { expect: { method: 'session/request_permission' }, as: 'p' }],
      [
        { expect: { method: '_end' } },
        {
          collect: { as: 'p', match: { method: 'session/request_permission' }, until: { method: '_end' } },
          within: '5ms',
        },
      ],
      [{ hold: ['session/request_permission'] }, { expect: { method: '_end' } }],
      [{ expect: { method: '_end' } }, { hold: ['session/request_permission'] }],
      [
        { expect: { method: '_end' } },
        { either: [{ when: { received: { method: 'session/request_permission' } } }, { else: true }] },
      ],
    ];
    for (const steps of waits) {
      const { factory, got } = answering();
      await run(inSession([prompt, ...steps!]), {
        actor: factory,
        onFrame: turn(permissionRequest(7), { jsonrpc: '2.0', method: '_end' }),
      });
      assert.ok(!got.includes('session/request_permission'), JSON.stringify(steps));
    }
  });

  it('only if their content may match', async () => {
    const { factory, got } = answering();
    const { result } = await run(
      inSession([
        prompt,
        { expect: { method: '_end' } },
        {
          expect: { method: 'session/request_permission', params: { sessionId: '$s.sessionId' } },
          as: 'mine',
        },
      ]),
      {
        actor: factory,
        onFrame: turn(permissionRequest(7, 's-2'), permissionRequest(8), { jsonrpc: '2.0', method: '_end' }),
      },
    );
    assert.deepEqual(got.filter(name => name === 'session/request_permission').length, 1);
    assert.equal((result.saved.mine as JsonObject).id, 8);
  });

  it('are answered automatically once the steps that named them are over', async () => {
    const { factory } = answering({ by: 'actor' });
    const { sent } = await run(
      inSession([
        prompt,
        { expect: { method: 'session/request_permission' }, as: 'p' },
        { respond: '$p.id', result: { by: 'script' } },
        { expect: { method: '_end' } },
      ]),
      {
        actor: factory,
        onFrame: agent((frame, other) => {
          if (frame.method === 'session/prompt') {
            other.send(permissionRequest(7));
            other.send(permissionRequest(8));
          }
          if (frame.id === 8) other.send({ jsonrpc: '2.0', method: '_end' });
        }),
      },
    );
    assert.deepEqual(responses(sent), [
      [7, { by: 'script' }],
      [8, { by: 'actor' }],
    ]);
  });

  it('that are notifications do not reach the actor either', async () => {
    const { factory, got } = answering();
    await run(
      { role: 'agent', steps: [{ hold: ['session/cancel'] }] },
      {
        actor: factory,
        onStart(other) {
          other.send({ jsonrpc: '2.0', method: 'session/cancel' });
          other.send({ jsonrpc: '2.0', method: '_other' });
          other.end();
        },
      },
    );
    assert.deepEqual(got, ['_other', 'eof', 'disposed']);
  });

  it('only in "unless" are answered, and end the wait', async () => {
    const { factory, got } = answering();
    const { result } = await run(
      inSession([
        prompt,
        {
          expect: { response: 'turn' },
          unless: [{ match: { method: 'session/request_permission' }, verdict: 'inconclusive' }],
        },
      ]),
      { actor: factory, onFrame: turn(permissionRequest(7)) },
    );
    assert.equal(result.verdict, 'inconclusive');
    assert.ok(got.includes('session/request_permission'));
  });

  it('in a branch that was not taken count no more', async () => {
    const { factory, got } = answering();
    await run(
      inSession([
        prompt,
        {
          either: [
            { when: { received: { method: '_go' } }, steps: [{ expect: { method: '_end' } }] },
            { else: true, steps: [{ expect: { method: 'session/request_permission' } }] },
          ],
        },
      ]),
      {
        actor: factory,
        onFrame: turn({ jsonrpc: '2.0', method: '_go' }, permissionRequest(7), {
          jsonrpc: '2.0',
          method: '_end',
        }),
      },
    );
    assert.ok(got.includes('session/request_permission'));
  });
});

describe('handlers', () => {
  const permission = (steps: NonNullable<Script['handlers']>[number]['steps'], more = {}) => ({
    handlers: [{ match: { method: 'session/request_permission' }, steps, ...more }],
  });

  it('take requests before the actor, as often as they may', async () => {
    const { factory } = answering({ by: 'actor' });
    const { sent } = await run(
      inSession(
        [prompt, { expect: { method: '_end' } }],
        permission([{ respond: '$request.id', result: { session: '$session.cwd' } }], { times: 1 }),
      ),
      {
        actor: factory,
        onFrame: turn(permissionRequest(7), permissionRequest(8), { jsonrpc: '2.0', method: '_end' }),
      },
    );
    assert.deepEqual(responses(sent), [
      [7, { session: '/work/space' }],
      [8, { by: 'actor' }],
    ]);
  });

  it('with "after" take nothing before the counterparty has sent a frame, nor that frame', async () => {
    const frames = [permissionRequest(7), permissionRequest(8, 's-2'), permissionRequest(9)];
    const { sent } = await run(
      inSession(
        [prompt, { expect: { method: '_end' } }],
        permission([{ respond: '$request.id', result: 'late' }], {
          after: { method: 'session/request_permission', params: { sessionId: 's-2' } },
        }),
      ),
      { onFrame: turn(...frames, { jsonrpc: '2.0', method: '_end' }) },
    );
    assert.deepEqual(responses(sent), [[9, 'late']]);
  });

  it('take the n-th request where they name one', async () => {
    const { sent } = await run(
      inSession([prompt, { expect: { method: '_end' } }], {
        handlers: [
          {
            match: { method: 'session/request_permission', nth: 2 },
            steps: [{ respond: '$request.id', result: 'second' }],
          },
        ],
      }),
      {
        onFrame: turn(permissionRequest(7), permissionRequest(8), permissionRequest(9), {
          jsonrpc: '2.0',
          method: '_end',
        }),
      },
    );
    assert.deepEqual(responses(sent), [[8, 'second']]);
  });

  it("run at the same time, each with its own session's frames and values", async () => {
    const script: Partial<Script> = {
      role: 'agent',
      handlers: [
        {
          match: { method: 'session/new' },
          steps: [{ respond: '$request.id', result: { sessionId: 's-${request.id}' } }],
        },
        {
          match: { method: 'session/prompt' },
          steps: [
            {
              request: 'session/request_permission',
              as: 'ask',
              params: { sessionId: '$request.params.sessionId' },
            },
            { expect: { response: 'ask' }, as: 'answer' },
            { expect: { method: 'session/cancel' } },
            { respond: '$request.id', result: { cwd: '$session.cwd', answer: '$answer.result' } },
            { signal: 'over' },
          ],
        },
      ],
      steps: [{ await: 'over', count: 2 }, { notify: '_both' }],
    };
    const send = (other: Other, id: number, method: string, params: JsonObject) =>
      other.send({ jsonrpc: '2.0', id, method, params });
    const { sent } = await run(script, {
      onStart(other) {
        send(other, 1, 'session/new', { cwd: '/one', mcpServers: [] });
        send(other, 2, 'session/new', { cwd: '/two', mcpServers: [] });
        send(other, 3, 'session/prompt', { sessionId: 's-1' });
        send(other, 4, 'session/prompt', { sessionId: 's-2' });
      },
      onFrame(frame, other) {
        if (frame.id === 'script-2') {
          // The second is cancelled and answered first.
          other.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's-2' } });
          other.answer({ id: 'script-2' }, 'two');
          other.answer({ id: 'script-1' }, 'one');
          other.send({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's-1' } });
        }
        if (frame.method === '_both') other.end();
      },
    });
    assert.deepEqual(responses(sent).slice(2), [
      [4, { cwd: '/two', answer: 'two' }],
      [3, { cwd: '/one', answer: 'one' }],
    ]);
    assert.equal(sent.at(-1)?.method, '_both');
  });

  it('can decide requirements, and their waits block the scenario', async () => {
    const decided = await run(
      inSession(
        [prompt, { await: 'done' }],
        permission([
          {
            assert: {
              of: 'request',
              is: { params: { options: [{ kind: 'allow_once' }] } },
              checks: ['PERM-03'],
            },
          },
          { signal: 'done' },
        ]),
      ),
      { onFrame: turn(permissionRequest(7)) },
    );
    assert.equal(decisions(decided), '+PERM-03');
    const blocked = await run(
      inSession(
        [prompt, { expect: { method: '_never' }, within: '1m' }],
        permission([{ await: 'never', within: '5ms' }]),
      ),
      { onFrame: turn(permissionRequest(7)) },
    );
    assert.deepEqual(
      [blocked.result.verdict, blocked.result.reason],
      ['blocked', 'the signal "never" did not come within 5ms'],
    );
  });
});

describe('an agent script', () => {
  it('ends with the actor, which learns of the end of input', async () => {
    const { factory, got } = answering();
    const { result, calls } = await run(
      { role: 'agent', steps: [{ notify: '_hello' }] },
      { actor: factory, onFrame: (_, other) => other.end() },
    );
    assert.deepEqual(got, ['eof', 'disposed']);
    assert.deepEqual(calls, ['started', 'exit 0']);
    assert.equal(result.verdict, 'done');
  });

  it('keeps the end of input from the actor when a step takes it', async () => {
    const { factory, got } = answering();
    const { calls } = await run(
      { role: 'agent', steps: [{ expect: { event: 'eof' } }, { exit: 5 }] },
      { actor: factory, onStart: other => other.end() },
    );
    assert.deepEqual(got, ['disposed']);
    assert.deepEqual(calls, ['started', 'exit 5']);
  });

  it('goes on when a thread of it cannot, and tells the first that could not', async () => {
    const { result, sent, notes } = await run(
      {
        role: 'agent',
        handlers: [
          {
            match: { method: '_ask' },
            steps: [
              { expect: { method: '_more' }, within: '5ms' },
              { respond: '$request.id', result: {} },
            ],
          },
        ],
        steps: [{ quiet: { match: { event: 'eof' }, for: '20ms' } }, { notify: '_still-here' }],
      },
      {
        onStart: other => other.send({ jsonrpc: '2.0', id: 1, method: '_ask' }),
        onFrame: (_, other) => other.end(),
      },
    );
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['_still-here'],
    );
    assert.deepEqual([result.verdict, result.reason], ['blocked', '_more did not come within 5ms']);
    assert.deepEqual(notes, ['{"event":"note","text":"handlers[0]#1 ended: _more did not come within 5ms"}']);
  });

  it('knows the client by its initialize params', async () => {
    const { sent } = await run(
      {
        role: 'agent',
        handlers: [
          {
            match: { method: '_ask' },
            steps: [{ respond: '$request.id', result: '$client.clientInfo.name' }],
          },
        ],
      },
      {
        actor: answering({ protocolVersion: 1 }).factory,
        onStart(other) {
          const params = { protocolVersion: 1, clientInfo: { name: 'editor', version: '1' } };
          other.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
          other.send({ jsonrpc: '2.0', id: 2, method: '_ask' });
        },
        onFrame: (frame, other) => frame.id === 2 && other.end(),
      },
    );
    assert.deepEqual(responses(sent)[1], [2, 'editor']);
    assert.deepEqual(paramsOf(sent[0]), {});
  });
});
