/** The records of a run, derived again from the journals that its report names. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../catalogue/index.ts';
import { type Entry, type JournalHeader, readJournal } from '../journal/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { JournalReference, Report, ScenarioResult } from '../report/index.ts';
import { replayScript, type ScriptBindings, type ScriptInstance } from '../script/index.ts';
import { checkEntries, checkHeader } from './check-journal.ts';
import type { Differ } from './difference.ts';
import { digestOfFile } from './digest-of-file.ts';
import { foldJournal } from './fold-journal.ts';
import { createLedger } from './ledger.ts';
import { observeConnections } from './observe-connections.ts';
import { handshakeId, type Means, type Obstacle, obstacleOf } from './plan.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { recordOf, repeatOf, type ScenarioRecord, skipped } from './scenario-record.ts';

export interface DeriveOptions {
  /** That of the report. */
  readonly folder: string;
  readonly catalogue: Catalogue;
  readonly protocol: Protocol;
  /** By id. */
  readonly instances: ReadonlyMap<string, ScriptInstance>;
  readonly differ: Differ;
}

/** One record per scenario and repeat, in the order of the report. What is wrong with the journals is told. */
export const deriveRecords = async (
  report: Report,
  options: DeriveOptions,
): Promise<readonly ScenarioRecord[]> => {
  const { folder, catalogue, instances, differ } = options;
  const runs = new Map<string, readonly ScenarioRun[]>();
  const headers = new Map<string, JournalHeader>();
  for (const { id, journals } of report.scenarios) {
    const instance = instances.get(id);
    if (!instance) differ(id, 'there is no such scenario in this bench');
    if (!instance || runs.has(id)) continue;
    runs.set(id, await deriveRuns(instance, journals, headers, report, options));
  }
  checkFolder(report, folder, differ);
  if (new Set([...headers.values()].map(({ run }) => run)).size > 1)
    differ('report', 'its journals come from different runs');

  const repeats = report.header.options.repeat as number;
  return Array.from({ length: repeats }, (_, index) => index + 1).flatMap(repeat => {
    const ofRepeat = (id: string) =>
      (runs.get(id) ?? []).filter(({ journal }) => repeatOf(journal.file) === repeat);
    const why = reasonsNotToRun(ofRepeat(handshakeId).at(-1), report, headers);
    return report.scenarios.flatMap(scenario => {
      const instance = instances.get(scenario.id);
      if (!instance) return [];
      const own = ofRepeat(scenario.id);
      if (own.length > 0) return [recordOf(instance, repeat, own, catalogue)];
      const obstacle = why(instance);
      if (obstacle) return [skipped(instance, repeat, obstacle)];
      if (repeat === 1 || report.footer?.complete) tellMissing(scenario, repeat, differ);
      return [];
    });
  });
};

const tellMissing = ({ id, verdict }: ScenarioResult, repeat: number, differ: Differ): void =>
  differ(
    id,
    `its verdict is ${verdict}, but ${repeat === 1 ? 'there is no journal of it' : `repeat ${repeat} has no journal of it`}, and nothing kept it from being run`,
  );

/** Why a scenario was not run, as `certify` decides it after the handshake. */
const reasonsNotToRun = (
  handshake: ScenarioRun | undefined,
  { header: { options } }: Report,
  headers: ReadonlyMap<string, JournalHeader>,
): ((instance: ScriptInstance) => Obstacle | undefined) => {
  if (!handshake) return () => undefined;
  const { triggers = {} } = bindingsIn(headers.get(handshake.journal.file)!);
  const means: Means = {
    facts: handshake.folded.connections[0],
    stoppedBy: handshake.result.reason,
    triggers,
    granted: new Set((options.granted ?? []) as readonly string[]),
    promptsAllowed: options.promptsAllowed === true,
  };
  return instance => obstacleOf(instance, means);
};

const deriveRuns = async (
  instance: ScriptInstance,
  journals: readonly JournalReference[],
  headers: Map<string, JournalHeader>,
  report: Report,
  options: DeriveOptions,
): Promise<readonly ScenarioRun[]> => {
  const runs: ScenarioRun[] = [];
  for (const reference of journals) {
    const { file, sha256 } = reference;
    const path = join(options.folder, file);
    if (headers.has(file)) options.differ(file, 'the report names the journal twice');
    else if (!existsSync(path)) options.differ(file, 'the journal is missing');
    else {
      if (digestOfFile(path) !== sha256)
        options.differ(file, 'the journal is not the one that the report was made from');
      const { header, entries } = readJournal(path);
      headers.set(file, header);
      checkHeader(file, header, instance, report, options.differ);
      checkEntries(file, entries, report, options.differ);
      // The handshake is where a package is installed, or a container built.
      const { timeoutMs, startTimeoutMs } = report.header.options;
      const waits = instance.id === handshakeId ? startTimeoutMs : timeoutMs;
      runs.push(await deriveRun(instance, reference, { header, entries }, Number(waits), report, options));
    }
  }
  return runs;
};

const deriveRun = async (
  instance: ScriptInstance,
  journal: JournalReference,
  { header, entries }: { readonly header: JournalHeader; readonly entries: Iterable<Entry> },
  timeoutMs: number,
  { header: { subject } }: Report,
  { catalogue, protocol, differ }: DeriveOptions,
): Promise<ScenarioRun> => {
  const { file } = journal;
  const scenario = instance.id;
  const ledger = createLedger(catalogue);
  const bindings = bindingsIn(header);
  const { result, mismatches } = await replayScript(instance, atConnection(entries, ledger.at), {
    judge: ledger.judge,
    bindings,
    timeoutMs,
  });
  for (const { seq, expected, got } of mismatches) {
    differ(file, `#${seq}: the journal has ${expected}, the script gives ${got}`);
  }
  const folded = foldJournal(entries, { protocol, catalogue, subject, journal: file, scenario });
  const decisions = observeConnections(ledger, folded.connections, { journal: file, scenario }, entries);
  return { instance, result, folded, decisions, journal, durationMs: 0 };
};

/** Values that the script was bound to; a journal that is none of a script has been told of. */
const bindingsIn = ({ script }: JournalHeader): ScriptBindings =>
  (script?.bindings ?? { workspace: '/' }) as ScriptBindings;

/** In a complete report every journal has its place. */
const checkFolder = ({ scenarios, footer }: Report, folder: string, differ: Differ): void => {
  const journals = join(folder, 'journals');
  if (!footer?.complete || !existsSync(journals)) return;
  const named = new Set(scenarios.flatMap(scenario => scenario.journals.map(({ file }) => file)));
  for (const name of readdirSync(journals)) {
    const file = `journals/${name}`;
    if (!named.has(file)) differ(file, 'the report does not name this journal');
  }
};

/** Tells whose words follow as the entries are read. */
function* atConnection(
  entries: Iterable<Entry>,
  at: (connection: number) => void,
): Generator<Entry, void, undefined> {
  for (const entry of entries) {
    at(entry.connection);
    yield entry;
  }
}
