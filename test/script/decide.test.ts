import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Step } from '../../src/script/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { decisions, type Options, run } from './world.ts';

const asked = (...steps: Step[]) => ({
  steps: [{ request: '_x', as: 'x' }, { expect: { response: 'x' } }, ...steps] as Step[],
});
const answers = (result: JsonObject): Options => ({ onFrame: (frame, other) => other.answer(frame, result) });

describe('assert', () => {
  it('judges the response of an exchange', async () => {
    const world = await run(
      asked({ assert: { of: 'x', is: { result: { a: 1 } }, checks: ['LIST-02', 'LIST-03'] } }),
      answers({ a: 1, b: 2 }),
    );
    assert.equal(decisions(world), '+LIST-02 +LIST-03');
  });

  it('judges a saved frame, and a member of it', async () => {
    const world = await run(
      {
        steps: [
          { expect: { method: '_n' }, as: 'n' },
          { assert: { of: 'n', is: { params: { list: [1, 2] } }, checks: ['LIST-02'] } },
          { assert: { of: 'n.params.list.1', is: 2, checks: ['LIST-03'] } },
        ],
      },
      { onStart: other => other.send({ jsonrpc: '2.0', method: '_n', params: { list: [1, 2] } }) },
    );
    assert.equal(decisions(world), '+LIST-02 +LIST-03');
  });

  it('that fails is blamed with the member that differs, and the script goes on', async () => {
    const world = await run(
      asked(
        { assert: { of: 'x', is: { result: { a: 1 } }, checks: ['LIST-02'] } },
        { assert: { of: 'x', is: { result: { b: 2 } }, checks: ['LIST-03'] } },
      ),
      answers({ a: 5, b: 2 }),
    );
    assert.equal(decisions(world), '-LIST-02 +LIST-03');
    const { message, ...evidence } = world.result.decided[0]!.evidence!;
    assert.equal(message?.type, 'result');
    assert.deepEqual(evidence, {
      detail: 'in "x", /result/a is 5, expected 1',
      seq: 5,
      after: 3,
      actual: { jsonrpc: '2.0', id: 0, result: { a: 5, b: 2 } },
      pointer: '/result/a',
      expected: '{"result":{"a":1}}',
    });
  });

  it('that fails without checks blocks', async () => {
    const { result } = await run(asked({ assert: { of: 'x', is: { error: {} } } }), answers({}));
    assert.deepEqual([result.verdict, result.reason], ['blocked', 'in "x", /error is missing, expected {}']);
  });
});

describe('either', () => {
  const branches: Step = {
    either: [
      { when: { of: 'x', is: { result: { stopReason: 'cancelled' } } }, passes: ['CANCEL-02', 'CANCEL-03'] },
      { when: { of: 'x', is: { error: {} } }, fails: ['CANCEL-03'], situation: 'no-answer' },
      { else: true, fails: ['CANCEL-02'] },
    ],
  };

  it('takes the first branch that holds', async () => {
    assert.equal(
      decisions(await run(asked(branches), answers({ stopReason: 'cancelled' }))),
      '+CANCEL-02 +CANCEL-03',
    );
    const refused = await run(asked(branches), { onFrame: (frame, other) => other.refuse(frame, -32603) });
    assert.equal(decisions(refused), '-CANCEL-03');
    assert.equal(refused.result.decided[0]?.evidence?.situation, 'no-answer');
  });

  it('takes else when none does, with what was seen and what would have been accepted', async () => {
    const world = await run(asked(branches), answers({ stopReason: 'end_turn' }));
    assert.equal(decisions(world), '-CANCEL-02');
    const { message, ...evidence } = world.result.decided[0]!.evidence!;
    assert.equal(message?.type, 'result');
    assert.deepEqual(evidence, {
      detail:
        'got {"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}, expected x = {"result":{"stopReason":"cancelled"}}',
      seq: 5,
      after: 3,
      actual: { jsonrpc: '2.0', id: 0, result: { stopReason: 'end_turn' } },
      expected: 'x = {"result":{"stopReason":"cancelled"}}',
    });
  });

  it('is an error of the script when no branch holds', async () => {
    const { result } = await run(
      asked({ either: [{ when: { of: 'x', is: { error: {} } }, fails: ['CANCEL-03'] }] }),
      answers({}),
    );
    assert.deepEqual(
      [result.verdict, result.reason],
      ['bench-error', 'no branch of "either" holds, and there is no else'],
    );
  });

  it('waits for a response that is still to come, and for what is received', async () => {
    for (const when of [{ of: 'x', is: { result: {} } }, { received: { response: 'x', result: {} } }]) {
      const world = await run(
        {
          steps: [
            { request: '_x', as: 'x' },
            {
              either: [
                { when, passes: ['RPC-05'] },
                { else: true, fails: ['RPC-05'] },
              ],
            },
          ],
        },
        answers({}),
      );
      assert.equal(decisions(world), '+RPC-05');
    }
  });

  it('takes else at once when the response came and fits no branch', async () => {
    const world = await run(
      {
        steps: [
          { request: '_x', as: 'x' },
          {
            either: [
              { when: { received: { response: 'x', result: { a: 1 } } }, passes: ['LIST-02'] },
              { else: true, fails: ['LIST-02'] },
            ],
          },
        ],
      },
      answers({ a: 2 }),
    );
    const { message, ...evidence } = world.result.decided[0]!.evidence!;
    assert.equal(message?.type, 'result');
    assert.deepEqual(evidence, {
      detail: 'got {"jsonrpc":"2.0","id":0,"result":{"a":2}}, expected {"response":"x","result":{"a":1}}',
      seq: 5,
      after: 3,
      actual: { jsonrpc: '2.0', id: 0, result: { a: 2 } },
      expected: '{"response":"x","result":{"a":1}}',
    });
    assert.ok(!world.entries.some(entry => entry.channel === 'bench' && entry.what.event === 'timer'));
  });

  it('names what should not have come, where only else stands beside it', async () => {
    const world = await run(
      {
        steps: [
          {
            either: [
              { when: { received: { method: '_n' } }, fails: ['RPC-06'] },
              { else: true, passes: ['RPC-06'] },
            ],
          },
        ],
      },
      { onStart: other => other.send({ jsonrpc: '2.0', method: '_n' }) },
    );
    assert.equal(world.result.decided[0]?.evidence?.expected, 'nothing like {"method":"_n"}');
  });

  it('takes else after its time limit, which the evidence tells', async () => {
    const world = await run({
      steps: [
        { request: '_x', as: 'x' },
        {
          either: [
            { when: { received: { response: 'x' } }, passes: ['RPC-11'] },
            { else: true, fails: ['RPC-11'] },
          ],
          within: '20ms',
        },
      ],
    });
    assert.deepEqual(world.result.decided[0]?.evidence, {
      detail: 'the response to _x did not come within 20ms',
      expected: '{"response":"x"}',
      after: 3,
      timedOut: true,
    });
  });

  it('takes else at once when the agent has ended, but waits for the exit after the end of output', async () => {
    const script = {
      steps: [
        { request: '_x', as: 'x' },
        { either: [{ when: { received: { response: 'x' } } }, { else: true, fails: ['RPC-11'] }] },
        {
          either: [
            { when: { received: { event: 'exit' }, as: 'exit' }, passes: ['FRM-12'] },
            { else: true, fails: ['FRM-12'] },
          ],
        },
      ] as Step[],
    };
    const world = await run(script, { onFrame: (_, other) => other.exit(0) });
    assert.equal(decisions(world), '-RPC-11 +FRM-12');
    assert.equal(world.result.decided[0]?.evidence?.ended, true);
    assert.deepEqual(world.result.saved.exit, { event: 'exit', code: 0, signal: null });
  });

  it('gives the scenario a verdict where the branch has one', async () => {
    for (const verdict of ['blocked', 'inconclusive', 'not-exercised'] as const) {
      const { result } = await run(
        asked({ either: [{ else: true, verdict }] }, { notify: '_never' }),
        answers({}),
      );
      assert.equal(result.verdict, verdict);
    }
  });

  it('runs the steps of the branch, then those after it', async () => {
    const { sent } = await run(
      asked(
        { either: [{ when: { of: 'x', is: { result: {} } }, steps: [{ notify: '_in' }] }, { else: true }] },
        { notify: '_after' },
      ),
      answers({}),
    );
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['_x', '_in', '_after'],
    );
  });
});
