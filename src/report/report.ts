/** The one report object that every output format is made from, and that `report.json` holds. */
import type { Evidence, RequirementId, ViolationVerdict } from '../catalogue/index.ts';
import type { Json, Party } from '../wire/index.ts';

/** In the order in which they win over a run: the first that holds is the verdict. */
export const requirementVerdicts = [
  'unstable',
  'fail',
  'warn',
  'info',
  'pass',
  'inconclusive',
  'blocked',
  'not-exercised',
  'not-applicable',
] as const;
export type RequirementVerdict = (typeof requirementVerdicts)[number];
/** A script can also be broken itself. */
export type ScenarioVerdict = RequirementVerdict | 'bench-error';

/** A journal entry as a report shows it: cut at 2 kB, redacted as the journal is. */
export interface ShownEntry {
  readonly seq: number;
  /** Milliseconds since the first entry of the journal. */
  readonly t: number;
  /** What it is, in a few words: `frame of the agent`, `stderr`, `exit {"code":1,"signal":null}`. */
  readonly label: string;
  /** The frame, or the text of a malformed line; absent for events. */
  readonly content?: string;
}

export interface ReportFinding {
  readonly verdict: ViolationVerdict;
  /** The case of the requirement that set the verdict, in words; absent for its default. */
  readonly case?: string;
  /** Scenario instance in which it was seen; absent when a lone journal was judged. */
  readonly scenario?: string;
  /** Path of the journal, relative to the report. */
  readonly journal: string;
  readonly evidence: Omit<Evidence, 'message'>;
  /** The entry that provoked it (`evidence.after`). */
  readonly sent?: ShownEntry;
  /** The entry that shows it (`evidence.seq`). */
  readonly got?: ShownEntry;
}

export interface RequirementResult {
  readonly id: RequirementId;
  readonly party: Party | 'both';
  readonly level: string;
  readonly verdict: RequirementVerdict;
  /** Why it is blocked, not exercised or not applicable. */
  readonly reason?: string;
  readonly exercised: number;
  /** Violations counted, also those beyond the pieces of evidence that are kept. */
  readonly violated: number;
  /** At most 20. */
  readonly findings: readonly ReportFinding[];
}

export interface JournalReference {
  /** Path relative to the report. */
  readonly file: string;
  /** Digest of the file as it was when the report was written, in hex. */
  readonly sha256: string;
}

export interface ScenarioResult {
  /** Script id, with `[name=value]` for an instance of a family. */
  readonly id: string;
  readonly title: string;
  readonly verdict: ScenarioVerdict;
  readonly reason?: string;
  readonly durationMs: number;
  readonly attempts: number;
  /** It did not pass beside or after others, and passed when run alone. */
  readonly onlyAlone?: true;
  /** One per attempt, in order. The last one decides. Scenarios that shared a process share a journal. */
  readonly journals: readonly JournalReference[];
  /** What each requirement got from this scenario's own steps. */
  readonly decided: Readonly<Record<RequirementId, 'pass' | 'fail' | 'warn' | 'info'>>;
  /** Triggers that were sent, and whether the agent did what they are for; absent where none was. */
  readonly triggers?: Readonly<Record<string, boolean>>;
  /** What rules found violated in its journals, and the worst of it. */
  readonly found: Readonly<Record<RequirementId, ViolationVerdict>>;
}

export type Level = 'conformant' | 'partial' | 'non-conformant' | 'incomplete';

export interface Report {
  readonly header: {
    readonly report: 'acp-testbench/1';
    readonly tool: string;
    /** Digest of catalogue, rules and scripts; equal digests mean equal judging. */
    readonly rulesDigest: string;
    readonly schemaRelease: string;
    readonly subject: Party;
    readonly command: readonly string[];
    readonly agentInfo?: Json;
    readonly platform: string;
    readonly startedAt: string;
    readonly options: Readonly<Record<string, Json>>;
  };
  readonly summary: {
    readonly level: Level;
    /** Level of each tier that was run. */
    readonly tiers: Readonly<Record<string, Level>>;
    readonly counts: Readonly<Partial<Record<RequirementVerdict, number>>>;
    readonly scenarioCounts: Readonly<Partial<Record<ScenarioVerdict, number>>>;
    /** Requirements that keep the level at `partial`. */
    readonly unexercised: readonly RequirementId[];
  };
  readonly requirements: readonly RequirementResult[];
  readonly scenarios: readonly ScenarioResult[];
  /** Present only in a finished report; an interrupted one says so. */
  readonly footer?: {
    readonly complete: boolean;
    readonly interrupted?: true;
    readonly finishedAt: string;
    readonly exitCode: number;
  };
}
