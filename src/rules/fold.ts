/**
 * Runs the rules over a journal, live or read back. Every entry is annotated once; a rule sees only what it asked for,
 * so that a stream of updates costs each rule nothing that it does not look at.
 */
import type { ConnectionFacts, Judge } from '../catalogue/index.ts';
import type { Entry } from '../journal/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import { createAnnotator } from './annotate.ts';
import { type BenchFault, benchFaults } from './bench-faults.ts';
import { type Board, bind, createBoard } from './board.ts';
import type { AnyRule, RuleSetting } from './rule.ts';
import { isFrame } from './seen.ts';

export interface RuleFoldOptions {
  readonly protocol: Protocol;
  /** The party that is judged. */
  readonly subject: Party;
  readonly judge: Judge;
  readonly rules: readonly AnyRule[];
  /** Gets the faults of frames that the bench itself sent and that no script declared. */
  readonly onBenchFault?: (fault: BenchFault) => void;
  /** Called before the rules speak of a connection: at each of its entries, and at the end. */
  readonly onConnection?: (connection: number) => void;
}

export interface RuleFold {
  step(entry: Entry): void;
  /** After the last entry. Call it once. */
  end(): void;
  /** What is known of each connection so far, in the order in which they appeared. */
  readonly connections: readonly ConnectionFacts[];
}

export const createFold = (options: RuleFoldOptions): RuleFold => {
  const { protocol, subject, judge, rules, onBenchFault, onConnection = () => {} } = options;
  const setting: RuleSetting = { protocol, subject };
  const counting = countViolations(judge);
  const annotator = createAnnotator(setting);
  const judging = rules.filter(({ party }) => party === undefined || party === subject);
  const perRun = judging.filter(({ scope }) => scope === 'run').map(rule => bind(rule, setting));
  const perConnection = judging.filter(({ scope }) => scope !== 'run');
  const boards = new Map<number, Board>();
  let latest: Board | undefined;

  const boardOf = (connection: number): Board => {
    if (latest?.connection === connection) return latest;
    latest = boards.get(connection);
    if (!latest) {
      latest = createBoard(
        connection,
        perConnection.map(rule => bind(rule, setting)),
        perRun,
        setting,
      );
      boards.set(connection, latest);
    }
    return latest;
  };

  return {
    connections: annotator.connections,
    step(entry) {
      onConnection(entry.connection);
      const seen = annotator.annotate(entry);
      const wanting = boardOf(entry.connection).wanting(seen);
      for (let at = 0; at < wanting.length; at++) {
        const { step, state } = wanting[at]!;
        step(state, seen, counting.judge);
      }
      if (onBenchFault && isFrame(seen) && seen.from !== subject) benchFaults(seen).forEach(onBenchFault);
    },
    end() {
      for (const { connection, own, end } of boards.values()) {
        onConnection(connection);
        end(counting.judge);
        for (const { rule, state } of own) rule.end?.(state, counting.judge);
      }
      for (const { rule, state } of perRun) rule.end?.(state, counting.judge);
      counting.end();
    },
  };
};

/** A violation is an opportunity too: a requirement that was violated and that no rule counted counts once. */
const countViolations = (judge: Judge): { readonly judge: Judge; end(): void } => {
  const exercised = new Set<string>();
  const violated = new Set<string>();
  return {
    judge: {
      exercised(requirement, times) {
        exercised.add(requirement);
        judge.exercised(requirement, times);
      },
      violated(requirement, evidence) {
        violated.add(requirement);
        judge.violated(requirement, evidence);
      },
    },
    end() {
      for (const requirement of violated) if (!exercised.has(requirement)) judge.exercised(requirement);
    },
  };
};
