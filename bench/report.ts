/** The figures of a run, and which of the targets they meet. */
import type { ConfigurationName, Outcome } from './configurations/index.ts';
import type { Consumed } from './consume.ts';
import { type Corpus, lineCount } from './corpus.ts';
import { machine } from './machine.ts';
import type { Measured } from './measure.ts';
import type { Rounds, StartUp } from './measurements.ts';
import { median } from './median.ts';
import { plantedFaults } from './planted-faults.ts';

export interface BenchReport {
  readonly machine: ReturnType<typeof machine>;
  readonly corpus: Omit<Corpus, 'path'>;
  readonly throughput: Readonly<Record<ConfigurationName, Throughput>>;
  readonly startUp: { readonly versionMs: number; readonly emptyMs: number };
  readonly memory: Pick<Consumed, 'lines' | 'bytes' | 'milliseconds' | 'peakBytes'>;
  readonly targets: readonly Target[];
}

/** Medians over the rounds; the ratios are those within each round, since no machine is equally idle all the time. */
export interface Throughput {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly linesPerSecond: number;
  readonly megabytesPerSecond: number;
  readonly timesBare: number;
  readonly timesSdk: number;
  /** The same of the first pass, as a run that takes such an output once has it: most of it is not compiled yet. */
  readonly first: { readonly milliseconds: number; readonly timesBare: number; readonly timesSdk: number };
}

export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly seen: string;
  readonly isMet: boolean;
}

export interface Figures {
  readonly corpus: Corpus;
  readonly rounds: Rounds;
  readonly startUp: StartUp;
  readonly memory: Consumed;
}

/** @throws Error when a configuration lost a line, or the rules did not find exactly the planted faults */
export const reportOf = ({ corpus, rounds, startUp, memory }: Figures): BenchReport => {
  for (const [name, measured] of Object.entries(rounds)) {
    // The SDK drops what it finds invalid.
    const expected = name === 'sdk' ? corpus.lines - droppedBySdk : corpus.lines;
    for (const outcome of measured) assertWhole(name, outcome, expected);
  }
  assertWhole('memory', memory, lineCount(memory.turns));

  const throughput = Object.fromEntries(
    Object.entries(rounds).map(([name, measured]) => [name, throughputOf(measured, rounds, corpus)]),
  ) as Record<ConfigurationName, Throughput>;
  const { path: _, ...described } = corpus;
  const { version, empty } = startUp;
  const { lines, bytes, milliseconds, peakBytes } = memory;
  return {
    machine: machine(),
    corpus: described,
    throughput,
    startUp: { versionMs: median(version), emptyMs: median(empty) },
    memory: { lines, bytes, milliseconds, peakBytes },
    targets: [
      atLeast('pipeline, of the bare rate', 0.5, throughput.pipeline.timesBare),
      atLeast('pipeline, times the SDK', 8, throughput.pipeline.timesSdk),
      atMost('--version, times node -e 0', 1.6, median(version) / median(empty)),
      atMost('resident MB while streaming', 200, peakBytes / 1e6),
    ],
  };
};

/** The planted faults that the SDK rejects as well: it tells of them on stderr. */
export const droppedBySdk = 1;

/** How often each requirement is broken in the corpus. */
const planted = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const id of plantedFaults.flatMap(({ breaks }) => breaks)) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};

const assertWhole = (name: string, { lines, violated }: Outcome, expected: number): void => {
  if (lines !== expected) throw new Error(`${name}: ${lines} of ${expected} lines arrived`);
  const shown = (counts: Readonly<Record<string, number>>) => JSON.stringify(Object.entries(counts).sort());
  if (violated && shown(violated) !== shown(planted())) {
    throw new Error(`${name}: found ${shown(violated)} instead of the planted ${shown(planted())}`);
  }
};

const throughputOf = (
  measured: readonly Measured[],
  { bare, sdk }: Rounds,
  { lines, bytes }: Corpus,
): Throughput => {
  const milliseconds = median(measured.map(round => round.milliseconds));
  const times = (other: readonly Measured[], of: 'milliseconds' | 'firstMilliseconds'): number =>
    median(measured.map((round, index) => other[index]![of] / round[of]));
  return {
    milliseconds,
    cpuMilliseconds: median(measured.map(round => round.cpuMilliseconds)),
    linesPerSecond: (lines / milliseconds) * 1000,
    megabytesPerSecond: bytes / milliseconds / 1000,
    timesBare: times(bare, 'milliseconds'),
    timesSdk: times(sdk, 'milliseconds'),
    first: {
      milliseconds: median(measured.map(round => round.firstMilliseconds)),
      timesBare: times(bare, 'firstMilliseconds'),
      timesSdk: times(sdk, 'firstMilliseconds'),
    },
  };
};

const atLeast = (what: string, limit: number, value: number): Target => ({
  what,
  wanted: `at least ${limit}`,
  seen: value.toFixed(2),
  isMet: value >= limit,
});

const atMost = (what: string, limit: number, value: number): Target => ({
  what,
  wanted: `at most ${limit}`,
  seen: value.toFixed(2),
  isMet: value <= limit,
});
