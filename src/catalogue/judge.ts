/**
 * How rules and scripts say what they saw. They never give a verdict: they say that a requirement was exercised, or
 * that something violated it and what the evidence is. The catalogue turns that into a verdict.
 */
import type { Json, Message } from '../wire/index.ts';
import type { RequirementId } from './requirement.ts';

/** What shows a violation. All members but `detail` are optional; a report shows those that are there. */
export interface Evidence {
  /** One sentence: what was seen that must not be, or missed that must be. */
  readonly detail: string;
  /** Journal sequence of the entry that shows it. */
  readonly seq?: number;
  /** Journal sequence of what provoked it: the request, the cancel, the earlier frame that it contradicts. */
  readonly after?: number;
  /** The actual message; predicates of verdict cases look at it. */
  readonly message?: Message;
  /** No answer came within the time limit. */
  readonly timedOut?: true;
  /** The counterparty's process ended or its output closed instead of an answer. */
  readonly ended?: true;
  /** JSON pointer of the offending member, from the root of the frame. */
  readonly pointer?: string;
  /** The set of acceptable values or frames, in words or as a pattern. */
  readonly expected?: string;
  readonly actual?: Json;
  /** Says what the frame alone cannot tell; one of the names in situations.ts. */
  readonly situation?: string;
  /** What probably went wrong, and what to do. */
  readonly hint?: string;
}

export interface Judge {
  /** The situation arose in which the requirement could have been violated; `times`, 1 by default, says how often. */
  exercised(requirement: RequirementId, times?: number): void;
  /** The requirement was violated. Does not imply `exercised`; call both. */
  violated(requirement: RequirementId, evidence: Evidence): void;
}
