/**
 * Writes docs/known-findings.md from runs of the reference agent and the SDK's examples, and from recordings.
 * Usage: ACP_CAPTURES=folder npm run known-findings
 * What it finds is to be reviewed by hand: a false alarm is mended in its rule or scenario, everything else gets its
 * reason in known-findings/reviewed.ts, without which nothing is written.
 */
import { writeFileSync } from 'node:fs';
import { shipped } from '../src/base/index.ts';
import { written } from './known-findings/document.ts';
import { allSections } from './known-findings/sections.ts';

const captures = process.env.ACP_CAPTURES;
if (!captures) {
  console.error('ACP_CAPTURES is not set: it names the folder of the recordings');
  process.exit(2);
}
writeFileSync(shipped('docs/known-findings.md'), written(await allSections(captures)));
