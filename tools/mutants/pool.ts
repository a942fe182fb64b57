/** Runs mutants side by side, spread over the processors of this machine. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { How, MutantRun } from './run-mutant.ts';

export interface MutantPool {
  /**
   * Runs a mutant, or an instance of a family, as soon as a worker is free.
   * Rejects when the worker ended before it was done.
   */
  run(id: string): Promise<MutantRun>;
  /** Ends the workers. */
  end(): Promise<void>;
}

/**
 * Workers are started as they are needed: one for each processor, and one that works while others wait. Programs share
 * one worker, which runs several scenarios at a time: more of them would keep each other from answering in time.
 */
export const createMutantPool = (how: How): MutantPool => {
  const most = how === 'process' ? 1 : availableParallelism() + 1;
  const workers: Worker[] = [];
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];

  const free = (): Worker | Promise<Worker> => {
    const ready = idle.pop();
    if (ready) return ready;
    if (workers.length === most) return new Promise(resolve => waiting.push(resolve));
    const started = startWorker(how);
    workers.push(started);
    return started;
  };

  return {
    async run(id) {
      const worker = await free();
      try {
        return await worker.run(id);
      } finally {
        const next = waiting.shift();
        if (next) next(worker);
        else idle.push(worker);
      }
    },
    async end() {
      await Promise.all(workers.map(worker => worker.end()));
    },
  };
};

type Worker = ReturnType<typeof startWorker>;

/** Not threads: a virtual clock must see all that happens in its process, and nothing else. */
const startWorker = (how: How) => {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [how], {
    execArgv: ['--import', 'tsx'],
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  return {
    async run(id: string): Promise<MutantRun> {
      const answered = new Promise<MutantRun>(resolve => {
        child.once('message', run => resolve(run as MutantRun));
      });
      if (child.connected) child.send(id);
      const run = await Promise.race([answered, ended]);
      if (!run) throw new Error(`the worker ended while it ran ${id}`);
      return run;
    },
    end(): Promise<void> {
      if (child.connected) child.disconnect();
      return ended;
    },
  };
};
