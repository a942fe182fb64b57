/** Certifies a mutant with every scenario, in this process or in processes of its own, and says what it got. */
import type { RequirementId, ViolationVerdict } from '../../src/catalogue/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { ScriptInstance } from '../../src/script/index.ts';
import { certified, mockAgentCommand, requestFor } from '../../test/helpers/certify.ts';
import { createInProcessBench } from '../../test/helpers/in-process-bench.ts';
import { scriptedSubject } from '../../test/helpers/scripted-subject.ts';
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
    return certified(requestFor(command, { profile, timeoutMs: 20_000 }), report => whatItGot(id, report));
  },
  end: async () => {},
});

/** Each mutant on the other end of a pair of Ports. */
const inProcessRunner = async (): Promise<MutantRunner> => {
  const bench = await createInProcessBench({ profile });
  return {
    async run(mutant) {
      const report = await bench.certify(surroundings =>
        scriptedSubject({ instance: mutant, ...surroundings }),
      );
      return whatItGot(mutant.id, report);
    },
    end: bench.end,
  };
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
