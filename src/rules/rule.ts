/**
 * A rule is a pure fold over the entries of a journal. It holds no text, level or verdict (those are the catalogue's),
 * does no I/O, and keeps its state bounded: what grows with the number of sessions or calls holds 64-bit hashes at most.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import type { Seen, SeenFrame } from './seen.ts';

/** What a rule is told once, before the first entry. */
export interface RuleSetting {
  readonly protocol: Protocol;
  /** The party that is judged. Frames of the other party are context, never violations. */
  readonly subject: Party;
}

/**
 * What a rule wants to see: a method for its requests, notifications and responses, the method with
 * ` call` or ` result` after it for these alone, `update:<kind>` for one kind of
 * session/update, `other` for entries that are not lines, or a trait of a line, of either party:
 * - `line` any; `malformed` that is no frame; `frame` that is one; `after-malformed` the first frame after one that is
 *   none, of the same party; `not-plain` a frame with what is not ASCII, a backslash or a carriage return, or one of
 *   which that is not known; `peer` of the party that is not judged; `unagreed` before the initialize result
 * - `invalid` a frame with a fault of its envelope; `faulty` a message with faults by schema or text; `meta` one with
 *   `_meta` in its params, result or update; `agreed` one that is, or comes after, the initialize result
 * - `call` a request or notification; `request` a request; `acp-call` one with a method of the release; `custom` one
 *   with a custom method; `params` one with params; `odd-params` one with params that are no object
 * - `result`, `error` a response; `acp-result` a result to a request with a method of the release
 * - `update-request` a session/update that is a request; `begun-update` one after an initialize request; `idle-update` one
 *   whose session has no open prompt; `stray-update` one whose session is not open; `turn-update` turn content whose session has an open prompt
 */
export type Topic = string;

export interface Rule<State> {
  /** Kebab-case, as in reports and `explain`. */
  readonly name: string;
  /** What the rule can decide, each with its opportunity: what must be seen to count as exercised. */
  readonly requirements: Readonly<Record<RequirementId, string>>;
  /** Entries with one of these topics come to `step`; absent: every entry. The narrower, the cheaper a stream of updates. */
  readonly on?: readonly Topic[];
  /**
   * Opportunities that need no `step`: every frame of the judged party with one of these topics is one. They are told
   * at the end of the connection.
   */
  counts?(setting: RuleSetting): Readonly<Record<RequirementId, readonly Topic[]>>;
  /** The party that all its requirements bind; absent where both can be judged. */
  readonly party?: Party;
  /** `run` keeps one state over all connections of the run; otherwise each connection has its own. */
  readonly scope?: 'run';
  /** Holds whatever protocol version was agreed; other rules see only frames of version 1, or before any. */
  readonly everyVersion?: true;
  init(setting: RuleSetting): State;
  step(state: State, seen: Seen, judge: Judge): void;
  /** After the last entry: for what had to come and did not, and for what was counted on the way. */
  end?(state: State, judge: Judge): void;
}

/** A rule of any state, as lists of rules hold it. */
// biome-ignore lint/suspicious/noExplicitAny: each rule's state is known to that rule alone
export type AnyRule = Rule<any>;

/** A rule whose `step` takes both kinds of entries. */
export const defineRule = <State>(rule: Rule<State>): Rule<State> => rule;

/** A rule over lines alone: `step` is never called for another entry. */
export const defineFrameRule = <State>(
  rule: Omit<Rule<State>, 'step'> & {
    readonly on: readonly Topic[];
    step(state: State, seen: SeenFrame, judge: Judge): void;
  },
): Rule<State> => rule as unknown as Rule<State>;
