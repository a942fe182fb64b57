import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pc from 'picocolors';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { type Report, requirementVerdicts, toConsole } from '../../src/report/index.ts';
import { compileScript, defineScript, instancesOf } from '../../src/script/index.ts';
import { type Death, dyingSubject, manners } from '../helpers/dying-subject.ts';
import { createInProcessBench } from '../helpers/in-process-bench.ts';
import { scriptedSubject } from '../helpers/scripted-subject.ts';

const plain = defineScript({ id: 'test/plain', title: 'The reference agent as it is', role: 'agent' });
const [instance] = instancesOf(await compileScript(plain));
const bench = await createInProcessBench({ profile: 'reference-agent' });
after(() => bench.end());

const certifiedWith = async (death: Death): Promise<{ readonly report: Report; readonly deaths: number }> => {
  let deaths = 0;
  const report = await bench.certify(surroundings =>
    dyingSubject(scriptedSubject({ instance: instance!, ...surroundings }), death, () => {
      deaths += 1;
    }),
  );
  return { report, deaths };
};

/** What a run must come to, however its agent ends. */
const endsWithVerdicts = (report: Report): void => {
  const { scenarios, requirements, summary, footer } = report;
  assert.deepEqual([footer?.complete, footer?.exitCode], [true, 1]);
  assert.equal(summary.level, 'non-conformant');
  const verdicts: readonly string[] = requirementVerdicts;
  assert.deepEqual(
    scenarios.filter(({ verdict }) => !verdicts.includes(verdict)),
    [],
  );
  const silent = scenarios.filter(
    ({ verdict, reason, decided }) => verdict !== 'pass' && !reason && Object.keys(decided).length === 0,
  );
  assert.deepEqual(silent, [], 'what did not pass says why, or what it decided');
  assert.ok(requirements.every(({ reason, exercised }) => exercised > 0 || reason));
  const text = toConsole(report, {
    catalogue: loadCatalogue(),
    colors: pc.createColors(false),
    verbose: true,
  });
  assert.doesNotMatch(text, /\bundefined\b|^ +at .*:\d+:\d+/m);
};

/** Lines of a process that are each died at once in each direction. Most scenarios are over with the last of them. */
const lines = Array.from({ length: 10 }, (_, index) => index + 1);

/** Each line with one way to die, so that each way comes at some line of either direction; each way at the prompt. */
const deaths: readonly Death[] = [
  ...lines.flatMap((nth): readonly Death[] => [
    { at: 'read', nth, manner: manners[nth % manners.length]! },
    { at: 'write', nth, manner: manners[(nth + 3) % manners.length]! },
  ]),
  ...manners.map((manner): Death => ({ at: 'read', nth: 3, manner })),
];

describe('an agent that dies', () => {
  for (const death of deaths) {
    const { at, nth, manner } = death;
    it(`${manner} at line ${nth} that it ${at}s: the run ends with verdicts`, async () => {
      const { report, deaths } = await certifiedWith(death);
      assert.ok(deaths > 0, 'it came so far');
      endsWithVerdicts(report);
    });
  }
});
