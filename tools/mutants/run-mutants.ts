/** Runs many mutants, spread over the processors of this machine. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { How, MutantRun } from './run-mutant.ts';

/**
 * @param ids mutants, or instances of a family
 * @returns what each got, in the order of `ids`
 * @throws Error when a worker ended before its work was done
 */
export const runMutants = async (ids: readonly string[], how: How): Promise<readonly MutantRun[]> => {
  const runs = new Map<string, MutantRun>();
  const queue = ids.values();
  const work = async (): Promise<void> => {
    const worker = startWorker(how);
    try {
      for (const id of queue) {
        runs.set(id, await worker.run(id));
      }
    } finally {
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), ids.length) }, work));
  return ids.map(id => runs.get(id)!);
};

/** Not threads: a virtual clock must see all that happens in its process, and nothing else. */
const startWorker = (how: How) => {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [how], {
    execArgv: ['--import', 'tsx'],
  });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  return {
    run: (id: string): Promise<MutantRun> =>
      new Promise((resolve, reject) => {
        const lost = (): void => reject(new Error(`the worker ended while it ran ${id}`));
        child.once('exit', lost);
        child.once('message', run => {
          child.off('exit', lost);
          resolve(run as MutantRun);
        });
        child.send(id);
      }),
    end(): Promise<void> {
      if (child.connected) child.disconnect();
      return exited;
    },
  };
};
