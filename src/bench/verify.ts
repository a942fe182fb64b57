/**
 * Derives a report again from its journals: each script runs over what was recorded, the rules fold it, the result is
 * graded, and whatever differs from the report is named.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Catalogue, loadCatalogue } from '../catalogue/index.ts';
import { readJournal } from '../journal/index.ts';
import { loadProtocol, type Protocol, type Release } from '../protocol/index.ts';
import type { JournalReference, Report, ScenarioResult } from '../report/index.ts';
import {
  type CompiledScript,
  instancesOf,
  replayScript,
  type ScriptBindings,
  type ScriptInstance,
} from '../script/index.ts';
import { loadScenarios } from '../script-library/index.ts';
import { gradeRecords } from './assemble-report.ts';
import { digestOfFile } from './digest-of-file.ts';
import { foldJournal } from './fold-journal.ts';
import { readReport } from './last-report.ts';
import { createLedger } from './ledger.ts';
import { reportHeader } from './report-header.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { recordOf, repeatOf, type ScenarioRecord, skipped } from './scenario-record.ts';
import type { Tier } from './tiers.ts';

/** One thing in which the report and what its journals give are not alike. */
export interface Difference {
  /** What it is about: a requirement, a scenario, a journal, or the report itself. */
  readonly subject: string;
  /** One sentence. */
  readonly detail: string;
}

/**
 * @param path folder or file of the report
 * @param scenarios the scripts to run again; default: those of this bench
 * @returns the report and all differences; none if the report is what its journals say
 * @throws UserError when the report or a journal cannot be read
 */
export const verifyReport = async (
  path: string,
  scenarios: () => Promise<readonly CompiledScript[]> = loadScenarios,
): Promise<{ readonly report: Report; readonly differences: readonly Difference[] }> => {
  const report = readReport(path);
  const folder = path.endsWith('.json') ? dirname(path) : path;
  const catalogue = loadCatalogue();
  const release = report.header.schemaRelease as Release;
  const scripts = await scenarios();
  const differences: Difference[] = [];
  const context: Context = {
    folder,
    catalogue,
    protocol: await loadProtocol(release),
    instances: new Map(scripts.flatMap(instancesOf).map(instance => [instance.id, instance])),
    timeoutMs: Number(report.header.options.timeoutMs),
    subject: report.header.subject,
    differ: (subject, detail) => void differences.push({ subject, detail }),
  };

  compareHeader(
    report,
    scripts.map(({ digest }) => digest),
    context,
  );
  const records: ScenarioRecord[] = [];
  for (const scenario of report.scenarios) records.push(...(await deriveScenario(scenario, context)));
  compareResults(report, records, context);
  return { report, differences };
};

interface Context {
  readonly folder: string;
  readonly catalogue: Catalogue;
  readonly protocol: Protocol;
  readonly instances: ReadonlyMap<string, ScriptInstance>;
  readonly timeoutMs: number;
  readonly subject: Report['header']['subject'];
  differ(subject: string, detail: string): void;
}

const compareHeader = ({ header, footer }: Report, scripts: readonly string[], { differ }: Context): void => {
  if (!footer) differ('report', 'it has no footer, so it was not finished');
  const { rulesDigest } = reportHeader({
    release: header.schemaRelease as Release,
    subject: header.subject,
    command: header.command,
    agentInfo: undefined,
    startedAt: new Date(header.startedAt),
    options: {},
    scripts,
  });
  if (rulesDigest !== header.rulesDigest) {
    differ('report', `it was judged by another catalogue, other scripts or another bench (${header.tool})`);
  }
};

/** The records of one scenario, one per repeat. */
const deriveScenario = async (
  scenario: ScenarioResult,
  context: Context,
): Promise<readonly ScenarioRecord[]> => {
  const instance = context.instances.get(scenario.id);
  if (!instance) {
    context.differ(scenario.id, 'there is no such scenario in this bench');
    return [];
  }
  if (scenario.journals.length === 0) return [withoutJournal(scenario, instance, context)];
  const byRepeat = new Map<number, ScenarioRun[]>();
  for (const journal of scenario.journals) {
    const run = await deriveRun(instance, journal, context);
    if (!run) continue;
    const repeat = repeatOf(journal.file);
    byRepeat.set(repeat, [...(byRepeat.get(repeat) ?? []), run]);
  }
  return [...byRepeat].map(([repeat, runs]) => recordOf(instance, repeat, runs, context.catalogue));
};

/** A scenario that was not run: only the report knows why. */
const withoutJournal = (
  { id, verdict, reason = '' }: ScenarioResult,
  instance: ScriptInstance,
  { differ }: Context,
): ScenarioRecord => {
  if (!notRun.has(verdict)) differ(id, `its verdict is ${verdict}, but there is no journal of it`);
  const blockedBy = verdict === 'blocked' ? { blockedBy: 'INIT-05' } : {};
  return skipped(instance, 1, {
    verdict: notRun.has(verdict) ? verdict : 'not-exercised',
    reason,
    ...blockedBy,
  });
};

const notRun: ReadonlySet<string> = new Set(['blocked', 'not-applicable', 'not-exercised']);

const deriveRun = async (
  instance: ScriptInstance,
  { file, sha256 }: JournalReference,
  { folder, catalogue, protocol, timeoutMs, subject, differ }: Context,
): Promise<ScenarioRun | undefined> => {
  const path = join(folder, file);
  if (!existsSync(path)) {
    differ(file, 'the journal is missing');
    return undefined;
  }
  if (digestOfFile(path) !== sha256) differ(file, 'the journal is not the one that the report was made from');
  const { header, entries } = readJournal(path);
  if (header.script?.id !== instance.id)
    differ(file, `it is a journal of ${header.script?.id ?? 'no scenario'}`);
  if (header.script && header.script.digest !== instance.digest) {
    differ(instance.id, 'the script has changed since it was run');
  }
  const ledger = createLedger(catalogue);
  const { result, mismatches } = await replayScript(instance, atConnection(entries, ledger.at), {
    judge: ledger.judge,
    bindings: header.script?.bindings as ScriptBindings,
    timeoutMs,
  });
  for (const { seq, expected, got } of mismatches) {
    differ(file, `#${seq}: the journal has ${expected}, the script gives ${got}`);
  }
  const folded = foldJournal(entries, { protocol, catalogue, subject, journal: file, scenario: instance.id });
  const decisions = folded.connections.map(facts => ({
    facts,
    scenario: instance.id,
    journal: file,
    judgements: ledger.judgements(facts.connection),
  }));
  return { instance, result, folded, decisions, journal: { file, sha256 }, durationMs: 0 };
};

const compareResults = (
  report: Report,
  records: readonly ScenarioRecord[],
  { catalogue, protocol, differ }: Context,
): void => {
  const { rules } = report.header.options;
  const derived = gradeRecords(records, catalogue, {
    release: protocol.release,
    subject: report.header.subject,
    tiers: report.header.options.tiers as readonly Tier[],
    ...(typeof rules === 'string' && { rules }),
  });
  const compare = (subject: string, what: string, reported: unknown, found: unknown): void => {
    const [before, after] = [JSON.stringify(reported), JSON.stringify(found)];
    if (before !== after) differ(subject, `${what} is ${before} in the report, ${after} by the journals`);
  };
  const scenarios = new Map(derived.scenarios.map(scenario => [scenario.id, scenario]));
  for (const { id, verdict, decided, found } of report.scenarios) {
    const other = scenarios.get(id);
    if (!other) continue;
    compare(id, 'the verdict', verdict, other.verdict);
    compare(id, 'what its steps decided', decided, other.decided);
    compare(id, 'what the rules found', found, other.found);
  }
  const requirements = new Map(derived.requirements.map(result => [result.id, result]));
  for (const { id, verdict, exercised, violated } of report.requirements) {
    const other = requirements.get(id);
    compare(id, 'the verdict', verdict, other?.verdict);
    compare(id, 'the count of opportunities', exercised, other?.exercised);
    compare(id, 'the count of violations', violated, other?.violated);
  }
  compare('report', 'the level', report.summary.level, derived.summary.level);
  compare('report', 'the counts', report.summary.counts, derived.summary.counts);
};

/** Tells whose words follow as the entries are read. */
function* atConnection<E extends { readonly connection: number }>(
  entries: Iterable<E>,
  at: (connection: number) => void,
): Generator<E, void, undefined> {
  for (const entry of entries) {
    at(entry.connection);
    yield entry;
  }
}
