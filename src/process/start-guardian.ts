/** Starts the guardian of a run and keeps it informed. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parse } from 'node:path';
import { compiled } from '../base/index.ts';
import { passedOn } from './environment.ts';
import type { GuardianNotice } from './guardian-notice.ts';

export interface Guardian {
  /** Id of the run: the value of the mark. */
  readonly run: string;
  readonly pid: number;
  /** Tells the guardian what the run owns. Never throws. */
  tell(notice: GuardianNotice): void;
  /** The run created this home folder, so that a process with this HOME is the run's. */
  createdHome(home: string): boolean;
  /**
   * The run is over. Resolves when the guardian has exited, having ended what was still there of the run and removed
   * its temporary folder. Idempotent.
   */
  end(): Promise<void>;
}

/**
 * Starts the guardian; to be called before the first agent and before any temporary folder.
 * It does not keep this process alive, and it survives it.
 * @param options.run id of the run; default: a new UUID
 * @throws Error when the compiled program is missing or no process can be started
 */
export const startGuardian = async ({ run = randomUUID() as string } = {}): Promise<Guardian> => {
  const program = compiled('process/guardian.js');
  if (!existsSync(program))
    throw new Error(`${program} is missing: the bench is not built; run npm run build`);
  const child = spawn(process.execPath, [program, run], {
    detached: true,
    // It must neither hold a folder nor carry a mark, that of a bench around this one included.
    cwd: parse(process.cwd()).root,
    env: passedOn(process.env),
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  await once(child, 'spawn');
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as Socket).unref();

  const homes = new Set<string>();
  return {
    run,
    pid: child.pid!,
    tell(notice) {
      if ('home' in notice) homes.add(notice.home);
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(notice)}\n`);
    },
    createdHome: home => homes.has(home),
    end() {
      child.ref();
      child.stdin.end();
      return exited;
    },
  };
};
