import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createPortPair } from '../../src/wire/index.ts';
import { createVirtualClock } from './virtual-clock.ts';

const hour = 3_600_000;

const clock = createVirtualClock();

/** What happened, in order, until a timer fired. */
const raceAgainst = async (
  ms: number,
  act: (say: (word: string) => void) => void,
): Promise<readonly string[]> => {
  const happened: string[] = [];
  await new Promise<void>(resolve => {
    clock.timer(ms, () => {
      happened.push('timer');
      resolve();
    });
    act(word => happened.push(word));
  });
  return [...happened];
};

describe('a virtual clock', () => {
  it('jumps to the next timer, in the order of time and then of age', async () => {
    const fired: (readonly [string, number])[] = [];
    const began = clock.now();
    await new Promise<void>(resolve => {
      const timer = (ms: number, name: string) =>
        clock.timer(ms, () => fired.push([name, clock.now() - began]));
      timer(2 * hour, 'late');
      timer(hour, 'early');
      timer(hour, 'early, and younger');
      clock.timer(3 * hour, resolve);
    });
    assert.deepEqual(fired, [
      ['early', hour],
      ['early, and younger', hour],
      ['late', 2 * hour],
    ]);
  });

  it('forgets a timer that is cancelled, also by one of the same moment', async () => {
    let isFired = false;
    await new Promise<void>(resolve => {
      clock.timer(hour, () => cancelled.cancel());
      const cancelled = clock.timer(hour, () => {
        isFired = true;
      });
      clock.timer(2 * hour, resolve);
    });
    assert.equal(isFired, false);
  });

  it('lets no timer overtake frames that go to and fro', async () => {
    const happened = await raceAgainst(1, say => {
      const [client, agent] = createPortPair();
      let rounds = 0;
      agent.listen(() => void agent.send(Buffer.from('{}\n')));
      client.listen(() => {
        rounds += 1;
        if (rounds < 50) void client.send(Buffer.from('{}\n'));
        else say('50 rounds');
      });
      void client.send(Buffer.from('{}\n'));
    });
    assert.deepEqual(happened, ['50 rounds', 'timer']);
  });

  it('lets no timer overtake files that are read, however many one after the other', async () => {
    const happened = await raceAgainst(1, async say => {
      for (let count = 0; count < 10; count++) await readFile(import.meta.filename);
      say('read');
    });
    assert.deepEqual(happened, ['read', 'timer']);
  });

  it('lets time pass while a program runs, so that one which never ends is not waited for', async () => {
    const program = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const happened = await raceAgainst(30, say => program.once('exit', () => say('exit')));
    program.stdin.end();
    await once(program, 'close');
    assert.deepEqual(happened, ['timer']);
  });

  it('jumps on when the last of a program was told', async () => {
    const happened = await raceAgainst(hour, say => {
      const program = spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'pipe', 'ignore'] });
      program.once('exit', () => say('exit'));
      program.once('close', () => say('close'));
    });
    assert.deepEqual(happened, ['exit', 'close', 'timer']);
  });
});
