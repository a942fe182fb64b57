/** What was recorded, turn by turn, as it may be shown: nothing here holds a secret. */
import { type Entry, type Redactor, redactedEntries } from '../journal/index.ts';
import type { Json } from '../wire/index.ts';
import type { FrameRecord } from './result.ts';

export interface SessionRecord {
  readonly add: (entry: Entry) => void;
  /** So much came that not all of it was kept. */
  isIncomplete(): boolean;
  /** The turn has been answered: what comes from now on belongs to the next one. */
  endTurn(): void;
  /** Entries of the turn that has ended; those of the start belong to the first. */
  takeTurn(): readonly Entry[];
  /** Everything so far. */
  all(): readonly Entry[];
  frames(entries: readonly Entry[]): readonly FrameRecord[];
  /** A value of the agent, with every secret replaced. */
  shown<T>(value: T): T;
}

/** Bytes of frames that one session keeps, far more than the longest turns come to. */
const mostKept = 64 * 1024 * 1024;
/** What a frame takes in memory beside its text, roughly. */
const entryBytes = 512;

/** @param startedAt moment of the clock at which the session was made */
export const createRecord = (
  redactor: Redactor,
  startedAt: number,
  limit: number = mostKept,
): SessionRecord => {
  const entries = redactedEntries(redactor);
  let left = limit;
  let count = 0;
  const began = Date.now();
  let taken = 0;
  let end: number | undefined;
  return {
    add(entry) {
      // Of standard error the process keeps the head, and nothing here needs more.
      if (entry.channel === 'stderr') return;
      if (entry.channel === 'acp') {
        left -= entry.line.bytes.length + entryBytes;
        if (left < 0) return;
      }
      count += 1;
      entries.add(entry);
    },
    isIncomplete: () => left < 0,
    endTurn() {
      end = count;
    },
    takeTurn() {
      const turn = entries.all().slice(taken, end);
      taken += turn.length;
      end = undefined;
      return turn;
    },
    all: entries.all,
    frames: some => some.flatMap(entry => frameOf(entry, startedAt, began) ?? []),
    shown: value => redactor.value(value),
  };
};

const frameOf = (entry: Entry, startedAt: number, began: number): FrameRecord | undefined => {
  if (entry.channel !== 'acp') return undefined;
  const offsetMs = Math.max(0, entry.t - startedAt);
  const { line } = entry;
  const payload: Json =
    line.kind === 'frame' ? line.value : Buffer.from(line.bytes.subarray(0, longestLine)).toString('utf8');
  return {
    direction: entry.from === 'client' ? 'outbound' : 'inbound',
    receivedAt: new Date(began + offsetMs).toISOString(),
    offsetMs,
    payload,
  };
};

/** Of a line that is no frame so much is shown. */
const longestLine = 64 * 1024;
