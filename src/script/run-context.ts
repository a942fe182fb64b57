/** What the verbs share while a script runs. */

import type { Evidence, RequirementId } from '../catalogue/index.ts';
import { type Json, otherParty, type Party, type SendMark } from '../wire/index.ts';
import type { ScriptHost, ScriptResult } from './host.ts';
import type { ScriptInstance } from './instances.ts';
import type { Mailbox } from './mailbox.ts';
import type { MatchContext } from './match.ts';
import type { Received, SentRequest } from './received.ts';
import type { Scheduler } from './scheduler.ts';
import type { Step } from './script.ts';
import type { Traffic } from './traffic.ts';
import type { Path } from './values.ts';
import type { Wakes } from './wakes.ts';

/** A sequence of steps that runs: the script's own, or one instance of a handler. */
export interface Thread {
  /** As in `steps` or `handlers[1]#2`. */
  readonly name: string;
  readonly connection: number;
  /** Values that only this thread sees, such as `$request`. */
  readonly locals: Map<string, Saved>;
  /** A handler of a session sees only that session's frames and answers to its own requests. */
  readonly session: string | undefined;
  readonly requests: Set<SentRequest>;
  /** Where it stands: the outermost list of steps first; the steps before `index` are over. */
  readonly levels: { readonly steps: readonly Step[]; index: number }[];
}

/** What a name stands for. */
export interface Saved {
  value(): Json | undefined;
  readonly exchange?: SentRequest;
  /** What was received, where the name is of one such thing. */
  item?(): Received | undefined;
}

/** State that several verbs change. */
export interface RunState {
  connection: number;
  hasEnded: boolean;
  hasExited: boolean;
  /** The last 64 KiB of the counterparty's standard error. */
  stderr: string;
  /** The trigger that was sent last, until what it should cause was seen. */
  trigger: string | undefined;
  /** Journal sequence of the frame that a step sent last. */
  lastSent: number | undefined;
  nextId: number;
  readonly signals: Map<string, number>;
}

export const initialState = (): RunState => ({
  connection: 1,
  hasEnded: false,
  hasExited: false,
  stderr: '',
  trigger: undefined,
  lastSent: undefined,
  nextId: 0,
  signals: new Map(),
});

/** Name of the thread of the script's own steps. */
export const mainThread = 'steps';

export interface Run {
  /** The script that runs now. */
  readonly instance: ScriptInstance;
  /** Another script ran on this connection before. */
  isContinued(): boolean;
  readonly host: ScriptHost;
  readonly state: RunState;
  readonly scheduler: Scheduler;
  readonly mailbox: Mailbox;
  readonly traffic: Traffic;
  readonly wakes: Pick<Wakes, 'after' | 'when'>;
  context(thread: Thread): MatchContext;
  saved(thread: Thread, name: string): Saved | undefined;
  save(thread: Thread, name: string, saved: Saved): void;
  resolve(thread: Thread, path: Path): Json | undefined;
  sees(thread: Thread, item: Received): boolean;
  /** Keeps requests of a method unanswered from now on. */
  hold(methods: readonly string[]): void;
  /** Reads nothing for this long, or until the run or the connection ends. */
  pauseReading(time: string): void;
  send(pieces: readonly Uint8Array[], mark: SendMark): Promise<void>;
  endInput(): void;
  decide(requirement: RequirementId, violation?: Evidence): void;
  /** Leaves the present connection: its events no longer count. */
  disconnect(): void;
  connect(stop: 'eof' | 'kill'): Promise<() => void>;
  runSteps(thread: Thread, steps: readonly Step[], name: string): Generator<void, void, void>;
}

/** Thrown by a verb: the thread ends, and with it a scenario. */
export class Ending extends Error {
  readonly result: Pick<ScriptResult, 'verdict' | 'reason' | 'blockedBy' | 'timedOut'>;
  /** Ends an agent script too. */
  readonly endsRun: boolean;

  constructor(result: Ending['result'], { endsRun = false }: { endsRun?: boolean } = {}) {
    super(result.reason);
    this.result = result;
    this.endsRun = endsRun;
  }
}

export const benchError = (reason: string): Ending => new Ending({ verdict: 'bench-error', reason });

/** What is on the other side. */
export const counterparty = ({ instance }: Run): Party => otherParty(instance.script.role);
