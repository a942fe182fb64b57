import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../../src/journal/index.ts';
import { replayScripts } from '../../src/script/index.ts';
import { agent, answering, bindings, inSession, run, silentJudge, timeoutMs, update } from './world.ts';

const turn = inSession([
  { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
  { expect: { response: 'turn' }, checks: ['RPC-05'] },
]);
const maxTraffic = 20_000;

/** An agent that writes so many updates of 1000 letters before it answers the prompt. */
const talkative = (updates: number) =>
  agent((frame, other) => {
    if (frame.method !== 'session/prompt') return;
    for (let n = 0; n < updates; n += 1) other.send(update('x'.repeat(1000)));
    other.answer(frame, { stopReason: 'end_turn' });
  });

describe('a scenario over whose connection too much goes', () => {
  // `run` replays each journal, which must come to the same end.
  it('is blocked there, and decides nothing any more', async () => {
    const { result } = await run(turn, { onFrame: talkative(50), host: { maxTraffic } });
    assert.equal(result.verdict, 'blocked');
    assert.match(result.reason!, /more than 64 MiB went over the connection/);
    assert.deepEqual(result.decided, []);
  });

  it('goes on below the limit', async () => {
    const { result } = await run(turn, { onFrame: talkative(10), host: { maxTraffic } });
    assert.equal(result.verdict, 'done');
  });

  it('is blocked by standard error, and by what the agent makes the bench answer, too', async () => {
    const shouting = await run(turn, {
      onFrame: agent((frame, other) => {
        if (frame.method === 'session/prompt') other.stderr('x'.repeat(maxTraffic));
      }),
      host: { maxTraffic },
    });
    const asking = await run(turn, {
      onFrame: agent((frame, other) => {
        if (frame.method !== 'session/prompt') return;
        for (let id = 0; id < 50; id += 1) {
          other.send({ jsonrpc: '2.0', id, method: 'fs/read_text_file', params: { sessionId: 's-1' } });
        }
      }),
      actor: answering({ content: 'x'.repeat(1000) }).factory,
      host: { maxTraffic },
    });
    for (const { result } of [shouting, asking]) assert.equal(result.verdict, 'blocked');
  });

  it('is not believed to be one where the journal holds too little', async () => {
    const { entries, instance } = await run(turn, { onFrame: talkative(3), host: { maxTraffic } });
    const at = entries.findIndex(
      entry => entry.channel === 'acp' && /turn|stopReason/.test(String(entry.line.bytes)),
    );
    const told: Entry = { ...entries[at]!, channel: 'bench', what: { event: 'timer', id: 0 } } as Entry;
    const forged = [...entries.slice(0, at), told];
    const { mismatches } = await replayScripts([instance], forged, {
      judge: silentJudge,
      bindings,
      timeoutMs,
      maxTraffic,
    });
    assert.deepEqual(
      mismatches.map(({ expected, got }) => `${expected}: ${got}`),
      ['wait 0 ends: no such wait', 'the end of the script: it still waits'],
    );
  });
});
