/** What the rules make of an exchange, with the verdict of the catalogue. */
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Release } from '../../src/protocol/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import type { Party } from '../../src/wire/index.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';

const protocols = {
  latest: await loadProtocol('latest'),
  '0.12.1': await loadProtocol('0.12.1'),
};

interface Setting {
  /** Default: agent. */
  readonly subject?: Party;
  /** Default: latest. */
  readonly release?: Release & keyof typeof protocols;
}

/** `verdict requirement` of each violation with its evidence, and what was exercised. */
export const judged = (steps: readonly string[], { subject = 'agent', release = 'latest' }: Setting = {}) => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol: protocols[release], subject, judge });
  for (const entry of exchange(steps)) fold.step(entry);
  fold.end();
  const verdicts = judge.violations.map(({ requirement, evidence }) => {
    const entry = loadCatalogue().requirements.get(requirement)!;
    return `${gradeViolation(entry, evidence).verdict} ${requirement}`;
  });
  return { verdicts, evidence: judge.violations.map(({ evidence }) => evidence), exercised: judge.counts };
};

/** The verdicts alone, for agents. */
export const verdictsOf = (...steps: readonly string[]): readonly string[] => judged(steps).verdicts;

/** The verdicts alone, for clients. */
export const clientVerdictsOf = (...steps: readonly string[]): readonly string[] =>
  judged(steps, { subject: 'client' }).verdicts;
