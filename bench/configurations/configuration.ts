/** One way to take the agent's output. */
import type { Readable } from 'node:stream';

export interface Task {
  readonly turns: number;
  /** An empty folder for what it writes. */
  readonly folder: string;
}

export interface Outcome {
  /** Lines of the agent that arrived where they should. */
  readonly lines: number;
  /** How often each requirement was found violated; only where something judges. */
  readonly violated?: Readonly<Record<string, number>>;
}

/** Loads what it needs, which is not timed. The function that it returns takes the output to its end. */
export type Configuration = (task: Task) => Promise<(output: Readable) => Promise<Outcome>>;
