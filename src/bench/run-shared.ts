/** Runs scenarios one after the other in one process. */
import type { ScriptInstance } from '../script/index.ts';
import { runScenarios, type ScenarioSetting } from './run-scenario.ts';
import { journalName, recordOf, runUntilDecided, type ScenarioRecord } from './scenario-record.ts';
import type { Unit } from './sharing.ts';

export interface SharedRun {
  readonly records: readonly ScenarioRecord[];
  /** Not reached, since one before them did not pass. */
  readonly left: readonly ScriptInstance[];
}

/**
 * What does not pass after others is run again alone, and then that decides: an agent is not to be blamed for a
 * scenario that an earlier one spoiled. What the rules saw in the shared process counts all the same.
 * @param name of the journal
 */
export const runShared = async (
  unit: Unit,
  name: string,
  repeat: number,
  setting: ScenarioSetting,
): Promise<SharedRun> => {
  const runs = await runScenarios(unit, journalName(name, repeat, 1), setting);
  const records: ScenarioRecord[] = [];
  for (const [index, run] of runs.entries()) {
    const record = recordOf(run.instance, repeat, [run], setting.catalogue);
    const { verdict } = record.scenario;
    const isFinal =
      verdict === 'pass' || verdict === 'bench-error' || (index === 0 && verdict !== 'inconclusive');
    records.push(
      isFinal || setting.interrupted.aborted
        ? record
        : await runUntilDecided(run.instance, repeat, setting, record.runs),
    );
  }
  return { records, left: unit.slice(runs.length) };
};
