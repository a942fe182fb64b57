/** Recordings of real agents through framer, schema and rules. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Release, releases } from '../../src/protocol/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import { captureEntries, captureFiles } from '../helpers/captures.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';

const folder = process.env.ACP_CAPTURES;
const isRequired = process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES === '1';
if (!folder)
  console.error('NOTICE: ACP_CAPTURES is not set: the rules are not tried on recordings of real agents.');

/** What these agents do wrong beyond doubt: an answered notification, and a relative path in a tool call's location. */
const known: Readonly<Record<string, readonly string[]>> = {
  'zed-codex-acp-0.16.0.jsonl': ['RPC-06'],
  'zed-codex-acp-0.16.0.edge.jsonl': ['RPC-06'],
  'opencode-1.18.33.turn-fswrite.jsonl': ['PATH-01', 'TOOL-12'],
};

describe('recordings of real agents', {
  skip: folder || isRequired ? false : 'ACP_CAPTURES is not set',
}, () => {
  it('are there', () => {
    assert.ok(folder, 'ACP_CAPTURES names the folder');
    assert.ok(captureFiles(folder).length > 0);
  });

  for (const file of folder ? captureFiles(folder) : []) {
    const name = basename(file);
    it(`${name} fails in what was reviewed, and in nothing else`, async () => {
      assert.deepEqual(await failedIn(file, 'latest'), known[name] ?? []);
    });

    it(`${name} fails in nothing more by an older release`, async () => {
      for (const release of releases) {
        const more = (await failedIn(file, release)).filter(id => !known[name]?.includes(id));
        assert.deepEqual(more, [], release);
      }
    });
  }
});

const failedIn = async (file: string, release: Release): Promise<readonly string[]> => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol: await loadProtocol(release), subject: 'agent', judge });
  for (const entry of captureEntries(file)) fold.step(entry);
  fold.end();
  const { requirements } = loadCatalogue();
  const fails = judge.violations.filter(
    ({ requirement, evidence }) =>
      gradeViolation(requirements.get(requirement)!, evidence).verdict === 'fail',
  );
  return [...new Set(fails.map(({ requirement }) => requirement))].sort();
};
