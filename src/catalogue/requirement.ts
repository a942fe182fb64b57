/** The requirement catalogue as types; the data is `requirements/requirements.json`, checked against its schema. */
import type { Party } from '../wire/index.ts';
import type { Situation } from './situations.ts';

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
  readonly situation: Situation;
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
  /** What shows that the party uses a later feature without advertising it, so that an earlier release judges it too. */
  readonly usedWhen?: 'exercised' | 'violated';
  /** Why nothing judges it although it binds a party: the observation that would be needed, and is impossible. */
  readonly excluded?: string;
  /** Why nothing can violate it: it only permits. Use of the permission counts as exercised. */
  readonly permission?: string;
  /** Requirements whose failure blocks this one. */
  readonly dependsOn?: readonly RequirementId[];
  /** Release of the bench that introduced or last tightened the requirement. */
  readonly bench: string;
}

/** A settled reading of a point on which the protocol's documents are silent or disagree. */
export interface Position {
  /** Such as `A-16`. */
  readonly id: string;
  readonly topic: string;
  readonly issue: string;
  readonly position: string;
}

/** How a capability is advertised: `true`, or an object. */
export interface Capability {
  readonly type: 'boolean' | 'object';
  /** Protocol release that introduced it. */
  readonly since: string;
}

export interface Catalogue {
  /** In the order of the file, which is the order of reports. */
  readonly requirements: ReadonlyMap<RequirementId, Requirement>;
  readonly positions: ReadonlyMap<string, Position>;
  /** By path from the root of the initialize result or params, such as `agentCapabilities.loadSession`. */
  readonly capabilities: ReadonlyMap<string, Capability>;
  /** The vocabulary of `requires`: name -> what it means. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Protocol releases that `since` may name, oldest first. */
  readonly sinceOrder: readonly string[];
  /** The one requirement of this id or alias; undefined when there is none, or when an alias covers several. */
  resolve(name: string): RequirementId | undefined;
  /** All requirements of this id or alias, in the order of the file. Ids of other kits often cover several of ours. */
  matching(name: string): readonly RequirementId[];
}
