/** Runs scenarios side by side; one that waited in vain is repeated alone, since the others may have kept it waiting. */
import type { ScriptInstance } from '../script/index.ts';
import type { ScenarioSetting } from './run-scenario.ts';
import { repeatedAlone, runUntilDecided, type ScenarioRecord, waitedInVain } from './scenario-record.ts';

export interface PoolOptions {
  readonly jobs: number;
  /** Which repeat of the whole run this is, from 1. */
  readonly round: number;
  readonly setting: ScenarioSetting;
  /** Asked before each scenario; once true, no further one is begun. */
  readonly isOver: () => boolean;
  /** Called once per scenario, when its verdict is final; not for one that was interrupted. */
  readonly onRecord: (record: ScenarioRecord) => void;
}

export const runPool = async (instances: readonly ScriptInstance[], options: PoolOptions): Promise<void> => {
  const { jobs, round, setting, isOver, onRecord } = options;
  const doubtful: ScenarioRecord[] = [];
  const queue = instances.values();
  const work = async (): Promise<void> => {
    for (const instance of queue) {
      if (isOver()) return;
      const record = await runUntilDecided(instance, round, setting);
      if (setting.interrupted.aborted) return;
      if (jobs > 1 && waitedInVain(record)) doubtful.push(record);
      else onRecord(record);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, instances.length) }, work));
  for (const record of doubtful) {
    const again = isOver() ? record : await repeatedAlone(record, round, setting);
    onRecord(setting.interrupted.aborted ? record : again);
  }
};
