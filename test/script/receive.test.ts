import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Script } from '../../src/script/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { agent, decisions, inSession, run, update } from './world.ts';

const note = (n: number): JsonObject => ({ jsonrpc: '2.0', method: '_note', params: { n } });

describe('expect', () => {
  it('takes the oldest match, leaves the rest, and saves the frame', async () => {
    const { result } = await run(
      {
        steps: [
          { expect: { method: '_note', params: { n: 2 } }, as: 'two' },
          { expect: { method: '_note' }, as: 'one' },
          { expect: { method: '_note' }, as: 'three' },
        ],
      },
      { onStart: other => [1, 2, 3].forEach(n => void other.send(note(n))) },
    );
    assert.deepEqual(result.saved, { two: note(2), one: note(1), three: note(3) });
  });

  it('takes any of a set of alternatives', async () => {
    const world = await run(
      { steps: [{ expect: [{ method: '_other' }, { method: '_note' }], checks: ['CANCEL-02'] }] },
      { onStart: other => other.send(note(1)) },
    );
    assert.equal(decisions(world), '+CANCEL-02');
    assert.deepEqual(world.exercised, ['CANCEL-02']);
  });

  it('nth takes the n-th match and leaves those before', async () => {
    const { result } = await run(
      {
        steps: [
          { expect: { method: '_note', nth: 2 }, as: 'second' },
          { expect: { method: '_note' }, as: 'first' },
        ],
      },
      { onStart: other => [1, 2].forEach(n => void other.send(note(n))) },
    );
    assert.deepEqual(result.saved, { second: note(2), first: note(1) });
  });

  it('count takes that many and saves a list', async () => {
    const { result } = await run(
      { steps: [{ expect: { method: '_note' }, count: 2, as: 'both' }] },
      { onStart: other => [1, 2, 3].forEach(n => void other.send(note(n))) },
    );
    assert.deepEqual(result.saved.both, [note(1), note(2)]);
  });

  it('tells ids apart by type, and tests $match leaves by schema', async () => {
    const { result } = await run(
      {
        steps: [
          { expect: { id: '7' }, as: 'text' },
          { expect: { id: 7, result: { $match: { type: 'string', minLength: 3 } } }, as: 'number' },
        ],
      },
      {
        onStart(other) {
          other.send({ jsonrpc: '2.0', id: 7, result: 'no' });
          other.send({ jsonrpc: '2.0', id: '7', result: 'text' });
          other.send({ jsonrpc: '2.0', id: 7, result: 'yes' });
        },
      },
    );
    assert.deepEqual(result.saved.text, { jsonrpc: '2.0', id: '7', result: 'text' });
    assert.deepEqual(result.saved.number, { jsonrpc: '2.0', id: 7, result: 'yes' });
  });

  it('matches the response to an exchange, a second one too, and any response to a method', async () => {
    const { result } = await run(
      {
        steps: [
          { request: '_a', as: 'a' },
          { request: '_b', as: 'b' },
          { expect: { responseTo: '_b' }, as: 'toB' },
          { expect: { response: 'a' }, as: 'first' },
          { expect: { response: 'a' }, as: 'second' },
        ],
      },
      {
        onFrame(frame, other) {
          other.answer(frame, 1);
          if (frame.method === '_a') other.answer(frame, 2);
        },
      },
    );
    assert.deepEqual(result.saved.first, { jsonrpc: '2.0', id: 0, result: 1 });
    assert.deepEqual(result.saved.second, { jsonrpc: '2.0', id: 0, result: 2 });
    assert.deepEqual(result.saved.toB, { jsonrpc: '2.0', id: 1, result: 1 });
    assert.deepEqual((result.saved.a as JsonObject).response, { jsonrpc: '2.0', id: 0, result: 1 });
  });

  it('matches the end of output, an exit with its code, and a malformed line with its fault', async () => {
    const { result } = await run(
      {
        steps: [
          { expect: { event: 'malformed', fault: 'not-json' }, as: 'line' },
          { expect: { event: 'exit', code: { $match: { minimum: 1 } } }, as: 'exit' },
          { expect: { event: 'eof' } },
        ],
      },
      {
        onStart(other) {
          other.write('Welcome!\n');
          other.exit(4);
        },
      },
    );
    assert.equal(result.verdict, 'done');
    assert.deepEqual(result.saved.line, { event: 'malformed', fault: 'not-json', text: 'Welcome!' });
    assert.deepEqual(result.saved.exit, { event: 'exit', code: 4, signal: null });
  });

  it('violates its checks after the time limit, with the nearest miss, and ends the script', async () => {
    const { result, sent } = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          { expect: { method: '_note', params: { n: 2 } }, within: '30ms', checks: ['UPD-01'] },
          { notify: '_never' },
        ],
      },
      { onStart: other => [5, 1].forEach(n => void other.send(note(n))) },
    );
    assert.equal(result.verdict, 'done');
    assert.equal(sent.length, 1);
    assert.deepEqual(result.decided, [
      {
        requirement: 'UPD-01',
        outcome: 'fail',
        evidence: {
          detail:
            '_note did not come within 30ms; closest was #6 {"jsonrpc":"2.0","method":"_note","params":{"n":1}}: /params/n is 1, expected 2',
          expected: '{"method":"_note","params":{"n":2}}',
          after: 3,
          actual: note(1),
          timedOut: true,
        },
      },
    ]);
  });

  it('ends at once when the agent ends', async () => {
    const { result, entries } = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          { expect: { response: 'x' }, checks: ['RPC-05'] },
        ],
      },
      { onFrame: (_, other) => other.exit(1) },
    );
    const [decision] = result.decided;
    assert.deepEqual(decision?.evidence, {
      detail: 'the agent ended before the response to _x came',
      expected: '{"response":"x"}',
      after: 3,
      ended: true,
    });
    assert.ok(!entries.some(entry => entry.channel === 'bench' && entry.what.event === 'timer'));
  });

  it('ends at once when the expected response has other content, which is the evidence', async () => {
    const { result } = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          { expect: { response: 'x', result: { stopReason: 'cancelled' } }, checks: ['CANCEL-02'] },
        ],
      },
      { onFrame: (frame, other) => other.answer(frame, { stopReason: 'end_turn' }) },
    );
    const { message, ...evidence } = result.decided[0]!.evidence!;
    assert.equal(message?.type, 'result');
    assert.deepEqual(evidence, {
      detail:
        'the response to _x is not as expected; closest was #5 {"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}: /result/stopReason is "end_turn", expected "cancelled"',
      expected: '{"response":"x","result":{"stopReason":"cancelled"}}',
      seq: 5,
      after: 3,
      actual: { jsonrpc: '2.0', id: 0, result: { stopReason: 'end_turn' } },
      pointer: '/result/stopReason',
    });
  });

  it('blocks the script when nothing is checked, by the requirement that it leaned on', async () => {
    for (const [method, blockedBy] of [
      ['_x', 'RPC-05'],
      ['session/prompt', 'PROMPT-08'],
    ] as const) {
      const { result } = await run({
        steps: [
          { request: method, as: 'x' },
          { expect: { response: 'x' }, within: '1ms' },
        ],
      });
      assert.deepEqual(
        [result.verdict, result.blockedBy, result.reason],
        ['blocked', blockedBy, `the response to ${method} did not come within 1ms`],
      );
    }
  });

  it('blocks without a requirement when what it waits for is no response', async () => {
    const { result } = await run({ steps: [{ expect: { method: '_x' }, within: '1ms' }] });
    assert.deepEqual([result.verdict, result.blockedBy], ['blocked', undefined]);
  });
});

describe('unless', () => {
  const script = (unless: object) =>
    inSession([
      {
        request: 'session/prompt',
        as: 'turn',
        params: { sessionId: '$s.sessionId', text: '$trigger.permission' },
      },
      {
        expect: { method: 'session/request_permission' },
        unless: [{ match: { response: 'turn' }, ...unless }],
      },
    ]);
  const options = {
    onFrame: agent((frame, other) => other.answer(frame, { stopReason: 'end_turn' })),
    bindings: { triggers: { permission: 'Please ask' } },
  };

  it('ends a wait at once with its verdict, and a trigger is noted as not fired', async () => {
    const { result, notes } = await run(script({ verdict: 'not-exercised' }), options);
    assert.deepEqual(
      [result.verdict, result.reason],
      [
        'not-exercised',
        'the trigger "permission" did not fire: the response to session/prompt came instead of session/request_permission',
      ],
    );
    assert.deepEqual(notes, ['{"event":"trigger","trigger":"permission","fired":false}']);
  });

  it('can fail requirements, in a situation', async () => {
    const world = await run(script({ fails: ['PERM-01'], situation: 'valid-result' }), options);
    assert.equal(decisions(world), '-PERM-01');
    assert.equal(world.result.decided[0]?.evidence?.situation, 'valid-result');
    assert.equal(world.result.verdict, 'done');
  });

  it('without either blocks as any wait that was not met', async () => {
    const { result } = await run(script({}), options);
    assert.deepEqual([result.verdict, result.blockedBy], ['blocked', 'PROMPT-08']);
  });

  it('sees what came before the wait began', async () => {
    const { result } = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          { expect: { method: '_after' } },
          { expect: { method: '_y' }, unless: [{ match: { response: 'x' }, verdict: 'inconclusive' }] },
        ],
      },
      {
        onFrame(frame, other) {
          other.answer(frame, {});
          other.send({ jsonrpc: '2.0', method: '_after' });
        },
      },
    );
    assert.equal(result.verdict, 'inconclusive');
  });
});

describe('triggers', () => {
  it('that do not fire make the script not-exercised', async () => {
    const { result, notes } = await run(
      { steps: [{ request: '_x', params: { text: '$trigger.plan' } }, { expect: { method: '_plan' } }] },
      { bindings: { triggers: { plan: 'Make a plan' } } },
    );
    assert.deepEqual(
      [result.verdict, result.reason],
      ['not-exercised', 'the trigger "plan" did not fire: _plan did not come within 5s'],
    );
    assert.deepEqual(notes, ['{"event":"trigger","trigger":"plan","fired":false}']);
  });

  it('that fire are noted', async () => {
    const { notes } = await run(
      { steps: [{ request: '_x', params: { text: '$trigger.plan' } }, { expect: { method: '_note' } }] },
      { bindings: { triggers: { plan: 'Make a plan' } }, onFrame: (_, other) => other.send(note(1)) },
    );
    assert.deepEqual(notes, ['{"event":"trigger","trigger":"plan","fired":true}']);
  });

  it('that are not declared, and a missing prompt, make it not-exercised too', async () => {
    const trigger = await run({ steps: [{ request: '_x', params: { text: '$trigger.plan' } }] });
    assert.deepEqual(
      [trigger.result.verdict, trigger.result.reason],
      ['not-exercised', 'no trigger "plan" is declared'],
    );
    const prompt = await run({ steps: [{ request: '_x', params: { text: '$prompt' } }] });
    assert.deepEqual(
      [prompt.result.verdict, prompt.result.reason],
      ['not-exercised', 'no prompt text is declared'],
    );
  });
});

describe('collect', () => {
  const script = inSession([
    { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
    {
      collect: {
        as: 'all',
        match: { method: 'session/update', params: { sessionId: '$s.sessionId' } },
        until: { response: 'turn' },
      },
      checks: ['PROMPT-08'],
      within: '50ms',
    },
    { expect: { method: 'session/update' }, as: 'left' },
  ]);

  it('takes all that match until the end, and leaves the rest', async () => {
    const world = await run(script, {
      onFrame: agent((frame, other) => {
        other.send(update('a'));
        other.send(update('b', 's-2'));
        other.send(update('c'));
        other.answer(frame, { stopReason: 'end_turn' });
      }),
    });
    assert.deepEqual(world.result.saved.all, [update('a'), update('c')]);
    assert.deepEqual(world.result.saved.left, update('b', 's-2'));
    assert.equal(decisions(world), '+PROMPT-08');
  });

  it('violates its checks when the end does not come', async () => {
    const world = await run(script, { onFrame: agent((_, other) => other.send(update('a'))) });
    assert.equal(decisions(world), '-PROMPT-08');
    assert.deepEqual(world.result.saved.all, [update('a')]);
    assert.equal(world.result.decided[0]?.evidence?.timedOut, true);
  });
});

describe('quiet', () => {
  const script = (checks?: string[]) => ({
    steps: [
      { request: '_x', as: 'x' },
      { expect: { response: 'x' } },
      { quiet: { match: { method: '_note' }, for: '40ms' }, ...(checks && { checks }) },
    ],
  });

  it('holds when nothing that matches comes from then on', async () => {
    const world = await run(script(['PROMPT-16']), {
      onFrame(frame, other) {
        other.send(note(1));
        other.answer(frame, {});
        other.send({ jsonrpc: '2.0', method: '_else' });
      },
    });
    assert.equal(decisions(world), '+PROMPT-16');
  });

  it('is violated by what comes right after the frame before it', async () => {
    const world = await run(script(['PROMPT-16']), {
      onFrame(frame, other) {
        other.answer(frame, {});
        other.send(note(2));
      },
    });
    assert.equal(decisions(world), '-PROMPT-16');
    assert.equal(world.result.decided[0]?.evidence?.detail, '_note came instead of silence for 40ms');
    assert.deepEqual(world.result.decided[0]?.evidence?.actual, note(2));
  });

  it('without checks blocks', async () => {
    const { result } = await run(script(), {
      onFrame(frame, other) {
        other.answer(frame, {});
        other.send(note(2));
      },
    });
    assert.equal(result.verdict, 'blocked');
  });
});

describe('stderr', () => {
  it("waits for text on the agent's standard error, also split", async () => {
    const world = await run(
      { steps: [{ stderr: { expect: 'ready now' }, checks: ['FRM-05'] }] },
      {
        onStart(other) {
          other.stderr('get ready ');
          other.stderr('now');
        },
      },
    );
    assert.equal(decisions(world), '+FRM-05');
  });

  it('is violated when it does not come', async () => {
    const world = await run({ steps: [{ stderr: { expect: 'ready' }, within: '5ms', checks: ['FRM-05'] }] });
    assert.equal(decisions(world), '-FRM-05');
    assert.equal(
      world.result.decided[0]?.evidence?.detail,
      '"ready" on standard error did not come within 5ms',
    );
  });

  it('is written by an agent script', async () => {
    const { calls } = await run(
      { role: 'agent', steps: [{ stderr: { write: 'at ${workspace}' } }] },
      { onStart: other => other.end() },
    );
    assert.deepEqual(calls, ['started', 'stderr at /work/space']);
  });
});

describe('pause-reading', () => {
  const echoes = agent((frame, other) => {
    if (frame.method === '_echo') other.answer(frame, {});
  });
  const steps: NonNullable<Script['steps']> = [
    { 'pause-reading': '1s' },
    { request: '_echo', as: 'asked' },
    { quiet: { match: { response: 'asked' }, for: '500ms' }, checks: ['CANCEL-04'] },
    { expect: { response: 'asked' }, checks: ['RPC-05'] },
  ];

  it('leaves what comes unread for that long, and loses nothing', async () => {
    const world = await run({ steps }, { onFrame: echoes });
    assert.equal(decisions(world), '+CANCEL-04 +RPC-05');
  });

  it('ends with the script at the latest, so that what was held back is recorded', async () => {
    const { entries } = await run({ steps: steps.slice(0, 3) }, { onFrame: echoes });
    const answers = entries.filter(
      ({ channel, ...entry }) => channel === 'acp' && 'from' in entry && entry.from === 'agent',
    );
    assert.equal(answers.length, 1);
  });
});
