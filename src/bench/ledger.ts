/**
 * Keeps what rules and scripts say of each connection: how often a requirement was exercised, and its violations. A
 * violation is graded as it comes and its message dropped, so that a ledger stays small whatever a run sends.
 */
import {
  type Catalogue,
  type Evidence,
  gradeViolation,
  type Judge,
  type RequirementId,
  type ViolationVerdict,
} from '../catalogue/index.ts';
import type { ReportFinding } from '../report/report.ts';

/** Pieces of evidence that are kept of a requirement; the rest is counted. */
export const keptFindings = 20;

/** A violation before it is known to which scenario and journal it belongs. */
export type Finding = Omit<ReportFinding, 'scenario' | 'journal'>;

/** What one connection showed of one requirement. */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly exercised: number;
  /** All violations by verdict, also those beyond the findings that are kept. */
  readonly violated: Readonly<Record<ViolationVerdict, number>>;
  /** Worst first, at most `keptFindings`. */
  readonly findings: readonly Finding[];
}

export interface Ledger {
  readonly judge: Judge;
  /** Says to which connection the judge's next words belong. Before the first call it is connection 1. */
  at(connection: number): void;
  /** What was said of a connection so far. */
  judgements(connection: number): readonly Judgement[];
}

export const createLedger = (catalogue: Catalogue): Ledger => {
  const accounts = new Map<number, Map<RequirementId, Account>>();
  let current = 1;
  const account = (requirement: RequirementId): Account => {
    const ofConnection = accounts.get(current) ?? new Map<RequirementId, Account>();
    accounts.set(current, ofConnection);
    const known = ofConnection.get(requirement) ?? openAccount();
    ofConnection.set(requirement, known);
    return known;
  };
  return {
    judge: {
      exercised: requirement => {
        account(requirement).exercised += 1;
      },
      violated: (requirement, evidence) => {
        const known = catalogue.requirements.get(requirement);
        if (!known)
          throw new Error(`a rule or script names ${requirement}, which the catalogue does not have`);
        enter(account(requirement), gradeViolation(known, evidence), evidence);
      },
    },
    at: connection => {
      current = connection;
    },
    judgements: connection =>
      [...(accounts.get(connection) ?? [])].map(([requirement, { exercised, violated, findings }]) => ({
        requirement,
        exercised,
        violated: { ...violated },
        findings: worstFirst([...findings.fail, ...findings.warn, ...findings.info]),
      })),
  };
};

/** Orders findings by verdict, keeps their order within it, and cuts the list to what a report keeps. */
export const worstFirst = <F extends { readonly verdict: ViolationVerdict }>(
  findings: readonly F[],
): readonly F[] =>
  bySeverity
    .flatMap(verdict => findings.filter(finding => finding.verdict === verdict))
    .slice(0, keptFindings);

const bySeverity: readonly ViolationVerdict[] = ['fail', 'warn', 'info'];

interface Account {
  exercised: number;
  readonly violated: Record<ViolationVerdict, number>;
  readonly findings: Record<ViolationVerdict, Finding[]>;
}

const openAccount = (): Account => ({
  exercised: 0,
  violated: { fail: 0, warn: 0, info: 0 },
  findings: { fail: [], warn: [], info: [] },
});

const enter = (
  account: Account,
  { verdict, case: fitting }: ReturnType<typeof gradeViolation>,
  { message: _dropped, ...evidence }: Evidence,
): void => {
  account.violated[verdict] += 1;
  if (account.findings[verdict].length >= keptFindings) return;
  account.findings[verdict].push({ verdict, ...(fitting && { case: fitting.when }), evidence });
};
