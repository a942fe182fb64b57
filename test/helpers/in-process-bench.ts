/**
 * Certifies agents on the other end of a pair of Ports, one after the other, with a clock that waits for nothing: the
 * same bytes, scripts and rules as between programs in a hundredth of the time.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CertifyOptions,
  type CertifyRequest,
  certify,
  prepareCertify,
  type Subject,
} from '../../src/bench/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { Clock } from '../../src/wire/index.ts';
import { requestFor } from './certify.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** What a subject in this process lives by. */
export interface Surroundings {
  readonly clock: Clock;
  readonly createHome: () => string;
  readonly createWorkspace: () => string;
}

export interface InProcessBench {
  /** Runs every scenario that the request allows. One call at a time. */
  certify(subjectIn: (surroundings: Surroundings) => Subject): Promise<Report>;
  /** Leaves nothing behind. */
  end(): Promise<void>;
}

/**
 * Guardian, scenarios and environment are prepared once.
 * @param changes of the request; a profile, say
 */
export const createInProcessBench = async (changes: Partial<CertifyRequest>): Promise<InProcessBench> => {
  const out = mkdtempSync(join(tmpdir(), 'report-'));
  // One scenario at a time: where none waits nothing is gained by several, and the order of events is always the same.
  const request = requestFor([process.execPath], { jobs: 1, timeoutMs: 10_000, out, ...changes });
  const { options, folders, end } = await (await prepareCertify(request)).begin();
  // The journals of a subject go with its folders, and the report comes in memory.
  rmSync(out, { recursive: true });
  // One for all, so that what is left of a subject is not taken for something that was always there.
  const clock = createVirtualClock();
  return {
    async certify(subjectIn) {
      const root = folders.createWorkspace();
      const subject = subjectIn({ clock, ...placesBelow(root) });
      const folder = journalsOnly(root);
      const report = await certify({ ...options, clock, subject, folder, onScenario() {} });
      rmSync(root, { recursive: true });
      return report;
    },
    end,
  };
};

const placesBelow = (root: string) => {
  let count = 0;
  const next = (kind: string): string => {
    count += 1;
    return join(root, `${kind}-${count}`);
  };
  return {
    // An agent of this process keeps its sessions in memory and never looks into its home.
    createHome: () => next('home'),
    createWorkspace() {
      const path = next('workspace');
      mkdirSync(path);
      return path;
    },
  };
};

/** The report itself is handed over in memory. */
const journalsOnly = (root: string): CertifyOptions['folder'] => {
  mkdirSync(join(root, 'journals'));
  return { path: root, file: name => join(root, name), write() {}, append() {} };
};
