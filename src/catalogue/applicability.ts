/** Whether a requirement applies to a connection, and if not, what it gets instead and why. */

import type { Release } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import { advertises, unmet, wanted } from './capabilities.ts';
import type { ConnectionFacts } from './connection-facts.ts';
import { loadCatalogue } from './load.ts';
import type { Requirement } from './requirement.ts';

export interface Setting {
  readonly release: Release;
  /** The party that is judged. */
  readonly subject: Party;
  /** What is known of the connection; undefined where none came about. */
  readonly facts: ConnectionFacts | undefined;
  /** What was seen of the requirement on this connection; what was seen needs no condition to make it possible. */
  readonly seen?: { readonly exercised: boolean; readonly violated: boolean };
}

export type Applicability =
  | { readonly applies: true }
  | {
      readonly applies: false;
      readonly verdict: 'not-applicable' | 'blocked' | 'not-exercised';
      /** One phrase for people. */
      readonly reason: string;
    };

/** Decides in this order: party, testability, release, capabilities, other conditions. */
export const applicability = (requirement: Requirement, setting: Setting): Applicability =>
  party(requirement, setting) ??
  testability(requirement) ??
  release(requirement, setting) ??
  capabilities(requirement, setting) ??
  conditions(requirement, setting) ?? { applies: true };

/** The last `since` that belongs to each release of the schema. */
const newestOf: Readonly<Record<Release, string>> = {
  '0.12.1': 'v0.12.1',
  '1.19.0': 'v1.19.0',
  '1.21.0': 'v1.21.0',
  latest: 'sdk-2.0.0',
};

/** Whether `since` names something that the release of the schema does not have yet. */
export const isLaterThan = (release: Release, since: string): boolean => {
  const { sinceOrder } = loadCatalogue();
  return sinceOrder.indexOf(since) > sinceOrder.indexOf(newestOf[release]);
};

const party = ({ party: bound }: Requirement, { subject }: Setting) =>
  bound === 'both' || bound === subject ? undefined : no('not-applicable', `binds the ${bound}`);

const testability = ({ needs, excluded }: Requirement) =>
  needs === 'untestable' || excluded !== undefined
    ? no('not-applicable', 'cannot be seen on the wire')
    : undefined;

const release = (requirement: Requirement, setting: Setting) =>
  !isLaterThan(setting.release, requirement.since) || isInUse(requirement, setting)
    ? undefined
    : no('not-applicable', `since ${requirement.since}; judged by release ${setting.release}`);

/** A later feature that is advertised, or used without that, is judged by the release that introduced it. */
const isInUse = ({ applies, since, usedWhen }: Requirement, { facts, seen }: Setting): boolean => {
  const { capabilities: known } = loadCatalogue();
  const own = [...wanted(applies.agent), ...wanted(applies.client)].filter(
    path => known.get(path)?.since === since,
  );
  return own.some(path => advertises(facts, path)) || (usedWhen !== undefined && seen?.[usedWhen] === true);
};

const capabilities = ({ applies }: Requirement, { facts }: Setting) => {
  if (applies.agent.length === 0 && applies.client.length === 0) return undefined;
  if (!facts?.initializeResult) return no('blocked', 'no initialize result says what is supported');
  const reason = unmet(applies.agent, facts) ?? unmet(applies.client, facts);
  return reason === undefined ? undefined : no('not-applicable', reason);
};

const conditions = ({ requires }: Requirement, { subject, facts, seen }: Setting) => {
  if (seen?.exercised || seen?.violated) return undefined;
  const missing = requires.filter(name => countsFor(subject, name) && !facts?.situations.has(name));
  if (missing.length === 0) return undefined;
  const { conditions: meaning } = loadCatalogue();
  return no('not-exercised', missing.map(name => `${name} did not hold (${meaning.get(name)})`).join('; '));
};

/** What an agent is brought to do, and what a user of a client does, count only where that party is judged. */
const countsFor = (subject: Party, name: string): boolean =>
  subject === 'agent' ? !name.startsWith('drive:') : !name.startsWith('trigger:');

const no = (verdict: 'not-applicable' | 'blocked' | 'not-exercised', reason: string) =>
  ({ applies: false, verdict, reason }) as const;
