/** The records of a run, derived again from the journals that its report names. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../catalogue/index.ts';
import { type Entry, type JournalHeader, readJournal } from '../journal/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { JournalReference, Report, ScenarioResult } from '../report/index.ts';
import { replayScripts, type ScriptBindings, type ScriptInstance } from '../script/index.ts';
import { checkEntries, checkHeader } from './check-journal.ts';
import type { Differ } from './difference.ts';
import { digestOfFile } from './digest-of-file.ts';
import { foldJournal } from './fold-journal.ts';
import { createLedger } from './ledger.ts';
import { observeConnections } from './observe-connections.ts';
import { handshakeId, type Means, type Obstacle, obstacleOf } from './plan.ts';
import { type ScenarioRun, seenOf } from './run-scenario.ts';
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
  const journals: Journals = new Map();
  for (const scenario of report.scenarios) {
    const instance = instances.get(scenario.id);
    if (!instance) differ(scenario.id, 'there is no such scenario in this bench');
    if (!instance || runs.has(scenario.id)) continue;
    runs.set(scenario.id, await deriveRuns(instance, scenario.journals, journals, report, options));
  }
  checkFolder(report, folder, differ);
  checkShared(report, journals, differ);
  if (new Set([...journals.values()].map(({ header }) => header.run)).size > 1)
    differ('report', 'its journals come from different runs');

  const repeats = report.header.options.repeat as number;
  return Array.from({ length: repeats }, (_, index) => index + 1).flatMap(repeat => {
    const ofRepeat = (id: string) =>
      (runs.get(id) ?? []).filter(({ journal }) => repeatOf(journal.file) === repeat);
    const why = reasonsNotToRun(ofRepeat(handshakeId).at(-1), report, journals);
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
  journals: Journals,
): ((instance: ScriptInstance) => Obstacle | undefined) => {
  if (!handshake) return () => undefined;
  const { triggers = {} } = bindingsIn(journals.get(handshake.journal.file)!.header);
  const means: Means = {
    facts: handshake.folded.connections[0],
    stoppedBy: handshake.result.reason,
    triggers,
    granted: new Set((options.granted ?? []) as readonly string[]),
    promptsAllowed: options.promptsAllowed === true,
  };
  return instance => obstacleOf(instance, means);
};

/** What was derived of each journal, by its path in the report. */
type Journals = Map<string, { readonly header: JournalHeader; readonly runs: readonly ScenarioRun[] }>;

const deriveRuns = async (
  instance: ScriptInstance,
  references: readonly JournalReference[],
  journals: Journals,
  report: Report,
  options: DeriveOptions,
): Promise<readonly ScenarioRun[]> => {
  const { differ } = options;
  const runs: ScenarioRun[] = [];
  for (const { file, sha256 } of references) {
    const path = join(options.folder, file);
    if (runs.some(({ journal }) => journal.file === file)) differ(file, 'the report names the journal twice');
    else if (!existsSync(path)) differ(file, 'the journal is missing');
    else {
      const reference = { file, sha256: digestOfFile(path) };
      if (reference.sha256 !== sha256)
        differ(file, 'the journal is not the one that the report was made from');
      const known = journals.get(file) ?? (await deriveJournal(reference, report, options));
      journals.set(file, known);
      checkHeader(file, known.header, instance, report, differ);
      const run = known.runs.find(each => each.instance === instance);
      if (run) runs.push({ ...run, journal: { file, sha256 } });
      else if (known.runs.length > 0) differ(file, `${instance.id} was not run in it`);
    }
  }
  return runs;
};

const deriveJournal = async (
  journal: JournalReference,
  report: Report,
  { folder, catalogue, protocol, instances: known, differ }: DeriveOptions,
): Promise<{ readonly header: JournalHeader; readonly runs: readonly ScenarioRun[] }> => {
  const { file } = journal;
  const { header, entries } = readJournal(join(folder, file));
  checkEntries(file, entries, report, differ);
  const instances = (header.scripts ?? []).flatMap(({ id }) => known.get(id) ?? []);
  // One that this bench does not have is told of with the scenario that names the journal.
  if (instances.length === 0 || instances.length !== header.scripts?.length) return { header, runs: [] };

  // The handshake is where a package is installed, or a container built.
  const { timeoutMs, startTimeoutMs } = report.header.options;
  const ledger = createLedger(catalogue);
  const { results, mismatches } = await replayScripts(instances, atConnection(entries, ledger.at), {
    judge: ledger.judge,
    bindings: bindingsIn(header),
    timeoutMs: Number(instances[0]!.id === handshakeId ? startTimeoutMs : timeoutMs),
    note: event => event.event === 'scenario' && ledger.begins(event.scenario),
  });
  for (const { seq, expected, got } of mismatches) {
    differ(file, `#${seq}: the journal has ${expected}, the script gives ${got}`);
  }
  const { subject } = report.header;
  const parts = foldJournal(entries, { protocol, catalogue, subject, journal: file });
  const decisions = observeConnections(ledger, parts[0].connections, file, entries);
  const runs = results.flatMap((result, index) => {
    const seen = seenOf(instances[index]!, parts, decisions);
    // A journal that was changed may not tell of each scenario; the mismatch is told above.
    return seen.folded ? [{ ...seen, result, journal, durationMs: 0 }] : [];
  });
  return { header, runs };
};

/** Each scenario that a shared journal tells of counts: a report must not leave one out. */
const checkShared = ({ scenarios }: Report, journals: Journals, differ: Differ): void => {
  for (const [file, { runs }] of journals) {
    for (const { instance } of runs) {
      const scenario = scenarios.find(({ id }) => id === instance.id);
      if (!scenario?.journals.some(journal => journal.file === file))
        differ(file, `${instance.id} was run in it, which the report does not say`);
    }
  }
};

/** Values that the scripts were bound to; a journal that is none of a script has been told of. */
const bindingsIn = ({ bindings }: JournalHeader): ScriptBindings =>
  (bindings ?? { workspace: '/' }) as ScriptBindings;

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
