/**
 * Keeps what rules and scripts say of each connection and scenario: how often a requirement was exercised, and its violations. A
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

/** What one scenario on one connection showed of one requirement. */
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
  /**
   * A scenario begins: what is said from now on belongs to it.
   * @param seq place of its beginning in the journal; given, a violation that an earlier entry shows goes to the
   * scenario of that entry, whenever it is told
   */
  begins(scenario: string, seq?: number): void;
  /** What was said of a connection so far, by scenario; under no name where none began. */
  judgements(connection: number): ReadonlyMap<string | undefined, readonly Judgement[]>;
}

export const createLedger = (catalogue: Catalogue): Ledger => {
  const connections = new Map<number, Map<string | undefined, Accounts>>();
  const accountsOf = (connection: number, scenario: string | undefined): Accounts => {
    const known = connections.get(connection);
    const scenarios = known ?? new Map<string | undefined, Accounts>();
    if (!known) connections.set(connection, scenarios);
    const accounts = scenarios.get(scenario) ?? new Map<RequirementId, Account>();
    scenarios.set(scenario, accounts);
    return accounts;
  };
  const scenarios: { readonly scenario: string; readonly seq: number }[] = [];
  let number = 1;
  let scenario: string | undefined;
  let current = accountsOf(number, scenario);
  const accountIn = (accounts: Accounts, id: RequirementId): Account => {
    const known = accounts.get(id);
    if (known) return known;
    const requirement = catalogue.requirements.get(id);
    if (!requirement) throw new Error(`a rule or script names ${id}, which the catalogue does not have`);
    const opened = openAccount(requirement);
    accounts.set(id, opened);
    return opened;
  };
  const accountsAt = (seq: number | undefined): Accounts => {
    if (seq === undefined || scenarios.length < 2 || seq >= scenarios.at(-1)!.seq) return current;
    const shown = scenarios.findLast(each => each.seq <= seq) ?? scenarios[0]!;
    return accountsOf(number, shown.scenario);
  };
  return {
    judge: {
      exercised: (id, times = 1) => {
        accountIn(current, id).exercised += times;
      },
      violated: (id, evidence) => enter(accountIn(accountsAt(evidence.seq), id), evidence),
    },
    at: connection => {
      if (connection === number) return;
      number = connection;
      current = accountsOf(connection, scenario);
    },
    begins(next, seq) {
      if (seq !== undefined) scenarios.push({ scenario: next, seq });
      // What came before the first one is about its start.
      const unnamed = scenario === undefined ? connections.get(number) : undefined;
      unnamed?.set(next, current);
      unnamed?.delete(undefined);
      scenario = next;
      current = accountsOf(number, next);
    },
    judgements: connection =>
      new Map(
        [...(connections.get(connection) ?? [])].map(([name, accounts]) => [name, judgementsIn(accounts)]),
      ),
  };
};

const judgementsIn = (accounts: Accounts): readonly Judgement[] =>
  [...accounts].map(([requirement, { exercised, violated, findings }]) => ({
    requirement,
    exercised,
    violated: { ...violated },
    findings: worstFirst([...findings.fail, ...findings.warn, ...findings.info]),
  }));

/** Orders findings by verdict, keeps their order within it, and cuts the list to what a report keeps. */
export const worstFirst = <F extends { readonly verdict: ViolationVerdict }>(
  findings: readonly F[],
): readonly F[] =>
  bySeverity
    .flatMap(verdict => findings.filter(finding => finding.verdict === verdict))
    .slice(0, keptFindings);

const bySeverity: readonly ViolationVerdict[] = ['fail', 'warn', 'info'];

type Accounts = Map<RequirementId, Account>;

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
