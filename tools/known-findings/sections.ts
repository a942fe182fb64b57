/** The tables of the document: who is in it, and why each finding is right, as read in source and specification. */
import { certified, requestFor } from '../../test/helpers/certify.ts';
import { certifiedExample, sdkVersions } from '../../test/helpers/sdk-examples.ts';
import { type Row, rowsOfCaptures, rowsOfReport } from './collect.ts';
import type { Section } from './document.ts';
import { reasonsOfCaptures, reasonsOfExamples } from './reviewed.ts';

export const titles = {
  reference: 'The reference agent',
  examples: 'The example agents of the TypeScript SDK',
  capture: (agent: string): string => `Recording: ${agent}`,
} as const;

export const referenceRows = (): Promise<readonly Row[]> =>
  certified(requestFor([], { profile: 'reference-agent', timeoutMs: 15_000 }), (report, folder) =>
    rowsOfReport(report, folder, 'reference'),
  );

/** All at a time: they mostly wait. */
const exampleRows = async (): Promise<readonly Row[]> => {
  const runs = sdkVersions.map(version =>
    certifiedExample(version, (report, folder) => rowsOfReport(report, folder, version)),
  );
  return (await Promise.all(runs)).flat();
};

/** @param captures folder of the recordings */
export const allSections = async (captures: string): Promise<readonly Section[]> => [
  {
    title: titles.reference,
    about: 'Certified with every scenario and every trigger.',
    rows: await referenceRows(),
    reasons: {},
  },
  {
    title: titles.examples,
    about:
      'Certified as programs with every scenario that their one turn allows; the last column names the releases. The reasons\nare read in `dist/examples/agent.js`.',
    rows: await exampleRows(),
    reasons: reasonsOfExamples,
  },
  ...[...(await rowsOfCaptures(captures))].map(([agent, rows]) => ({
    title: titles.capture(agent),
    about: 'Recordings of the program, judged by the rules alone; the last column names the recording.',
    rows,
    reasons: Object.fromEntries(
      [...new Set(rows.map(({ requirement }) => requirement))].flatMap(id =>
        reasonsOfCaptures[id] ? [[id, reasonsOfCaptures[id]]] : [],
      ),
    ),
  })),
];
