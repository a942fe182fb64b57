import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import { type AnyRule, allRules, createRuleFold } from '../../src/rules/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange, frames } from '../helpers/journal.ts';
import { prompt, ready } from '../helpers/steps.ts';

let protocol: Protocol;
before(async () => {
  protocol = await loadProtocol('latest');
});

/**
 * Bytes that grow with a journal: 16 and more for a hash, as its table says, and 64 for each entry of a list, set or map
 * of whole things.
 */
const weigh = (value: unknown, seen = new Set<object>()): number => {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if ('bytes' in value && typeof value.bytes === 'number') return value.bytes;
  const parts = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  const own = value instanceof Map || value instanceof Set || Array.isArray(value) ? parts.length * 64 : 0;
  const kept = 'size' in value && typeof value.size === 'number' && own === 0 ? value.size * 64 : 0;
  return parts.reduce<number>((sum, part) => sum + weigh(part, seen), own + kept);
};

/** Weight of each rule's state after the journal. */
const weights = (
  list: readonly (readonly ['client' | 'agent', JsonObject])[],
): ReadonlyMap<string, number> => {
  const states = new Map<string, unknown>();
  const rules = allRules.map(
    (rule): AnyRule => ({
      ...rule,
      init: setting => {
        const state: unknown = rule.init(setting);
        states.set(rule.name, state);
        return state;
      },
    }),
  );
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject: 'agent', judge: { ...judge, violated() {} }, rules });
  for (const entry of exchange([...ready, prompt()])) fold.step(entry);
  for (const entry of frames(list)) fold.step(entry);
  return new Map([...states].map(([name, state]) => [name, weigh(state)]));
};

const heaviest = (list: readonly (readonly ['client' | 'agent', JsonObject])[]): readonly [string, number] =>
  [...weights(list)].reduce((a, b) => (b[1] > a[1] ? b : a));

const count = 100_000;
const updateFrame = (update: JsonObject, sessionId = 's-1'): readonly ['agent', JsonObject] => [
  'agent',
  { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } },
];

describe('the state of rules stays bounded', () => {
  it('at 43 bytes a tool call, also when no call ever ends', () => {
    const calls = Array.from({ length: count }, (_, index) =>
      updateFrame({
        sessionUpdate: 'tool_call',
        toolCallId: `call-${index}-${'x'.repeat(40)}`,
        title: 'Work',
      }),
    );
    const [name, bytes] = heaviest(calls);
    assert.equal(name, 'tool-ledger');
    assert.ok(bytes <= 43 * count + 64 * 1024, `${bytes} bytes`);
  });

  it('at a few hashes a message', () => {
    const chunks = Array.from({ length: count }, (_, index) =>
      updateFrame({
        sessionUpdate: 'agent_message_chunk',
        messageId: `message-${index}`,
        content: { type: 'text', text: 'x' },
      }),
    );
    const [name, bytes] = heaviest(chunks);
    assert.equal(name, 'message-ids');
    assert.ok(bytes <= 43 * count + 64 * 1024, `${bytes} bytes`);
  });

  it('at a few hashes a session', () => {
    const sessions = Array.from({ length: 20_000 }, (_, index) => [
      [
        'client',
        { jsonrpc: '2.0', id: index + 100, method: 'session/new', params: { cwd: '/w', mcpServers: [] } },
      ] as const,
      ['agent', { jsonrpc: '2.0', id: index + 100, result: { sessionId: `session-${index}` } }] as const,
    ]).flat();
    const [, bytes] = heaviest(sessions);
    assert.ok(bytes <= 3 * 43 * 20_000 + 64 * 1024, `${bytes} bytes`);
  });

  it('and does not grow at all with plain text', () => {
    const text = Array.from({ length: 20_000 }, () =>
      updateFrame({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }),
    );
    const [, bytes] = heaviest(text);
    assert.ok(bytes <= 64 * 1024, `${bytes} bytes`);
  });
});
