/**
 * Keeps what rules and scripts say of each connection: how often a requirement was exercised, and its violations. A
 * violation is graded as it comes and its message dropped, so that a ledger stays small whatever a run sends.
 */
import {
  type Catalogue,
  type Evidence,
  gradeViolation,
  type Judge,
  type Requirement,
  type RequirementId,
  type ViolationVerdict,
} from '../catalogue/index.ts';
import type { ReportFinding } from '../report/index.ts';

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
  const connections = new Map<number, Map<RequirementId, Account>>();
  const accountsOf = (connection: number) => {
    const known = connections.get(connection);
    if (known) return known;
    const opened = new Map<RequirementId, Account>();
    connections.set(connection, opened);
    return opened;
  };
  let number = 1;
  let current = accountsOf(number);
  const account = (id: RequirementId): Account => {
    const known = current.get(id);
    if (known) return known;
    const requirement = catalogue.requirements.get(id);
    if (!requirement) throw new Error(`a rule or script names ${id}, which the catalogue does not have`);
    const opened = openAccount(requirement);
    current.set(id, opened);
    return opened;
  };
  return {
    judge: {
      exercised: (id, times = 1) => {
        account(id).exercised += times;
      },
      violated: (id, evidence) => enter(account(id), evidence),
    },
    at: connection => {
      if (connection === number) return;
      number = connection;
      current = accountsOf(connection);
    },
    judgements: connection =>
      [...(connections.get(connection) ?? [])].map(([requirement, { exercised, violated, findings }]) => ({
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
  readonly requirement: Requirement;
  exercised: number;
  readonly violated: Record<ViolationVerdict, number>;
  readonly findings: Record<ViolationVerdict, Finding[]>;
}

const openAccount = (requirement: Requirement): Account => ({
  requirement,
  exercised: 0,
  violated: { fail: 0, warn: 0, info: 0 },
  findings: { fail: [], warn: [], info: [] },
});

const enter = ({ requirement, violated, findings }: Account, evidence: Evidence): void => {
  const { verdict, case: fitting } = gradeViolation(requirement, evidence);
  violated[verdict] += 1;
  if (findings[verdict].length >= keptFindings) return;
  const { message: _, ...shown } = evidence;
  findings[verdict].push({ verdict, ...(fitting && { case: fitting.when }), evidence: shown });
};
