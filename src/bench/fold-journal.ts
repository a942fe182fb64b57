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
  /** Scenario instance that the journal belongs to. */
  readonly scenario?: string;
}

export interface Folded {
  readonly observations: readonly Observation[];
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
  /** After the last entry; `entries` are those of the journal, as it was written. */
  finish(entries: Iterable<Entry>): Folded;
}

/** Folds entries as they come. */
export const createLiveFold = ({ protocol, catalogue, subject, ...at }: FoldOptions): LiveFold => {
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
  const triggers = new Map<string, boolean>();
  let command: readonly string[] | undefined;
  return {
    step(entry) {
      if (entry.channel === 'process' && entry.what.event === 'start') command ??= entry.what.command;
      if (entry.channel === 'bench' && entry.what.event === 'trigger') {
        const { trigger, fired } = entry.what;
        triggers.set(trigger, fired || triggers.get(trigger) === true);
      }
      fold.step(entry);
    },
    finish(entries) {
      fold.end();
      const { connections } = fold;
      return {
        observations: observeConnections(ledger, connections, at, entries),
        connections,
        established: connections.some(({ established }) => established),
        agentInfo: connections.find(hasAnswered)?.initializeResult?.agentInfo,
        command: command ?? [],
        benchFaults,
        triggers: Object.fromEntries(triggers),
        lastWords: connections.some(hasAnswered) ? undefined : lastWordsIn(entries),
      };
    },
  };
};

const hasAnswered = ({ initializeResult }: ConnectionFacts): boolean => initializeResult !== undefined;

/** Folds a whole journal. */
export const foldJournal = (entries: Iterable<Entry>, options: FoldOptions): Folded => {
  const fold = createLiveFold(options);
  for (const entry of entries) fold.step(entry);
  return fold.finish(entries);
};
