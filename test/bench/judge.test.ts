import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { judgeJournal } from '../../src/bench/index.ts';
import { loadProfile } from '../../src/profile/index.ts';
import type { Report, RequirementResult } from '../../src/report/index.ts';
import { loadMockAgent } from '../../src/script-library/index.ts';
import { certified, requestFor } from '../helpers/certify.ts';

const reference = await loadProfile('reference-agent');
const request = (only: readonly string[]) =>
  requestFor(reference.command!, { profile: 'reference-agent', only });

/** What was judged, apart from what only the steps of a scenario can decide. */
const judged = ({ requirements }: Report, except: ReadonlySet<string>) =>
  requirements
    .filter(({ id, exercised }) => exercised > 0 && !except.has(id))
    .map(({ id, verdict, exercised, violated }: RequirementResult) => ({ id, verdict, exercised, violated }));

describe('judge', () => {
  for (const agent of [
    'behaviour/noisy',
    'mutants/framing/banner-on-stdout',
    'mutants/rpc/duplicate-response',
  ]) {
    it(`gives the verdicts that the rules gave live: ${agent}`, async () => {
      await certified(
        request(['initialize/handshake']),
        async (live, folder) => {
          const [handshake] = live.scenarios;
          const again = await judgeJournal(join(folder, handshake!.journals[0]!.file), {
            release: 'latest',
            failOn: 'fail',
          });
          const decidedBySteps = new Set(Object.keys(handshake!.decided));
          assert.deepEqual(judged(again, decidedBySteps), judged(live, decidedBySteps));
          assert.ok(judged(again, decidedBySteps).length > 20);
        },
        { instance: await loadMockAgent(agent) },
      );
    });
  }
});
