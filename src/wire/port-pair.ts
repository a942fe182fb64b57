import { createEventQueue, type EventQueue } from './event-queue.ts';
import { createFramer } from './framer.ts';
import type { Port, PortEvent } from './port.ts';

/**
 * Two Ports wired back to back: what one sends the other reads, as real bytes through a framer, in a later turn of the
 * event loop, as with a pipe. `end()` on one side is `eof` on the other; the other direction stays open.
 * @param options.chunk deliver in pieces of this many bytes
 */
export const createPortPair = ({ chunk }: { chunk?: number } = {}): [Port, Port] => {
  const left = createEventQueue();
  const right = createEventQueue();
  return [
    { ...channel(right.emit, chunk), ...reading(left) },
    { ...channel(left.emit, chunk), ...reading(right) },
  ];
};

const reading = ({ emit: _, ...half }: EventQueue): Omit<EventQueue, 'emit'> => half;

/** One direction: the sending half of one Port, wired to the events of the other. */
const channel = (emit: (event: PortEvent) => void, chunk: number | undefined): Pick<Port, 'send' | 'end'> => {
  const framer = createFramer({ onLine: line => emit({ type: 'line', line }) });
  let hasEnded = false;

  return {
    send(bytes) {
      if (hasEnded) return Promise.resolve();
      // Lines are views of what the framer is given, and the sender may use its buffer again.
      const own = Buffer.from(bytes);
      return new Promise(resolve => {
        setImmediate(() => {
          for (const part of inParts(own, chunk)) framer.push(part);
          resolve();
        });
      });
    },
    end() {
      if (hasEnded) return;
      hasEnded = true;
      setImmediate(() => {
        framer.end();
        emit({ type: 'eof' });
      });
    },
  };
};

function* inParts(bytes: Buffer, size = bytes.length): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
