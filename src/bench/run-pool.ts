/** Runs scenarios side by side; one that waited in vain is repeated alone, since the others may have kept it waiting. */
import type { ScriptInstance } from '../script/index.ts';
import type { ScenarioSetting } from './run-scenario.ts';
import { runShared } from './run-shared.ts';
import { repeatedAlone, runUntilDecided, type ScenarioRecord, waitedInVain } from './scenario-record.ts';
import { unitsOf } from './sharing.ts';
import { createSlots } from './slots.ts';

export interface PoolOptions {
  readonly jobs: number;
  /** Each scenario gets a process of its own. */
  readonly isolate: boolean;
  /** Which repeat of the whole run this is, from 1. */
  readonly round: number;
  readonly setting: ScenarioSetting;
  /** Asked before each process; once true, no further one is begun. */
  readonly isOver: () => boolean;
  /** Called once per scenario, when its verdict is final; not for one that was interrupted. */
  readonly onRecord: (record: ScenarioRecord) => void;
}

export const runPool = async (instances: readonly ScriptInstance[], options: PoolOptions): Promise<void> => {
  const { jobs, round, isOver, onRecord } = options;
  const slots = createSlots(jobs);
  const setting: ScenarioSetting = { ...options.setting, resting: slots.without };
  const doubtful: ScenarioRecord[] = [];
  const queue = [...unitsOf(instances, options)];
  let shared = 0;

  const finish = (record: ScenarioRecord): void => {
    if (setting.interrupted.aborted) return;
    if (jobs > 1 && waitedInVain(record)) doubtful.push(record);
    else onRecord(record);
  };
  const work = async (): Promise<void> => {
    for (let unit = queue.shift(); unit && !isOver(); unit = queue.shift()) {
      const [first, ...others] = unit;
      if (others.length === 0) finish(await slots.within(() => runUntilDecided(first!, round, setting)));
      else {
        shared += 1;
        const name = `shared-${shared}`;
        const { records, left } = await slots.within(() => runShared(unit!, name, round, setting));
        records.forEach(finish);
        if (left.length > 0) queue.push(left);
      }
    }
  };
  // More than there are slots, since one that rests leaves its slot to another; but who asks for one at a time gets that.
  const workers = jobs === 1 ? 1 : 2 * jobs;
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, work));
  for (const record of doubtful) {
    const again = isOver() ? record : await repeatedAlone(record, round, options.setting);
    onRecord(setting.interrupted.aborted ? record : again);
  }
};
