/** An agent that dies at a chosen line of each of its processes, in the ways in which programs die. */
import type { Started, Subject } from '../../src/bench/subject.ts';
import { createEventQueue, createFramer, type Port } from '../../src/wire/index.ts';

export const manners = [
  'exits with 0',
  'exits with 1',
  'is killed',
  'is killed within a line',
  'closes its output',
  'closes its output within a line',
  'goes silent',
] as const;
export type Manner = (typeof manners)[number];

export interface Death {
  /** At a line that it reads, which it then never gets, or at one that it writes, which then never goes out. */
  readonly at: 'read' | 'write';
  /** Which line of the process, counted from 1. */
  readonly nth: number;
  readonly manner: Manner;
}

/** @param onDeath called for each process that came so far */
export const dyingSubject = (subject: Subject, death: Death, onDeath: () => void): Subject => ({
  ...subject,
  start: async place => mortal(await subject.start(place), death, onDeath),
});

const mortal = (started: Started, { at, nth, manner }: Death, onDeath: () => void): Started => {
  const { port } = started;
  const events = createEventQueue();
  const exits = manner.startsWith('exits') || manner.startsWith('is killed');
  let lines = 0;
  let isDead = false;

  /** @param line what it was about to write */
  const die = (line: Uint8Array): void => {
    isDead = true;
    onDeath();
    if (manner.endsWith('within a line')) {
      const framer = createFramer({ onLine: half => events.emit({ type: 'line', line: half }) });
      framer.push(line.subarray(0, Math.ceil(line.length / 2)));
      framer.end();
    }
    if (manner === 'goes silent') return;
    events.emit({ type: 'eof' });
    if (!exits) return;
    const code = manner.startsWith('exits') ? Number(manner.at(-1)) : null;
    events.emit({ type: 'exit', code, signal: code === null ? 'SIGKILL' : null });
  };
  const isLast = (where: Death['at'], count = 1): boolean => {
    if (where === at) lines += count;
    return where === at && lines >= nth;
  };

  port.listen(event => {
    if (isDead) {
      // What still lives behind a dead output ends when it is stopped.
      if (!exits && event.type === 'exit') events.emit(event);
      if (manner === 'goes silent' && event.type === 'eof') events.emit(event);
    } else if (event.type === 'line' && isLast('write')) {
      die(event.line.bytes);
    } else {
      events.emit(event);
    }
  });

  const send: Port['send'] = async (bytes, mark) => {
    if (isDead && exits) events.emit({ type: 'broken', reason: 'EPIPE' });
    else if (!isDead && isLast('read', lineFeeds(bytes))) setImmediate(die, Buffer.from('{"jsonrpc":"2.0"'));
    else if (!isDead) await port.send(bytes, mark);
  };
  return {
    ...started,
    port: { send, end: port.end, listen: events.listen },
    stop: (from, onEvent) => started.stop(from, isDead && exits ? () => {} : onEvent),
  };
};

const lineFeeds = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count += 1;
  return count;
};
