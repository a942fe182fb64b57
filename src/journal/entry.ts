/**
 * A journal is an append-only record of one run of one counterparty: what was sent, what came back, and what happened
 * to the process, in order. Rules and reports read nothing else.
 */
import type { Line, Message, Party, Sender } from '../wire/index.ts';

interface EntryBase {
  /** 1, 2, 3, … within one journal file. */
  readonly seq: number;
  /** Milliseconds on the system's monotonic clock, with fraction. */
  readonly t: number;
  /** 1 for the first process or connection of the run, 2 after a restart, and so on. */
  readonly connection: number;
}

/** A line on the ACP connection. */
export interface AcpEntry extends EntryBase {
  readonly channel: 'acp';
  readonly from: Party;
  readonly line: Line;
  /** The envelope of the line; absent for a malformed line. */
  readonly message: Message | undefined;
  /** Only on frames that the bench itself sent. */
  readonly by?: Sender;
  /** The script declares this frame faulty, so that it is not held against the bench. */
  readonly declaredFault?: true;
}

export interface StderrEntry extends EntryBase {
  readonly channel: 'stderr';
  readonly from: Party;
  readonly bytes: Uint8Array;
}

/** What happened to the counterparty's process or connection. */
export type ProcessEvent =
  | { readonly event: 'start'; readonly command: readonly string[]; readonly pid?: number }
  /** The counterparty closed its output. */
  | { readonly event: 'eof' }
  /** The bench closed the counterparty's input. */
  | { readonly event: 'input-closed' }
  | { readonly event: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly event: 'signal-sent'; readonly signal: string }
  | { readonly event: 'broken'; readonly reason: string }
  | { readonly event: 'left-behind'; readonly pids: readonly number[] };

export interface ProcessEntry extends EntryBase {
  readonly channel: 'process';
  readonly from: Party;
  readonly what: ProcessEvent;
}

/** What the bench noted: a timer that fired (so that a replay decides alike), a trigger, the start of a step. */
export type BenchEvent =
  | { readonly event: 'timer'; readonly id: number }
  /** A scenario begins; what follows, up to the next one, belongs to it. */
  | { readonly event: 'scenario'; readonly scenario: string }
  | { readonly event: 'step'; readonly step: string }
  | { readonly event: 'trigger'; readonly trigger: string; readonly fired: boolean }
  | { readonly event: 'note'; readonly text: string };

export interface BenchEntry extends EntryBase {
  readonly channel: 'bench';
  readonly what: BenchEvent;
}

export type Entry = AcpEntry | StderrEntry | ProcessEntry | BenchEntry;

/** An entry before the journal has given it its place. */
export type Draft<E extends Entry = Entry> = E extends Entry
  ? Omit<E, 'seq' | 't'> & { readonly t?: number }
  : never;

/** First line of a journal file. Everything a replay needs that is not an entry. */
export interface JournalHeader {
  readonly journal: 'acp-testbench/1';
  /** Version of the bench that wrote the file. */
  readonly bench: string;
  /** Id of the run, the same in all its journals. */
  readonly run: string;
  /** Wall clock time at the first entry, ISO 8601. */
  readonly startedAt: string;
  /** Who is judged in this journal. */
  readonly subject: Party;
  /**
   * The scenario instances to be run over this connection, in order, and the values that they were bound to; absent for
   * recordings. What of them was run, the entries say.
   */
  readonly scripts?: readonly { readonly id: string; readonly digest: string }[];
  readonly bindings?: Readonly<Record<string, unknown>>;
}
