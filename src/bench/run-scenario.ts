/** Runs one scenario instance once: folders, process, journal, script and rules together, and ends all of them again. */
import { benchVersion } from '../base/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { fixtureClient } from '../fixture-client/index.ts';
import { createJournal, type JournalHeader, type Redactor, readJournal } from '../journal/index.ts';
import { passedOn, runVariable } from '../process/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { JournalReference } from '../report/index.ts';
import { runScript, type ScriptBindings, type ScriptInstance, type ScriptResult } from '../script/index.ts';
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
 * @param journal path of the journal, relative to the report
 * @throws UserError when the subject cannot be started or the journal cannot be written
 */
export const runScenario = async (
  instance: ScriptInstance,
  journal: string,
  setting: ScenarioSetting,
): Promise<ScenarioRun> => {
  const { subject, clock, protocol, catalogue } = setting;
  const begun = clock.now();
  const place = subject.createPlace(instance.script.files ?? {});
  const bindings: ScriptBindings = { ...setting.bindings, ...place };
  const fold = createLiveFold({
    protocol,
    catalogue,
    subject: subject.party,
    journal,
    scenario: instance.id,
  });
  const ledger = createLedger(catalogue);
  const record = createJournal({
    path: setting.file(journal),
    header: headerOf(instance, bindings, setting),
    redactor: setting.redactor,
    clock,
    onEntry: fold.step,
  });
  const connections = createConnections(subject, place, record, ledger.at);
  setting.interrupted.addEventListener('abort', connections.interrupt);

  let result: ScriptResult;
  try {
    result = await runScript(instance, {
      connect: connections.connect,
      clock,
      judge: ledger.judge,
      bindings,
      timeoutMs: setting.timeoutMs,
      actor: fixtureClient({ workspace: place.workspace, environment: terminalEnvironment(setting.run) }),
      note: what => void record.append({ channel: 'bench', connection: connections.current(), what }),
    });
    if (sendsPrompts(instance.script) && !setting.interrupted.aborted) await quiet(clock, setting.settleMs);
  } finally {
    setting.interrupted.removeEventListener('abort', connections.interrupt);
    await connections.end();
    record.close();
  }
  const { entries } = readJournal(setting.file(journal));
  const folded = fold.finish(entries);
  const decisions = observeConnections(
    ledger,
    folded.connections,
    { journal, scenario: instance.id },
    entries,
  );
  const reference = { file: journal, sha256: digestOfFile(setting.file(journal)) };
  return { instance, result, folded, decisions, journal: reference, durationMs: clock.now() - begun };
};

const headerOf = (
  { id, digest }: ScriptInstance,
  bindings: ScriptBindings,
  { run, subject }: ScenarioSetting,
): JournalHeader => ({
  journal: 'acp-testbench/1',
  bench: benchVersion(),
  run,
  startedAt: new Date().toISOString(),
  subject: subject.party,
  script: { id, digest, bindings },
});

/** What terminals run carries the mark of the run, so that nothing of it is left behind. */
const terminalEnvironment = (run: string) => ({ ...passedOn(process.env), [runVariable]: run });

const quiet = (clock: Clock, ms: number): Promise<void> =>
  new Promise(resolve => void clock.timer(ms, () => resolve()));
