import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type TriggerName, triggerNames } from '../../src/reference-agent/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { allCapabilities, begin, play, promptOf, type Reply, statuses } from './conversation.ts';
import { manualClock } from './manual-clock.ts';

const replies: Readonly<Record<string, JsonObject>> = {
  'session/request_permission': { outcome: { outcome: 'selected', optionId: 'allow-once' } },
  'fs/read_text_file': { content: 'text' },
  'fs/write_text_file': {},
  'terminal/create': { terminalId: 't' },
  'terminal/wait_for_exit': { exitCode: 0 },
  'terminal/output': { output: '', truncated: false },
  'terminal/release': {},
  'elicitation/create': { action: 'accept', content: { colour: 'red' } },
};

let cwd = '';
before(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'reference-agent-'));
});
after(() => rm(cwd, { recursive: true }));

/** Plays a trigger wait by wait, so that the test can act at each of them. */
const stepwise = async (test: TestContext, trigger: TriggerName, capabilities = allCapabilities) => {
  const clock = manualClock();
  const agent = await begin(test, { capabilities, clock, cwd });
  let reply: Reply | undefined;
  const ended = play(agent, trigger).then(given => {
    reply = given;
  });

  /** A slow turn, once it has said all it has to say, waits for nothing but its cancellation. */
  const isEndless = (): boolean =>
    trigger === 'slow-turn' && agent.updates('agent_message_chunk').length === 5 && !clock.pending;
  /** Waits until the agent waits for a timer, for the client, or for nothing. */
  const arrive = async (): Promise<void> => {
    await agent.settle();
    while (!reply && !clock.pending && !agent.open.length && !isEndless()) await setImmediate();
  };
  /** Lets the wait end that the agent is in. False when nothing but a cancel can end it. */
  const proceed = (): boolean => {
    const method = agent.open[0]?.method;
    if (method !== undefined) agent.answer(String(method), { result: replies[String(method)]! });
    else if (clock.pending) clock.fire();
    else return false;
    return true;
  };
  return { agent, clock, ended, arrive, proceed, reply: () => reply };
};

/** In how many places the turn of a trigger waits. */
const countWaits = async (test: TestContext, trigger: TriggerName): Promise<number> => {
  const { arrive, proceed, reply } = await stepwise(test, trigger);
  for (let waits = 0; ; waits++) {
    await arrive();
    if (reply()) return waits;
    if (!proceed()) return waits + 1;
  }
};

/** A cancelled turn leaves nothing open and says nothing more. */
const assertQuiet = async ({
  agent,
  clock,
  arrive,
  reply,
}: Awaited<ReturnType<typeof stepwise>>): Promise<void> => {
  assert.equal(agent.frames.at(-1)?.id, 3, 'nothing follows the answer to the prompt');
  for (const update of agent.updates('tool_call')) {
    const last = agent.updates().findLast(({ toolCallId }) => toolCallId === update.toolCallId);
    assert.match(String(last?.status), /completed|failed/);
  }
  for (const { compactionId } of agent.updates('compaction_update')) {
    const all = agent.updates('compaction_update').filter(update => update.compactionId === compactionId);
    assert.deepEqual(all.at(-1)?.status === 'in_progress', false);
  }
  const before = agent.frames.length;
  const method = agent.open[0]?.method;
  if (method) agent.answer(String(method), { result: replies[String(method)]! });
  await arrive();
  const late = agent.frames.slice(before).map(frame => frame.method);
  assert.deepEqual(late, method === 'terminal/create' ? ['terminal/release'] : []);
  assert.equal(clock.pending, 0);
  assert.ok(reply());
};

describe('session/cancel', () => {
  for (const trigger of triggerNames) {
    it(`ends ${trigger} as cancelled at every wait, and the session goes on`, async test => {
      const waits = await countWaits(test, trigger);
      assert.ok(waits > 0);
      for (let at = 0; at < waits; at++) {
        const played = await stepwise(test, trigger);
        const { agent, ended, arrive, proceed, reply } = played;
        for (let passed = 0; passed < at; passed++) {
          await arrive();
          assert.ok(proceed());
        }
        await arrive();
        agent.notify('session/cancel', { sessionId: agent.sessionId });
        await ended;
        assert.deepEqual(reply()?.result, { stopReason: 'cancelled' }, `at wait ${at}`);
        await assertQuiet(played);
      }
    });
  }

  it('lets the session go on with the next prompt', async test => {
    const agent = await begin(test);
    for (let count = 0; count < 2; count++) {
      const turn = play(agent, 'slow-turn');
      agent.notify('session/cancel', { sessionId: agent.sessionId });
      assert.equal((await turn).result?.stopReason, 'cancelled');
    }
    const { result } = await agent.request('session/prompt', promptOf(agent.sessionId, 'hi'));
    assert.equal(result?.stopReason, 'end_turn');
  });

  it('counts although the answer that the agent waited for comes in the same moment', async test => {
    const agent = await begin(test, { capabilities: allCapabilities, cwd });
    const turn = play(agent, 'permission');
    const { id } = await agent.asked('session/request_permission');
    const answer = { jsonrpc: '2.0', id, result: replies['session/request_permission'] };
    const cancel = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: agent.sessionId } };
    agent.raw(`${JSON.stringify(answer)}\n${JSON.stringify(cancel)}\n`);
    assert.equal((await turn).result?.stopReason, 'cancelled');
    assert.deepEqual(statuses(agent), ['pending', 'failed']);
    assert.doesNotMatch(JSON.stringify(agent.frames), /fs\/write_text_file/);
  });

  it('of an idle or unknown session is ignored, and does not cancel what comes later', async test => {
    const agent = await begin(test);
    await agent.settle();
    const { length } = agent.frames;
    for (const sessionId of [agent.sessionId, 'bench-nope']) agent.notify('session/cancel', { sessionId });
    await agent.settle();
    assert.equal(agent.frames.length, length);
    const { result } = await agent.request('session/prompt', promptOf(agent.sessionId, 'hi'));
    assert.equal(result?.stopReason, 'end_turn');
  });
});

describe('$/cancel_request', () => {
  it('answers the prompt with -32800, and the session goes on', async test => {
    const agent = await begin(test);
    const turn = play(agent, 'slow-turn');
    agent.notify('$/cancel_request', { requestId: '3' });
    await agent.settle();
    agent.notify('$/cancel_request', { requestId: 3 });
    assert.equal((await turn).error?.code, -32800);
    assert.equal((await play(agent, 'refusal')).result?.stopReason, 'refusal');
  });

  it('of a request that was answered, or never made, is ignored', async test => {
    const agent = await begin(test);
    await agent.settle();
    const { length } = agent.frames;
    for (const requestId of [1, 2, 99, 'x', null, {}]) agent.notify('$/cancel_request', { requestId });
    await agent.settle();
    assert.equal(agent.frames.length, length);
  });
});

describe('The end of input in the middle of a turn', () => {
  for (const trigger of ['slow-turn', 'permission', 'terminal'] as const) {
    it(`cancels ${trigger} and ends the agent`, async test => {
      const agent = await begin(test, { capabilities: allCapabilities, cwd });
      const turn = play(agent, trigger);
      await agent.settle();
      agent.end();
      assert.equal(await agent.exited, 0);
      void turn;
    });
  }
});
