/** What a script sends in a replay, held against what it sent when it was recorded. */
import { isDeepStrictEqual } from 'node:util';
import type { AcpEntry, BenchEvent, Entry } from '../journal/index.ts';
import { createFramer, type Line, type Party, type SendMark } from '../wire/index.ts';
import type { ScriptInstance } from './instances.ts';
import { eventOf } from './recorded-input.ts';

export interface Mismatch {
  /** Journal sequence of what was recorded; of the last entry where nothing was. */
  readonly seq: number;
  /** What the journal has, in words or as the line's text. */
  readonly expected: string;
  /** What the script did. */
  readonly got: string;
}

/** Compares the n-th line that the script sends with the n-th that it sent, and whether it sends it too early. */
export const createSentLines = (
  instances: readonly ScriptInstance[],
  entries: readonly Entry[],
  report: (mismatch: Mismatch) => void,
) => {
  const { role } = instances[0]!.script;
  const recorded = entries.flatMap((entry, index) =>
    entry.channel === 'acp' && entry.from === role && entry.by === 'script' ? [{ entry, index }] : [],
  );
  const inputsBefore = countInputs(entries, role);
  const isPiecemeal = /"(?:chunk|repeat)":/.test(JSON.stringify(instances.map(({ script }) => script)));
  let sent = 0;
  let reached = 0;
  let position = -1;
  let mark: SendMark | undefined;
  /** Some part of the line that has not ended is declared faulty. */
  let isDeclared = false;

  const compare = (line: Line) => {
    const next = recorded[sent];
    sent += 1;
    if (!next) {
      beyond.push(line);
      return;
    }
    const { entry, index } = next;
    mark?.recorded?.(entry.seq);
    const declared = isDeclared;
    isDeclared = mark?.declaredFault ?? false;
    if (!sameLine(entry.line, line)) {
      report({ seq: entry.seq, expected: textOf(entry.line), got: textOf(line) });
    } else if (declared !== (entry.declaredFault ?? false)) {
      report({ seq: entry.seq, expected: faultyOrNot(!declared), got: faultyOrNot(declared) });
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
      if (bytes.length === 0) return;
      mark = sentMark;
      isDeclared ||= sentMark?.declaredFault ?? false;
      framer.push(bytes);
      if (bytes.at(-1) === lineFeed) isDeclared = false;
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

/** Compares what the script says of its own way, steps and triggers in their order; tells the first that is another. */
export const createNotes = (entries: readonly Entry[], report: (mismatch: Mismatch) => void) => {
  const recorded = entries.flatMap(entry =>
    entry.channel === 'bench' && isOfScript(entry.what)
      ? [{ seq: entry.seq, text: inWords(entry.what) }]
      : [],
  );
  let count = 0;
  let differs = false;
  const compare = (got: string | undefined): void => {
    const next = recorded[count];
    count += 1;
    if (differs || next?.text === got) return;
    differs = true;
    const seq = next?.seq ?? entries.at(-1)?.seq ?? 0;
    report({ seq, expected: next?.text ?? 'nothing', got: got ?? 'nothing' });
  };
  return {
    add(event: BenchEvent) {
      if (isOfScript(event)) compare(inWords(event));
    },
    finish() {
      if (count < recorded.length) compare(undefined);
    },
  };
};

const isOfScript = ({ event }: BenchEvent): boolean =>
  event === 'scenario' || event === 'step' || event === 'trigger';

const inWords = (event: BenchEvent): string => {
  if (event.event === 'scenario') return `scenario ${event.scenario}`;
  if (event.event === 'step') return `step ${event.step}`;
  return event.event === 'trigger'
    ? `trigger ${event.trigger} ${event.fired ? '' : 'not '}fired`
    : event.event;
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

const lineFeed = 0x0a;

const faultyOrNot = (isDeclared: boolean): string =>
  isDeclared ? 'a frame that is declared faulty' : 'a frame that is not declared faulty';

const sameLine = (recorded: Line, sent: Line): boolean => {
  if (recorded.kind === 'frame' && sent.kind === 'frame')
    return isDeepStrictEqual(recorded.value, sent.value);
  return (
    (recorded.kind === sent.kind && Buffer.compare(recorded.bytes, sent.bytes) === 0) ||
    isCutOff(recorded, sent)
  );
};

/** The counterparty ended while the line was written, and how far it came only the journal knows. */
const isCutOff = (recorded: Line, { bytes }: Line): boolean =>
  recorded.kind === 'malformed' &&
  recorded.fault === 'unterminated' &&
  Buffer.compare(bytes.subarray(0, recorded.bytes.length), recorded.bytes) === 0;

const textOf = ({ bytes }: Line): string => Buffer.from(bytes.subarray(0, 2048)).toString('utf8');
