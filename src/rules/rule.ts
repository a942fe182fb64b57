/**
 * A rule is a pure fold over the entries of a journal. It holds no text, level or verdict (those are the catalogue's),
 * does no I/O, and keeps its state bounded: what grows with the number of sessions or calls holds 64-bit hashes at most.
 */
import type { Judge } from '../catalogue/judge.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Party } from '../journal/entry.ts';
import type { Protocol } from '../protocol/protocol.ts';
import type { Seen } from './seen.ts';

/** What a rule is told once, before the first entry. */
export interface RuleSetting {
  readonly protocol: Protocol;
  /** The party that is judged. Frames of the other party are context, never violations. */
  readonly subject: Party;
}

export interface Rule<State> {
  /** Kebab-case, as in reports and `explain`. */
  readonly name: string;
  /** What the rule can decide, each with its opportunity: what must be seen to count as exercised. */
  readonly requirements: Readonly<Record<RequirementId, string>>;
  init(setting: RuleSetting): State;
  step(state: State, seen: Seen, judge: Judge): void;
  /** After the last entry: for what had to come and did not. */
  end?(state: State, judge: Judge): void;
}

export const defineRule = <State>(rule: Rule<State>): Rule<State> => rule;
