/** The requirement catalogue as types; the data is `requirements/requirements.json`, checked against its schema. */
import type { Party } from '../journal/entry.ts';

/** Such as `CANCEL-02`. Ids are never reused. */
export type RequirementId = string;

/** Verdict of a violation. */
export type ViolationVerdict = 'fail' | 'warn' | 'info';

/** Capability paths of one side; `!` before a path means "not advertised". A list of lists holds alternatives. */
export type Condition = readonly string[] | readonly (readonly string[])[];

export interface VerdictCase {
  /** The situation in words. */
  readonly when: string;
  /** The situation as a named predicate, see situations.ts. */
  readonly situation: string;
  readonly verdict: ViolationVerdict;
  readonly position?: string;
}

export interface Requirement {
  readonly id: RequirementId;
  readonly party: Party | 'both';
  readonly level: 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';
  readonly statement: string;
  /** Protocol release that introduced it. */
  readonly since: string;
  readonly applies: { readonly agent: Condition; readonly client: Condition };
  /** Other conditions, from the closed vocabulary of the catalogue; all must hold. */
  readonly requires: readonly string[];
  readonly needs: 'none' | 'turn' | 'scripted' | 'client-sut' | 'driver' | 'passive' | 'untestable';
  readonly opportunity: string;
  readonly test: string;
  readonly basis: 'explicit' | 'schema' | 'jsonrpc' | 'implied' | 'rfd';
  readonly verdict: ViolationVerdict;
  readonly cases?: readonly VerdictCase[];
  readonly position?: string;
  readonly disputed?: true;
  readonly disputed_reason?: string;
  readonly verdict_reason?: string;
  readonly source: string;
  readonly url?: string;
  readonly notes?: string;
  readonly aliases?: readonly string[];
  readonly optional?: boolean;
  /** Requirements whose failure blocks this one. */
  readonly dependsOn?: readonly RequirementId[];
  /** Release of the bench that introduced or last tightened the requirement. */
  readonly bench: string;
}
