/**
 * Runs scenario instances once over one connection: folders, process, journal, scripts and rules together, and ends all
 * of them again.
 */
import { benchVersion } from '../base/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { fixtureClient } from '../fixture-client/index.ts';
import { createJournal, type JournalHeader, type Redactor, readJournal } from '../journal/index.ts';
import { passedOn, runVariable } from '../process/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { JournalReference } from '../report/index.ts';
import { runScripts, type ScriptBindings, type ScriptInstance, type ScriptResult } from '../script/index.ts';
import type { Clock } from '../wire/index.ts';
import { createConnections } from './connections.ts';
import { digestOfFile } from './digest-of-file.ts';
import { createLiveFold, type Folded } from './fold-journal.ts';
import type { Observation } from './grade.ts';
import { createLedger } from './ledger.ts';
import { observeConnections } from './observe-connections.ts';
import { sendsPrompts } from './script-facts.ts';
import type { Subject } from './subject.ts';

/** What all scenarios of a run share. */
export interface ScenarioSetting {
  readonly subject: Subject;
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly catalogue: Catalogue;
  /** Id of the run. */
  readonly run: string;
  /** Path of a file, given its path relative to the report. */
  readonly file: (name: string) => string;
  readonly redactor: Redactor;
  /** All but the folders, which each scenario gets anew. */
  readonly bindings: Omit<ScriptBindings, 'workspace' | 'home'>;
  readonly timeoutMs: number;
  /** How long to listen on after a turn for what must not come any more, in milliseconds. */
  readonly settleMs: number;
  /** Ends what runs at once; what comes of it is worth nothing. */
  readonly interrupted: AbortSignal;
  /** Told while a run only waits, so that others may use the processor meanwhile. Absent: nobody waits for it. */
  readonly resting?: <T>(wait: () => Promise<T>) => Promise<T>;
}

export interface ScenarioRun {
  readonly instance: ScriptInstance;
  readonly result: ScriptResult;
  /** What the rules saw. */
  readonly folded: Folded;
  /** What the script's own steps decided. */
  readonly decisions: readonly Observation[];
  readonly journal: JournalReference;
  readonly durationMs: number;
}

/**
 * @param instances more than one only where each may share a connection
 * @param journal path of the journal, relative to the report
 * @returns those that were run: not all where one did not pass
 * @throws UserError when the subject cannot be started or the journal cannot be written
 */
export const runScenarios = async (
  instances: readonly ScriptInstance[],
  journal: string,
  setting: ScenarioSetting,
): Promise<readonly ScenarioRun[]> => {
  const { subject, clock, protocol, catalogue, resting = wait => wait() } = setting;
  const place = subject.createPlace(instances[0]!.script.files ?? {});
  const bindings: ScriptBindings = { ...setting.bindings, ...place };
  const fold = createLiveFold({ protocol, catalogue, subject: subject.party, journal });
  const ledger = createLedger(catalogue);
  const record = createJournal({
    path: setting.file(journal),
    header: headerOf(instances, bindings, setting),
    redactor: setting.redactor,
    clock,
    onEntry: fold.step,
  });
  const connections = createConnections(subject, place, record, ledger.at);
  setting.interrupted.addEventListener('abort', connections.interrupt);
  // The first one answers for the start of the process.
  const times = [clock.now()];

  let results: readonly ScriptResult[];
  try {
    results = await runScripts(instances, {
      connect: connections.connect,
      clock,
      judge: ledger.judge,
      bindings,
      timeoutMs: setting.timeoutMs,
      settleMs: setting.settleMs,
      actor: fixtureClient({ workspace: place.workspace, environment: terminalEnvironment(setting.run) }),
      note(what) {
        if (what.event === 'scenario') {
          ledger.begins(what.scenario);
          if (what.scenario !== instances[0]!.id) times.push(clock.now());
        }
        record.append({ channel: 'bench', connection: connections.current(), what });
      },
    });
    const last = instances[results.length - 1]!;
    if (sendsPrompts(last.script) && !setting.interrupted.aborted)
      await resting(() => quiet(clock, setting.settleMs));
  } finally {
    setting.interrupted.removeEventListener('abort', connections.interrupt);
    await resting(connections.end);
    record.close();
  }
  times.push(clock.now());
  const { entries } = readJournal(setting.file(journal));
  const parts = fold.finish(entries);
  const decisions = observeConnections(ledger, parts[0].connections, journal, entries);
  const reference = { file: journal, sha256: digestOfFile(setting.file(journal)) };
  return results.map((result, index) => ({
    ...seenOf(instances[index]!, parts, decisions),
    result,
    journal: reference,
    durationMs: times[index + 1]! - times[index]!,
  }));
};

/** What a journal shows of one of its scenarios. */
export const seenOf = (
  instance: ScriptInstance,
  parts: readonly Folded[],
  decisions: readonly Observation[],
): Pick<ScenarioRun, 'instance' | 'folded' | 'decisions'> => ({
  instance,
  folded: parts.find(({ scenario }) => scenario === instance.id)!,
  decisions: decisions.filter(({ scenario }) => scenario === instance.id),
});

const headerOf = (
  instances: readonly ScriptInstance[],
  bindings: ScriptBindings,
  { run, subject }: ScenarioSetting,
): JournalHeader => ({
  journal: 'acp-testbench/1',
  bench: benchVersion(),
  run,
  startedAt: new Date().toISOString(),
  subject: subject.party,
  scripts: instances.map(({ id, digest }) => ({ id, digest })),
  bindings,
});

/** What terminals run carries the mark of the run, so that nothing of it is left behind. */
const terminalEnvironment = (run: string) => ({ ...passedOn(process.env), [runVariable]: run });

const quiet = (clock: Clock, ms: number): Promise<void> =>
  new Promise(resolve => void clock.timer(ms, () => resolve()));
