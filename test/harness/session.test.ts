import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { Interruption, openSession, runAgent, SessionBusyError } from '../../src/harness/index.ts';
import { isRunning } from '../../src/process/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { agentThat, inTemp, watchFrames, withSession } from './world.ts';

const is = (method: string) => (frame: JsonObject) => frame.method === method;
const closed = { code: 'invalid_transition', message: 'ACP session is closed' };
const cancelled = { code: 'cancelled', message: 'ACP turn cancelled' };

describe('a session', () => {
  it('is one process and one session for all of its turns', () =>
    inTemp(() =>
      withSession(openSession(agentThat('place')), async session => {
        const turns = [await session.send('1'), await session.send('2'), await session.send('3')];
        const pids = turns.map(({ text }) => JSON.parse(text).pid);
        assert.equal(new Set(pids).size, 1);
        assert.deepEqual(
          turns.map(({ status, evidence }) => [status, evidence.session_id]),
          Array(3).fill(['completed', session.sessionId]),
        );
        // The handshake is told with the first turn, and only there.
        assert.deepEqual(
          turns.map(({ frames }) => frames.length),
          [7, 3, 3],
        );
        await session.close();
        assert.equal(isRunning(pids[0]), false);
      }),
    ));

  it('sets a mode as a mode, also where the agent offers it as an option as well', () =>
    withSession(openSession(agentThat('modes', '', { agentModeId: 'code' })), async session => {
      const { frames } = await session.send('1');
      const asked = frames.flatMap(({ direction, payload }) =>
        direction === 'outbound' ? [(payload as JsonObject).method] : [],
      );
      assert.deepEqual(asked, ['initialize', 'session/new', 'session/set_mode', 'session/prompt']);
    }));

  it('refuses a second prompt while one is answered, and takes it afterwards', () =>
    withSession(openSession(agentThat('greet')), async session => {
      const first = session.send('1');
      await assert.rejects(session.send('2'), error => {
        assert.ok(error instanceof SessionBusyError);
        assert.deepEqual([error.code, error.message], ['session_busy', 'session busy']);
        return true;
      });
      assert.equal((await first).status, 'completed');
      assert.equal((await session.send('2')).status, 'completed');
    }));

  it('ends with a turn that fails, and says so of each later one', () =>
    withSession(openSession(agentThat('refuse')), async session => {
      assert.equal(session.terminal(), undefined);
      const failed = await session.send('1');
      assert.deepEqual(failed.error, { code: 'transport_error', message: 'ACP prompt failed' });
      // The agent was there until we ended it: nothing of the turn is missing.
      assert.deepEqual(failed.limitations, []);
      const lost = { code: 'transport_error', message: 'session lost during turn' };
      assert.deepEqual(session.terminal(), lost);
      const later = await session.send('2');
      assert.deepEqual([later.status, later.error, later.frames], ['failed', lost, []]);
      assert.doesNotMatch(JSON.stringify([failed.error, later.error]), /words of the agent/);
    }));

  it('ends with a turn that takes too long, and the agent hears of it first', () =>
    withSession(openSession(agentThat('wait')), async session => {
      const turn = await session.send('1', { timeoutMs: 50 });
      assert.deepEqual(turn.error, { code: 'timeout', message: 'ACP turn timed out' });
      assert.deepEqual([turn.status, turn.evidence], ['timed_out', { transport: 'acp' }]);
      assert.deepEqual(turn.limitations, ['capture_incomplete']);
      assert.ok(turn.frames.some(({ payload }) => is('session/cancel')(payload as JsonObject)));
      assert.equal(session.terminal()?.code, 'timeout');
    }));

  it('is cancelled once, however often one asks, and every caller waits for the end', async () => {
    const { onFrame, until } = watchFrames();
    await withSession(openSession(agentThat('wait'), { onFrame }), async session => {
      const turn = session.send('1');
      await until(is('session/update'));
      await Promise.all([session.cancel(), session.cancel()]);
      assert.deepEqual(session.terminal(), cancelled);
      await session.cancel();
      const { status, error, text, frames } = await turn;
      assert.deepEqual([status, error, text], ['cancelled', cancelled, 'waiting']);
      const cancels = frames.filter(({ payload }) => is('session/cancel')(payload as JsonObject));
      assert.equal(cancels.length, 1);
      await session.close();
      await session.cancel();
    });
  });

  it('has no use for a cancel between turns', () =>
    withSession(openSession(agentThat('greet')), async session => {
      await session.cancel();
      assert.equal((await session.send('1')).status, 'completed');
    }));

  it('ends its turn when it is closed, and the open question is answered before the input ends', async () => {
    const { onFrame, until, frames } = watchFrames();
    const handler = (): Promise<boolean> => new Promise(() => {});
    const session = await openSession(agentThat('ask'), {
      onFrame,
      permission: { policy: 'prompt', handler },
    });
    const turn = session.send('1');
    await until(is('session/request_permission'));
    const [{ isClean }, { status, error }] = await Promise.all([session.close(), turn]);
    assert.deepEqual([isClean, status, error], [true, 'cancelled', cancelled]);
    const answer = { jsonrpc: '2.0', id: 'question', result: { outcome: { outcome: 'cancelled' } } };
    assert.deepEqual(
      frames.filter(({ id, method }) => id === 'question' && method === undefined),
      [answer],
    );
    assert.deepEqual((await session.send('2')).error, closed);
  });

  it('answers a question between turns when it is closed', async () => {
    const { onFrame, until, frames } = watchFrames();
    const handler = (): Promise<boolean> => new Promise(() => {});
    const session = await openSession(agentThat('ask-late'), {
      onFrame,
      permission: { policy: 'prompt', handler },
    });
    assert.equal((await session.send('1')).status, 'completed');
    await until(is('session/request_permission'));
    await session.close();
    assert.deepEqual(frames.at(-1), {
      jsonrpc: '2.0',
      id: 'question',
      result: { outcome: { outcome: 'cancelled' } },
    });
  });

  it('allows nothing any more once the turn is cancelled, also where all is allowed', async () => {
    const { onFrame, until } = watchFrames();
    const stop = new AbortController();
    const run = runAgent(agentThat('ask-again'), 'Hello', {
      onFrame,
      permission: 'allow',
      signal: stop.signal,
    });
    await until(is('session/prompt'));
    stop.abort();
    const { frames, diagnostics } = await run;
    const answers = frames.flatMap(({ direction, payload }) =>
      direction === 'outbound' && (payload as JsonObject).id === 'question'
        ? [(payload as JsonObject).result]
        : [],
    );
    assert.deepEqual(answers, [{ outcome: { outcome: 'cancelled' } }]);
    // Nobody denied it for its own sake.
    assert.deepEqual(diagnostics, []);
  });

  it('answers a question that the agent takes back, though nobody decided it', () => {
    const handler = (): Promise<boolean> => new Promise(() => {});
    const permission = { policy: 'prompt', handler } as const;
    return withSession(openSession(agentThat('ask-and-withdraw'), { permission }), async session => {
      const { status, text } = await session.send('1');
      assert.deepEqual([status, JSON.parse(text)], ['completed', { outcome: { outcome: 'cancelled' } }]);
    });
  });

  it('takes no prompt while it is closed, and ends once', () =>
    inTemp(async () => {
      const session = await openSession(agentThat('greet'));
      const first = session.close();
      assert.deepEqual((await session.send('1')).error, closed);
      assert.equal(session.close(), first);
      assert.deepEqual(await first, { exit: { code: 0, signal: null }, isClean: true, isRecorded: true });
    }));

  it('takes texts only, and stays as it was when it gets another', () =>
    withSession(openSession(agentThat('greet')), async session => {
      const turn = await session.send([{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]);
      assert.deepEqual([turn.status, turn.error?.code, turn.frames], ['failed', 'unsupported', []]);
      assert.equal((await session.send('1')).status, 'completed');
    }));

  it('does not send a prompt that is longer than a frame may be', () =>
    withSession(openSession(agentThat('greet')), async session => {
      const turn = await session.send('x'.repeat(4 * 1024 * 1024));
      assert.deepEqual([turn.status, turn.error?.code], ['failed', 'invalid_argument']);
      assert.ok(!turn.frames.some(({ payload }) => is('session/prompt')(payload as JsonObject)));
    }));

  it('refuses a time limit that no timer can wait for', async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
      await assert.rejects(openSession(agentThat('greet'), { timeoutMs }), UserError);
    await withSession(openSession(agentThat('greet')), async session => {
      await assert.rejects(session.send('1', { timeoutMs: 0 }), UserError);
      assert.equal((await session.send('1')).status, 'completed');
    });
  });
});

describe('a run that is told to end', () => {
  it('starts nothing when it was told before', () =>
    inTemp(async () => {
      const { outcome, error, frames } = await runAgent(agentThat('greet'), 'Hello', {
        signal: AbortSignal.abort(),
      });
      assert.deepEqual([outcome, error?.code, frames], ['cancelled', 'cancelled', []]);
    }));

  it('ends the start, at whatever moment it is told', () =>
    inTemp(async () => {
      for (const moments of [0, 1, 5, 20]) {
        const stop = new AbortController();
        const run = runAgent(agentThat('stall'), 'Hello', { signal: stop.signal });
        for (let moment = 0; moment < moments; moment += 1) await new Promise(setImmediate);
        stop.abort();
        const { outcome, error, turns } = await run;
        assert.deepEqual([outcome, error?.code, turns], ['cancelled', 'cancelled', []]);
      }
    }));

  it('sends no further prompt', async () => {
    const stop = new AbortController();
    const { outcome, turns } = await runAgent(agentThat('greet'), ['1', '2', '3'], {
      signal: stop.signal,
      onFrame({ payload }) {
        if ((payload as { result?: JsonObject }).result?.stopReason !== undefined) stop.abort();
      },
    });
    assert.equal(outcome, 'cancelled');
    assert.deepEqual(
      turns
        .flatMap(({ frames }) => frames.map(({ payload }) => (payload as JsonObject).method))
        .filter(method => method === 'session/prompt').length,
      1,
    );
  });

  it('was interrupted when the program around it is told to end', async () => {
    const { onFrame, until } = watchFrames();
    const stop = new AbortController();
    const run = runAgent(agentThat('wait'), 'Hello', { signal: stop.signal, onFrame });
    await until(is('session/update'));
    stop.abort(new Interruption());
    const { outcome, error, turns, text } = await run;
    assert.deepEqual([outcome, error, text], ['interrupted', cancelled, 'waiting']);
    assert.equal(turns[0]?.status, 'cancelled');
  });

  it('says that the start took too long', () =>
    inTemp(async () => {
      const { outcome, error, diagnostics } = await runAgent(agentThat('stall'), 'Hello', { timeoutMs: 300 });
      assert.deepEqual([outcome, error?.code], ['timed_out', 'timeout']);
      assert.deepEqual(
        diagnostics.map(({ code, stage }) => [code, stage]),
        [['operation_timeout', 'harness_startup']],
      );
    }));
});
