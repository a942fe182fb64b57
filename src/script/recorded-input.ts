/** What comes to a script from a journal, in place of the world: what the counterparty did, and the waits that ended. */
import type { Entry } from '../journal/index.ts';
import type { Port, PortEvent, SendMark } from '../wire/index.ts';
import { toldId, type Wakes } from './wakes.ts';

/** One Port per connection of the journal. What came on one that the script has not opened is not heard. */
export const createPorts = (send: (bytes: Uint8Array, mark: SendMark | undefined) => void) => {
  const listeners = new Map<number, (event: PortEvent) => void>();
  let connection = 0;
  let startListening: () => void = () => {};
  const listening = new Promise<void>(resolve => {
    startListening = resolve;
  });
  return {
    /** The script has begun. */
    listening,
    async next(): Promise<Port> {
      connection += 1;
      const number = connection;
      return {
        send(bytes, mark) {
          send(bytes, mark);
          return Promise.resolve();
        },
        end() {},
        listen(listener) {
          listeners.set(number, listener);
          startListening();
        },
      };
    },
    emit: (number: number, event: PortEvent) => listeners.get(number)?.(event),
  };
};

/** Numbers the waits as the live source does, and lets each end when told. */
export const createRecordedWakes = () => {
  const waits = new Map<number, () => Promise<void>>();
  const unsettled = new Set<number>();
  let count = 0;
  const source: Wakes = {
    after(_ms, wake) {
      count += 1;
      const id = count;
      waits.set(id, async () => wake());
      return { cancel: () => void waits.set(id, async () => {}) };
    },
    when(promise, wake) {
      count += 1;
      unsettled.add(count);
      waits.set(count, async () => wake(await promise));
    },
    // The journal says when it happened, the replay whether it can have happened by then.
    told: wake => () => void waits.set(toldId, async () => wake()),
  };
  return {
    source,
    /** A write, or a new connection, that the journal does not see end. */
    isWriting: () => unsettled.size > 0,
    /** False if the script does not wait for that. */
    async fire(id: number): Promise<boolean> {
      const wait = waits.get(id);
      unsettled.delete(id);
      await wait?.();
      return wait !== undefined;
    },
  };
};

/** What an entry was to the Port; undefined for what no Port tells. */
export const eventOf = (entry: Entry): PortEvent | undefined => {
  if (entry.channel === 'acp') return { type: 'line', line: entry.line, seq: entry.seq };
  if (entry.channel === 'stderr') return { type: 'stderr', bytes: entry.bytes };
  if (entry.channel !== 'process') return undefined;
  const { what } = entry;
  if (what.event === 'eof') return { type: 'eof' };
  if (what.event === 'exit') return { type: 'exit', code: what.code, signal: what.signal };
  return undefined;
};
