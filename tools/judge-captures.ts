/**
 * Prints what the rules find in recordings of real agents, for review by hand.
 * Usage: node --import tsx tools/judge-captures.ts [--release latest] [--all] folder-or-file …
 * Without `--all`, only violations with verdict `fail` of requirements that apply.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { gradeViolation, loadCatalogue } from '../src/catalogue/index.ts';
import { loadProtocol, type Release, releases } from '../src/protocol/index.ts';
import { createRuleFold } from '../src/rules/index.ts';
import { captureEntries, captureFiles } from '../test/helpers/captures.ts';
import { createCollectingJudge } from '../test/helpers/collecting-judge.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { release: { type: 'string', default: 'latest' }, all: { type: 'boolean', default: false } },
});
const release = releases.find(name => name === values.release) as Release | undefined;
if (!release) throw new Error(`unknown release ${values.release}; one of ${releases.join(', ')}`);
const protocol = await loadProtocol(release);
const { requirements } = loadCatalogue();

for (const path of positionals) {
  const files = statSync(path).isDirectory() ? captureFiles(path) : [path];
  for (const file of files) {
    console.log(`\n${basename(file)}`);
    for (const line of judged(file)) console.log(`  ${line}`);
  }
}

function judged(file: string): readonly string[] {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject: 'agent', judge });
  for (const entry of captureEntries(file)) fold.step(entry);
  fold.end();
  return judge.violations.flatMap(({ requirement: id, evidence }) => {
    const requirement = requirements.get(id);
    if (!requirement) return [`${id}  NOT IN THE CATALOGUE`];
    const { verdict } = gradeViolation(requirement, evidence);
    if (verdict !== 'fail' && !values.all) return [];
    const actual = evidence.actual === undefined ? '' : `  ${JSON.stringify(evidence.actual)?.slice(0, 60)}`;
    return [`${verdict.padEnd(4)}  ${id.padEnd(9)} #${evidence.seq} ${evidence.detail}${actual}`];
  });
}
