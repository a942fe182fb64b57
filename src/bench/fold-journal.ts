/** The rules over entries, live or read back, and what they saw of each connection. */
import type { Catalogue, ConnectionFacts } from '../catalogue/index.ts';
import type { Entry } from '../journal/index.ts';
import type { Protocol } from '../protocol/index.ts';
import { type BenchFault, createRuleFold } from '../rules/index.ts';
import type { Json, Party } from '../wire/index.ts';
import type { Observation } from './grade.ts';
import { lastWordsIn } from './last-words.ts';
import { createLedger } from './ledger.ts';
import { observeConnections } from './observe-connections.ts';

export interface FoldOptions {
  readonly protocol: Protocol;
  readonly catalogue: Catalogue;
  readonly subject: Party;
  /** Path of the journal, relative to the report. */
  readonly journal: string;
}

/** What was seen of one scenario of a journal, or of the whole of one that is of no scenario. */
export interface Folded {
  /** Scenario instance. */
  readonly scenario: string | undefined;
  readonly observations: readonly Observation[];
  /** Of the journal. */
  readonly connections: readonly ConnectionFacts[];
  /** A session/new or a session/prompt succeeded. */
  readonly established: boolean;
  readonly agentInfo: Json | undefined;
  /** Command line of the first process. */
  readonly command: readonly string[];
  readonly benchFaults: readonly BenchFault[];
  /** Triggers that were sent, and whether the agent did what they are for. */
  readonly triggers: Readonly<Record<string, boolean>>;
  /**
   * How the first process ended of itself, and the last line that it wrote to stderr; looked for only where no
   * initialize was answered.
   */
  readonly lastWords: string | undefined;
}

export interface LiveFold {
  step(entry: Entry): void;
  /** After the last entry: one result per scenario that was run, in order. `entries` are those of the journal, as it was written. */
  finish(entries: Iterable<Entry>): readonly [Folded, ...Folded[]];
}

/** Folds entries as they come. */
export const createLiveFold = ({ protocol, catalogue, subject, journal }: FoldOptions): LiveFold => {
  const ledger = createLedger(catalogue);
  const benchFaults: BenchFault[] = [];
  const onBenchFault = (fault: BenchFault) => void benchFaults.push(fault);
  const fold = createRuleFold({
    protocol,
    subject,
    judge: ledger.judge,
    onBenchFault,
    onConnection: ledger.at,
  });
  let current: Part = emptyPart(undefined, 0);
  const parts: [Part, ...Part[]] = [current];
  let command: readonly string[] | undefined;
  return {
    step(entry) {
      if (entry.channel === 'process' && entry.what.event === 'start') command ??= entry.what.command;
      if (entry.channel === 'bench' && entry.what.event === 'trigger') {
        const { trigger, fired } = entry.what;
        current.triggers.set(trigger, fired || current.triggers.get(trigger) === true);
      }
      if (entry.channel === 'bench' && entry.what.event === 'scenario') {
        const { scenario } = entry.what;
        ledger.begins(scenario, entry.seq);
        current = emptyPart(scenario, entry.seq);
        if (parts[0].scenario === undefined) parts[0] = current;
        else parts.push(current);
      }
      fold.step(entry);
    },
    finish(entries) {
      fold.end();
      const { connections } = fold;
      const observations = observeConnections(ledger, connections, journal, entries);
      const ofJournal = {
        connections,
        established: connections.some(({ established }) => established),
        agentInfo: connections.find(hasAnswered)?.initializeResult?.agentInfo,
        command: command ?? [],
        lastWords: connections.some(hasAnswered) ? undefined : lastWordsIn(entries),
      };
      const [first, ...others] = parts;
      const foldedOf = ({ scenario, seq, triggers }: Part, index: number): Folded => ({
        ...ofJournal,
        scenario,
        observations: observations.filter(observation => observation.scenario === scenario),
        benchFaults: benchFaults.filter(
          fault => (index === 0 || fault.seq >= seq) && fault.seq < (parts[index + 1]?.seq ?? Infinity),
        ),
        triggers: Object.fromEntries(triggers),
      });
      return [foldedOf(first, 0), ...others.map((part, index) => foldedOf(part, index + 1))];
    },
  };
};

interface Part {
  readonly scenario: string | undefined;
  /** Where it begins. */
  readonly seq: number;
  readonly triggers: Map<string, boolean>;
}

const emptyPart = (scenario: string | undefined, seq: number): Part => ({
  scenario,
  seq,
  triggers: new Map(),
});

const hasAnswered = ({ initializeResult }: ConnectionFacts): boolean => initializeResult !== undefined;

/** Folds a whole journal: one result per scenario of it. */
export const foldJournal = (
  entries: Iterable<Entry>,
  options: FoldOptions,
): readonly [Folded, ...Folded[]] => {
  const fold = createLiveFold(options);
  for (const entry of entries) fold.step(entry);
  return fold.finish(entries);
};
