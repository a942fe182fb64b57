/**
 * The fault log of `test/faults/`: excerpts of exchanges in which an agent or a client was at fault, one a line of
 * `fault-log.jsonl`, in the words of `exchange`. An excerpt leaves out what came before it; `judged/` says for each fault
 * what is supplied, which requirements it breaks, and how the exchange should have gone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Entry } from '../../src/journal/entry.ts';
import { exchange } from './journal.ts';

/** One line of the log. */
export interface Fault {
  /** Such as `fault-001`. */
  readonly id: string;
  /** Who is at fault. */
  readonly party: 'agent' | 'client' | 'sdk' | 'spec';
  readonly kind: string;
  readonly fault: string;
  readonly symptom: string;
  /** The check that public reports of this fault call for, such as `CK01 turn-fence`. */
  readonly check: string;
  readonly frames: readonly string[];
}

/** What is expected of a fault that a journal shows. Written from the text of the requirements before it was judged. */
export interface JudgedFault {
  readonly breaks: readonly string[];
  /** What else the exchange gets: requirement -> reason. */
  readonly collateral?: Readonly<Record<string, string>>;
  /** Names in `supplied.yaml`, put before both exchanges. */
  readonly before?: readonly string[];
  /** Put into the faulty exchange: after so many of its lines, names in `supplied.yaml`. */
  readonly insert?: Readonly<Record<string, readonly string[]>>;
  /** Put after both exchanges. */
  readonly after?: readonly string[];
  /** The exchange without the fault. A number stands for that line of the faulty one, counted from 1. */
  readonly repaired: readonly (string | number)[];
}

/** A fault that no journal shows. */
export interface UnjudgedFault {
  /** A key of `reasons`. */
  readonly reason: string;
  /** The requirement that a scenario decides instead. */
  readonly requirement?: string;
  readonly note?: string;
}

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../faults/${path}`, import.meta.url)), 'utf8');

export const faults: readonly Fault[] = read('fault-log.jsonl')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line) as Fault);

export const judgedFaults: Readonly<Record<string, JudgedFault>> = Object.assign(
  {},
  ...readdirSync(new URL('../faults/judged/', import.meta.url)).map(name => parse(read(`judged/${name}`))),
);

export const unjudgedFaults = parse(read('not-judged.yaml')) as {
  readonly reasons: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, UnjudgedFault>>;
};

const supplied = parse(read('supplied.yaml')) as Readonly<Record<string, readonly string[]>>;

/** Entries of the exchange as it was. */
export const faultyJournal = ({ frames }: Fault, judged: Partial<JudgedFault> = {}): readonly Entry[] =>
  journalOf(
    frames.flatMap((frame, index) => [frame, ...supply(judged.insert?.[index + 1])]),
    judged,
  );

/** Entries of the exchange as it should have been. */
export const repairedJournal = ({ id, frames }: Fault, judged: JudgedFault): readonly Entry[] =>
  journalOf(
    judged.repaired.map(line => {
      const frame = typeof line === 'number' ? frames[line - 1] : line;
      if (frame === undefined) throw new Error(`${id} has no line ${line}`);
      return frame;
    }),
    judged,
  );

const journalOf = (lines: readonly string[], { before, after }: Partial<JudgedFault>): readonly Entry[] => {
  const steps = [...supply(before), ...lines, ...supply(after)].flatMap(stepsOf);
  return exchange(['EVENT start', ...steps.flatMap(initializedAgain)]);
};

const supply = (names: readonly string[] = []): readonly string[] =>
  names.flatMap(name => {
    const lines = supplied[name];
    if (!lines) throw new Error(`nothing is supplied under the name ${name}`);
    return lines;
  });

/** The words of an event as something that a journal holds; what happened behind the wire is not in it. */
const stepsOf = (line: string): readonly string[] => {
  if (line.startsWith('EXPECT ')) return [];
  if (!line.startsWith('EVENT ')) return [line];
  const words = line.slice('EVENT '.length);
  const span = /^(?<count>\d+) (?<unit>s|min)\b/.exec(words)?.groups;
  if (span) return [`EVENT pause ${Number(span.count) * (span.unit === 's' ? 1_000 : 60_000)}`];
  if (words.startsWith('stdin closed')) return ['EVENT input-closed'];
  if (words.startsWith('SIGTERM')) return ['EVENT terminate'];
  if (words === 'restart') return ['EVENT input-closed', 'EVENT eof', 'EVENT exit', 'EVENT restart'];
  return [];
};

/** A new process is initialized before anything else, which excerpts leave out. */
const initializedAgain = (step: string, index: number, steps: readonly string[]): readonly string[] => {
  const isLeftOut = step === 'EVENT restart' && !steps[index + 1]?.includes('"method":"initialize"');
  return isLeftOut ? [step, ...supply(['initialize'])] : [step];
};
