import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PermissionPolicy } from '../../src/fixture-client/index.ts';
import { type AgentSide, agentSide, sessionId, withCode } from './agent-side.ts';

const request = (agent: AgentSide, kinds: readonly string[]) =>
  agent.ask('session/request_permission', {
    toolCall: { toolCallId: 'call-1' },
    options: kinds.map((kind, index) => ({ kind, name: kind, optionId: `${index}` })),
  });

const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const cancelled = { outcome: { outcome: 'cancelled' } };

const choices: readonly [policy: PermissionPolicy | undefined, kinds: readonly string[], answer: unknown][] =
  [
    [undefined, ['allow_once', 'reject_always', 'reject_once'], selected('2')],
    ['reject', ['allow_once', 'reject_always'], selected('1')],
    ['reject', ['allow_once', 'allow_always'], cancelled],
    ['reject', [], cancelled],
    ['allow', ['reject_once', 'allow_always', 'allow_once'], selected('2')],
    ['allow', ['reject_once', 'allow_always'], selected('1')],
    ['allow', ['reject_once'], cancelled],
    ['cancel', ['allow_once', 'reject_once'], cancelled],
  ];

for (const [policy, kinds, answer] of choices) {
  test(`policy ${policy ?? 'by default'}, offered ${kinds.join(', ') || 'nothing'}: ${JSON.stringify(answer)}`, async t => {
    const agent = await agentSide(t, policy && { permission: policy });
    assert.deepEqual(await request(agent, kinds), answer);
  });
}

test('a permission request that is open when its turn is cancelled is answered cancelled', async t => {
  const agent = await agentSide(t, { permission: 'hold' });
  const open = request(agent, ['allow_once']);
  await assert.rejects(agent.ask('_marker'), withCode(-32601));
  agent.sent('session/cancel', { sessionId });
  assert.deepEqual(await open, cancelled);
});

test('cancelling another session leaves a permission request open', async t => {
  const agent = await agentSide(t, { permission: 'hold' });
  let isAnswered = false;
  const open = request(agent, ['allow_once']).finally(() => {
    isAnswered = true;
  });
  await assert.rejects(agent.ask('_marker'), withCode(-32601));
  agent.sent('session/cancel', { sessionId: 's-2' });
  await assert.rejects(agent.ask('_marker'), withCode(-32601));
  assert.equal(isAnswered, false);
  await agent.dispose();
  assert.deepEqual(await open, cancelled);
});

test('a permission request that crosses the cancel is cancelled too, until the next turn begins', async t => {
  const agent = await agentSide(t, { permission: 'allow' });
  agent.sent('session/cancel', { sessionId });
  assert.deepEqual(await request(agent, ['allow_once']), cancelled);
  agent.sent('session/prompt', { sessionId });
  assert.deepEqual(await request(agent, ['allow_once']), selected('0'));
});

test('a permission request that the agent takes back is answered with -32800', async t => {
  const agent = await agentSide(t, { permission: 'hold' });
  const open = request(agent, ['allow_once']);
  agent.notify('$/cancel_request', { requestId: 0 });
  await assert.rejects(open, withCode(-32800));
});

test('a permission request without options is refused as invalid params', async t => {
  const agent = await agentSide(t);
  await assert.rejects(agent.ask('session/request_permission', { toolCall: {} }), withCode(-32602));
});
