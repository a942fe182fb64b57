/** Certifies an agent: plans, runs every scenario against it, grades, and keeps the report up to date on disk. */
import { setMaxListeners } from 'node:events';
import { loadCatalogue } from '../catalogue/index.ts';
import type { Redactor } from '../journal/index.ts';
import { loadProtocol, type Release } from '../protocol/index.ts';
import { type Report, type ScenarioResult, toJson } from '../report/index.ts';
import type { CompiledScript, ScriptBindings, ScriptInstance } from '../script/index.ts';
import type { Clock } from '../wire/index.ts';
import { assembleReport } from './assemble-report.ts';
import { type Means, obstacleOf } from './plan.ts';
import type { ReportFolder } from './report-folder.ts';
import { runPool } from './run-pool.ts';
import type { ScenarioSetting } from './run-scenario.ts';
import { runUntilDecided, type ScenarioRecord, skipped } from './scenario-record.ts';
import type { Subject } from './subject.ts';
import type { Tier } from './tiers.ts';

export interface CertifyOptions {
  readonly subject: Subject;
  readonly clock: Clock;
  /** Id of the run. */
  readonly run: string;
  readonly instances: readonly ScriptInstance[];
  readonly scripts: readonly CompiledScript[];
  readonly release: Release;
  /** Release of the bench at which the rules are frozen. */
  readonly rules: string | undefined;
  readonly tiers: readonly Tier[];
  readonly bindings: Omit<ScriptBindings, 'workspace' | 'home'>;
  /** Conditions that the user grants: `opt-in:logout`, `auth-credentials`. */
  readonly granted: ReadonlySet<string>;
  /** Whether prompts may be sent at all: they can cost money. */
  readonly promptsAllowed: boolean;
  readonly redactor: Redactor;
  readonly folder: ReportFolder;
  readonly jobs: number;
  /** Each scenario gets a process of its own. */
  readonly isolate: boolean;
  readonly repeat: number;
  readonly timeoutMs: number;
  /** For the first launch. */
  readonly startTimeoutMs: number;
  readonly settleMs: number;
  readonly failOn: 'fail' | 'warn';
  readonly allowIncomplete: boolean;
  /** End the run once this many scenarios failed. */
  readonly maxFailures: number | undefined;
  readonly interrupted: AbortSignal;
  readonly startedAt: Date;
  /** Options for the header of the report. */
  readonly shown: Report['header']['options'];
  onScenario(result: ScenarioResult): void;
}

/** @throws UserError when the agent cannot be started or the report cannot be written */
export const certify = async (options: CertifyOptions): Promise<Report> => {
  const { folder, instances, redactor, repeat } = options;
  // Every scenario that runs listens; Node warns of more than ten, and there are two for each processor.
  setMaxListeners(0, options.interrupted);
  const catalogue = loadCatalogue();
  const setting: ScenarioSetting = {
    ...options,
    catalogue,
    protocol: await loadProtocol(options.release),
    file: folder.file,
  };
  const records: ScenarioRecord[] = [];
  const add = (record: ScenarioRecord): void => {
    records.push(record);
    const scenario = redactor.value(record.scenario);
    folder.append('report.jsonl', JSON.stringify({ scenario, repeat: record.repeat }));
    options.onScenario(scenario);
  };
  const isOver = (): boolean =>
    options.interrupted.aborted ||
    (options.maxFailures !== undefined &&
      records.filter(({ scenario }) => scenario.verdict === 'fail').length >= options.maxFailures);
  const report = (): Report => redactor.value(assembleReport(records, options, catalogue));

  try {
    for (let round = 1; round <= repeat && !isOver(); round += 1) {
      await runRound(round);
    }
  } catch (error) {
    // What was recorded before stays readable, and says that it is not all.
    folder.write('report.json', toJson(report()));
    throw error;
  }
  const finished = report();
  folder.append('report.jsonl', JSON.stringify({ footer: finished.footer, summary: finished.summary }));
  folder.write('report.json', toJson(finished));
  return finished;

  async function runRound(round: number): Promise<void> {
    const [handshake, ...others] = instances as [ScriptInstance, ...ScriptInstance[]];
    const first = await runUntilDecided(handshake, round, { ...setting, timeoutMs: options.startTimeoutMs });
    if (options.interrupted.aborted) return;
    add(first);
    const start = first.runs.at(-1)!;
    const means: Means = {
      facts: start.folded.connections[0],
      stoppedBy: start.result.reason,
      triggers: options.bindings.triggers ?? {},
      granted: options.granted,
      promptsAllowed: options.promptsAllowed,
    };
    const possible: ScriptInstance[] = [];
    for (const instance of others) {
      const obstacle = obstacleOf(instance, means);
      if (obstacle) add(skipped(instance, round, obstacle));
      else possible.push(instance);
    }
    await runPool(possible, {
      jobs: options.jobs,
      isolate: options.isolate,
      round,
      setting,
      isOver,
      onRecord: add,
    });
  }
};
