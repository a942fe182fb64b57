/** What a connection advertised, and whether that meets a requirement's condition. Positions: A-24. */

import { isObject, valueAt } from '../wire/index.ts';
import type { ConnectionFacts } from './connection-facts.ts';
import { loadCatalogue } from './load.ts';
import type { Condition } from './requirement.ts';

/**
 * Whether a capability is advertised on this connection: `true` for a boolean one, an object for an object one.
 * Absent, null, false, and a value of the other type are not advertised.
 * @param path such as `agentCapabilities.loadSession` or `clientCapabilities.fs.readTextFile`
 */
export const advertises = (facts: ConnectionFacts | undefined, path: string): boolean => {
  const payload = path.startsWith('agentCapabilities.') ? facts?.initializeResult : facts?.initializeParams;
  const value = valueAt(payload, path.split('.'));
  return loadCatalogue().capabilities.get(path)?.type === 'object' ? isObject(value) : value === true;
};

/** Why the condition does not hold on this connection, in words; undefined where it holds. */
export const unmet = (condition: Condition, facts: ConnectionFacts | undefined): string | undefined => {
  const missing = alternatives(condition).map(terms => terms.filter(term => !holds(term, facts)));
  if (missing.length === 0 || missing.some(terms => terms.length === 0)) return undefined;
  return missing.map(terms => terms.map(complaint).join(' and ')).join(', or ');
};

/** Capabilities that the condition asks to be advertised, in any of its alternatives. */
export const wanted = (condition: Condition): readonly string[] =>
  alternatives(condition)
    .flat()
    .filter(term => !term.startsWith('!'));

const alternatives = (condition: Condition): readonly (readonly string[])[] => {
  if (condition.length === 0) return [];
  const isNested = (terms: Condition): terms is readonly (readonly string[])[] => Array.isArray(terms[0]);
  return isNested(condition) ? condition : [condition];
};

const holds = (term: string, facts: ConnectionFacts | undefined): boolean =>
  term.startsWith('!') ? !advertises(facts, term.slice(1)) : advertises(facts, term);

const complaint = (term: string): string =>
  term.startsWith('!') ? `${term.slice(1)} is advertised` : `${term} is not advertised`;
