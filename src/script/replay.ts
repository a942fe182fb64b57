/**
 * Runs a script again over the journal of an earlier run. Lines of the counterparty, frames of the actor and everything
 * that resumed the script are fed in their recorded order; each line that the script sends is compared.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Judge } from '../catalogue/index.ts';
import type { AcpEntry, Entry } from '../journal/index.ts';
import {
  type Actor,
  type ActorHost,
  createFramer,
  type Line,
  type Party,
  type Port,
  type PortEvent,
  type SendMark,
} from '../wire/index.ts';
import type { ScriptBindings, ScriptResult } from './host.ts';
import type { ScriptInstance } from './instances.ts';
import type { SchemaTest } from './match.ts';
import { runWith } from './run.ts';
import { endsWithSteps } from './script.ts';
import type { Wakes } from './wakes.ts';

export interface ReplayOptions {
  readonly judge: Judge;
  /** Those of the recorded run, from the journal's header. */
  readonly bindings: ScriptBindings;
  /** That of the recorded run; only texts depend on it. */
  readonly timeoutMs: number;
  readonly fits?: SchemaTest;
}

export interface Mismatch {
  /** Journal sequence of what was recorded; of the last entry where nothing was. */
  readonly seq: number;
  /** What the journal has, in words or as the line's text. */
  readonly expected: string;
  /** What the script did. */
  readonly got: string;
}

export interface Replay {
  readonly result: ScriptResult;
  /** Empty if the journal is what this script makes of these inputs. */
  readonly mismatches: readonly Mismatch[];
}

/** At most this many are kept; after the first, the others often follow from it. */
const mismatchLimit = 20;

export const replayScript = async (
  instance: ScriptInstance,
  recorded: Iterable<Entry> | AsyncIterable<Entry>,
  options: ReplayOptions,
): Promise<Replay> => {
  const entries: Entry[] = [];
  for await (const entry of recorded) entries.push(entry);

  const mismatches: Mismatch[] = [];
  const report = (mismatch: Mismatch) => {
    if (mismatches.length < mismatchLimit) mismatches.push(mismatch);
  };
  const sent = createSentLines(instance, entries, report);
  const ports = createPorts(sent.push);
  const wakes = createRecordedWakes();
  let actor: ActorHost | undefined;
  let hasFinished = false;
  const { mutate, ...script } = instance.script;
  const running = runWith(
    { ...instance, script },
    {
      connect: ports.next,
      clock: { now: () => 0, timer: () => ({ cancel() {} }) },
      judge: options.judge,
      bindings: options.bindings,
      timeoutMs: options.timeoutMs,
      note() {},
      ...(options.fits && { fits: options.fits }),
      actor(host) {
        actor = host;
        return silentActor;
      },
    },
    wakes.source,
  ).then(result => {
    hasFinished = true;
    return result;
  });
  await ports.listening;

  for (const [index, entry] of entries.entries()) {
    sent.moveTo(index);
    if (entry.channel === 'acp' && entry.from === script.role) {
      // Writes in pieces take a turn; nothing else in the script does.
      if (entry.by === 'fixture' || sent.lacks(entry)) await turn();
      if (entry.by === 'script') sent.reach(entry);
      else if (entry.by === 'fixture' && entry.line.kind === 'frame') actor?.send(entry.line.value);
    } else if (entry.channel === 'bench') {
      if (entry.what.event === 'timer' && !(await wakes.fire(entry.what.id)) && !hasFinished) {
        report({ seq: entry.seq, expected: `wait ${entry.what.id} ends`, got: 'no such wait' });
      }
    } else {
      const event = eventOf(entry);
      if (event) ports.emit(entry.connection, event);
    }
  }
  await turn();
  if (!hasFinished) {
    // Other scripts run until the actor behind them ends, which leaves no entry.
    if (endsWithSteps(script)) {
      report({ seq: entries.at(-1)?.seq ?? 0, expected: 'the end of the script', got: 'it still waits' });
    }
    actor?.exit(0);
  }
  const result = await running;
  sent.finish(wakes.isWriting());
  return { result, mismatches };
};

/** Compares the n-th line that the script sends with the n-th that it sent, and whether it sends it too early. */
const createSentLines = (
  { script }: ScriptInstance,
  entries: readonly Entry[],
  report: (mismatch: Mismatch) => void,
) => {
  const recorded = entries.flatMap((entry, index) =>
    entry.channel === 'acp' && entry.from === script.role && entry.by === 'script' ? [{ entry, index }] : [],
  );
  const inputsBefore = countInputs(entries, script.role);
  const isPiecemeal = /"(?:chunk|repeat)":/.test(JSON.stringify(script));
  let sent = 0;
  let reached = 0;
  let position = -1;
  let mark: SendMark | undefined;

  const compare = (line: Line) => {
    const next = recorded[sent];
    sent += 1;
    if (!next) {
      beyond.push(line);
      return;
    }
    const { entry, index } = next;
    mark?.recorded?.(entry.seq);
    if (!sameLine(entry.line, line)) {
      report({ seq: entry.seq, expected: textOf(entry.line), got: textOf(line) });
    } else if (!isPiecemeal && inputsBefore[index]! > inputsBefore[position + 1]!) {
      // What answers an input is sent before the next one is taken.
      report({
        seq: entry.seq,
        expected: textOf(entry.line),
        got: `the same, before #${entries[position + 1]!.seq}`,
      });
    }
  };
  /** Lines beyond those of the journal. */
  const beyond: Line[] = [];
  const framer = createFramer({ onLine: compare });

  return {
    push(bytes: Uint8Array, sentMark: SendMark | undefined) {
      if (sentMark?.by === 'fixture') return;
      mark = sentMark;
      framer.push(bytes);
    },
    moveTo(index: number) {
      position = index;
    },
    lacks: (entry: AcpEntry) => entry.by === 'script' && sent <= reached,
    /** The journal has come to a line that the script has sent by then. */
    reach(entry: AcpEntry) {
      reached += 1;
      if (sent >= reached || entry.line.kind !== 'frame') return;
      report({ seq: entry.seq, expected: textOf(entry.line), got: 'nothing' });
      sent = reached;
    },
    /** @param isCutOff the recorded run ended within a write, of which the replay cannot know how far it came */
    finish(isCutOff: boolean) {
      framer.end();
      const seq = entries.at(-1)?.seq ?? 0;
      if (!isCutOff) for (const line of beyond) report({ seq, expected: 'nothing', got: textOf(line) });
    },
  };
};

/** For each index: how many inputs of the script stand before it. */
const countInputs = (entries: readonly Entry[], role: Party): readonly number[] => {
  const counts = [0];
  for (const entry of entries) {
    const isInput =
      entry.channel === 'acp'
        ? entry.from !== role
        : entry.channel === 'bench'
          ? entry.what.event === 'timer'
          : eventOf(entry) !== undefined;
    counts.push(counts.at(-1)! + (isInput ? 1 : 0));
  }
  return counts;
};

const sameLine = (recorded: Line, sent: Line): boolean =>
  recorded.kind === 'frame' && sent.kind === 'frame'
    ? isDeepStrictEqual(recorded.value, sent.value)
    : recorded.kind === sent.kind && Buffer.compare(recorded.bytes, sent.bytes) === 0;

const textOf = ({ bytes }: Line): string => Buffer.from(bytes.subarray(0, 2048)).toString('utf8');

/** One Port per connection of the journal; events of one that is not open yet are kept for it. */
const createPorts = (send: (bytes: Uint8Array, mark: SendMark | undefined) => void) => {
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
const createRecordedWakes = () => {
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

const eventOf = (entry: Entry): PortEvent | undefined => {
  if (entry.channel === 'acp') return { type: 'line', line: entry.line, seq: entry.seq };
  if (entry.channel === 'stderr') return { type: 'stderr', bytes: entry.bytes };
  if (entry.channel !== 'process') return undefined;
  const { what } = entry;
  if (what.event === 'eof') return { type: 'eof' };
  if (what.event === 'exit') return { type: 'exit', code: what.code, signal: what.signal };
  return undefined;
};

const silentActor: Actor = { receive() {}, ended() {}, dispose: async () => {} };

/** Lets promises settle that nothing recorded waits for. */
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
