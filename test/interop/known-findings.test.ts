/** docs/known-findings.md says what the bench finds; its part on the SDK's examples is held by their own test. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { rowsOfCaptures } from '../../tools/known-findings/collect.ts';
import { readSection, type Section, sorted, written } from '../../tools/known-findings/document.ts';
import { referenceRows, titles } from '../../tools/known-findings/sections.ts';

const document = readFileSync(shipped('docs/known-findings.md'), 'utf8');
const captures = process.env.ACP_CAPTURES;
const isRequired = process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES === '1';
if (!captures)
  console.error('NOTICE: ACP_CAPTURES is not set: the known findings of recordings are not compared.');

describe('the known findings', () => {
  it('have nothing of the reference agent, against which nothing is found', async () => {
    assert.match(document, new RegExp(`## ${titles.reference}\\n\\n.*\\n\\nNone\\.`));
    assert.deepEqual(await referenceRows(), []);
  });

  it('have of each recording what the rules find in it', {
    skip: captures || isRequired ? false : 'ACP_CAPTURES is not set',
  }, async () => {
    assert.ok(captures, 'ACP_CAPTURES names the folder');
    const byAgent = await rowsOfCaptures(captures);
    assert.deepEqual(
      [...document.matchAll(/^## Recording: (.*)$/gm)].map(([, agent]) => agent),
      [...byAgent.keys()],
    );
    for (const [agent, rows] of byAgent)
      assert.deepEqual(sorted(readSection(document, titles.capture(agent))), sorted(rows), agent);
  });
});

describe('the document of known findings', () => {
  const row = { requirement: 'TOOL-09', verdict: 'fail', frame: 'result of `session/prompt`' } as const;
  const section: Section = {
    title: 'An agent',
    about: 'Made up.',
    rows: [
      { ...row, where: '1.0.0' },
      { ...row, where: '2.0.0' },
    ],
    reasons: { 'TOOL-09': 'its calls stay pending.' },
  };

  it('is read back as it was written, with one line for the same frame', () => {
    const text = written([section]);
    assert.deepEqual(readSection(text, section.title), section.rows);
    assert.equal(text.match(/^\| TOOL-09 \| fail/gm)?.length, 1);
    assert.match(text, /^- TOOL-09: its calls stay pending\.$/m);
    assert.deepEqual(readSection(text, 'Another agent'), []);
  });

  it('is not written with a finding that nobody reviewed, nor with a reason for none', () => {
    assert.throws(() => written([{ ...section, reasons: {} }]), /An agent: TOOL-09 was not reviewed/);
    assert.throws(() => written([{ ...section, rows: [] }]), /An agent: TOOL-09 has a reason and no finding/);
  });
});
