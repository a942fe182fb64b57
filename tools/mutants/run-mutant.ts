/** Certifies a mutant with every scenario, in this process or in processes of its own, and says what it got. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertifyOptions, certify, prepareCertify } from '../../src/bench/index.ts';
import type { RequirementId, ViolationVerdict } from '../../src/catalogue/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { ScriptInstance } from '../../src/script/index.ts';
import { certified, mockAgentCommand, requestFor } from '../../test/helpers/certify.ts';
import { scriptedSubject } from '../../test/helpers/scripted-subject.ts';
import { createVirtualClock } from '../../test/helpers/virtual-clock.ts';
import { referenceId } from './defects.ts';

/** What one mutant got from the whole suite. */
export interface MutantRun {
  /** Id of the mutant, or of an instance of a family. */
  readonly mutant: string;
  /** Each violated requirement with the worst verdict that it got. */
  readonly held: Readonly<Record<RequirementId, Held>>;
  /** Scenarios that did not pass, for whoever looks into a mismatch. */
  readonly unpassed: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly reason?: string;
  }[];
}

export interface Held {
  readonly verdict: ViolationVerdict;
  /** The case of the catalogue that set the verdict; absent for the requirement's default. */
  readonly case?: string;
}

export interface MutantRunner {
  run(mutant: ScriptInstance): Promise<MutantRun>;
  /** Leaves nothing behind. */
  end(): Promise<void>;
}

/** Its triggers and prompts make any mutant of the reference agent do what they are for. */
const profile = 'reference-agent';

/** As a pair of Ports in this process, or as programs of their own. */
export type How = 'in-process' | 'process';

export const createRunner = async (how: How): Promise<MutantRunner> =>
  how === 'process' ? processRunner() : inProcessRunner();

/** Each mutant as a program that the bench starts, as a user would certify it. */
const processRunner = (): MutantRunner => ({
  run({ id }) {
    const command = id === referenceId ? [] : mockAgentCommand(id);
    return certified(requestFor(command, { profile }), report => whatItGot(id, report));
  },
  end: async () => {},
});

/**
 * Mutants on the other end of a pair of Ports, one after the other, with a clock that waits for nothing: the same bytes,
 * scripts and rules in a hundredth of the time. Guardian, scenarios and environment are prepared once.
 */
const inProcessRunner = async (): Promise<MutantRunner> => {
  const out = mkdtempSync(join(tmpdir(), 'report-'));
  // One scenario at a time: where none waits nothing is gained by several, and the order of events is always the same.
  const request = requestFor([process.execPath], { profile, jobs: 1, timeoutMs: 10_000, out });
  const { options, folders, end } = await (await prepareCertify(request)).begin();
  // One for all, so that what is left of a mutant is not taken for something that was always there.
  const clock = createVirtualClock();
  return {
    async run(mutant) {
      const root = folders.createWorkspace();
      const subject = scriptedSubject({ instance: mutant, clock, ...placesBelow(root) });
      const report = await certify({
        ...options,
        clock,
        subject,
        folder: journalsOnly(root),
        onScenario() {},
      });
      rmSync(root, { recursive: true });
      return whatItGot(mutant.id, report);
    },
    async end() {
      await end();
      rmSync(out, { recursive: true });
    },
  };
};

const placesBelow = (root: string) => {
  let count = 0;
  const create = (kind: string): string => {
    count += 1;
    const path = join(root, `${kind}-${count}`);
    mkdirSync(path);
    return path;
  };
  return { createHome: () => create('home'), createWorkspace: () => create('workspace') };
};

/** The report itself is handed over in memory. */
const journalsOnly = (root: string): CertifyOptions['folder'] => {
  mkdirSync(join(root, 'journals'));
  return { path: root, file: name => join(root, name), write() {}, append() {} };
};

const whatItGot = (mutant: string, { requirements, scenarios }: Report): MutantRun => ({
  mutant,
  held: Object.fromEntries(
    requirements.flatMap(({ id, violated, findings }) => {
      const [worst] = findings;
      if (violated === 0 || !worst) return [];
      return [[id, { verdict: worst.verdict, ...(worst.case !== undefined && { case: worst.case }) }]];
    }),
  ),
  unpassed: scenarios
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict, reason }) => ({ id, verdict, ...(reason !== undefined && { reason }) })),
});
