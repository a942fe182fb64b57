/** The agent's output as a file, written once for all configurations that read it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { agentOutput, updatesPerTurn } from './agent-output.ts';
import { plantedFaults } from './planted-faults.ts';
import { requestCount } from './session.ts';

export interface Corpus {
  readonly path: string;
  readonly turns: number;
  /** `session/update` notifications, without the planted faults. */
  readonly updates: number;
  readonly lines: number;
  readonly bytes: number;
}

export const writeCorpus = (path: string, turns: number): Corpus => {
  const file = openSync(path, 'w');
  let lines = 0;
  let bytes = 0;
  for (const batch of inBatches(agentOutput(turns))) {
    lines += batch.length;
    bytes += writeSync(file, `${batch.join('\n')}\n`);
  }
  closeSync(file);
  return { path, turns, updates: turns * total(updatesPerTurn), lines, bytes };
};

/** Lines of so many turns: answers, updates, and the planted faults. */
export const lineCount = (turns: number): number =>
  requestCount(turns) +
  turns * total(updatesPerTurn) +
  plantedFaults.reduce((sum, { lines }) => sum + lines.length, 0);

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const batchLines = 1000;

export function* inBatches(lines: Iterable<string>): Generator<readonly string[], void, undefined> {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < batchLines) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
