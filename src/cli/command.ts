/** A command: its arguments as data, and what it does with them. Exit code out, text to `out`, nothing else. */
import type { Args, ParsedArgs } from './arg.ts';
import type { Output } from './output.ts';

export interface Running<A extends Args> {
  readonly args: ParsedArgs<A>;
  readonly out: Output;
  /**
   * From the first call on, Ctrl-C aborts the signal, and a second one ends the bench at once. A command that does not
   * call it ends as any program does.
   */
  interruption(): AbortSignal;
}

export interface Command<A extends Args = Args> {
  readonly name: string;
  readonly summary: string;
  readonly args: A;
  /** Everything after the first word that is no option belongs to the last positional, options included. */
  readonly passThrough?: true;
  /** Examples for the help text, without the leading `acp-testbench`. */
  readonly examples?: readonly string[];
  run(running: Running<A>): Promise<number> | number;
}

export const defineCommand = <const A extends Args>(command: Command<A>): Command =>
  command as unknown as Command;
