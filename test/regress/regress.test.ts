/** The regression cases of the harness: they pass, keep the protocol, and each is there to see something. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { judgeJournal } from '../../src/bench/index.ts';
import { type CaseResult, type LoadedCase, loadCases, runCases } from '../../src/regress/index.ts';
import { patchNames, patchPath } from '../../tools/regress/patches.ts';

/** What the harness does otherwise than a client should, and the cases that show it; docs/harness.md says why. */
const deviations: Readonly<Record<string, readonly string[]>> = {
  'CFG-07': ['handshake-unlisted-value.jsonl'],
};

describe('the cases of the harness', { timeout: 300_000 }, () => {
  let journals = '';
  let cases: readonly LoadedCase[] = [];
  let results: readonly CaseResult[] = [];
  before(async () => {
    journals = mkdtempSync(join(tmpdir(), 'journals-'));
    cases = await loadCases();
    const signal = new AbortController().signal;
    results = await runCases(cases, { jobs: 4, signal, journals, onResult() {} });
  });
  after(() => rmSync(journals, { recursive: true, force: true }));

  it('pass, all of them', () => {
    const wrong = results.filter(({ verdict }) => verdict !== 'pass');
    assert.deepEqual(
      wrong.map(({ id, mistakes, reason }) => ({ id, mistakes, reason })),
      [],
    );
    assert.equal(results.length, cases.length);
  });

  it('leave journals that keep the requirements on clients, but for what is listed', async () => {
    const found: Record<string, string[]> = {};
    const names = readdirSync(journals).sort();
    for (const name of names) {
      const { requirements } = await judgeJournal(join(journals, name), {
        release: 'latest',
        failOn: 'warn',
      });
      for (const { id, verdict } of requirements) {
        if (verdict !== 'fail' && verdict !== 'warn') continue;
        found[id] ??= [];
        found[id].push(name);
      }
    }
    assert.deepEqual(found, deviations);
    const started = cases.filter(({ case: { do: action } }) => 'run' in action || 'session' in action);
    // Those that are not ready, or cancelled before, start nothing.
    assert.ok(names.length >= started.length - 2, `${names.length} journals of ${started.length} runs`);
  });

  it('hold the whole description, but for what needs a capture proxy or a unit test', () => {
    const numbers = new Set(cases.map(({ case: { case: number } }) => number));
    const all = Object.entries({ M: 20, A: 5, R: 16, H: 15, P: 11, F: 8, T: 9, C: 9, I: 10 }).flatMap(
      ([letter, count]) => Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    assert.deepEqual(
      all.filter(number => !numbers.has(number)),
      // Tool policies, the environment of a server behind its proxy, the safety matrix of group signals.
      ['R10', 'R11', 'R12', 'R13', 'R14', 'R16', 'P10', 'T9'],
    );
  });

  it('can be run one by one by id, by section, and by number', async () => {
    const ids = async (name: string) => (await loadCases([name])).map(({ id }) => id);
    assert.deepEqual(await ids('harness/limits/deaf-to-signals'), ['harness/limits/deaf-to-signals']);
    assert.deepEqual(await ids('T3'), ['harness/limits/deaf-to-signals']);
    assert.equal((await ids('harness/turns/*')).length, results.filter(r => r.section === 'turns').length);
    await assert.rejects(
      ids('harness/turns/two-chunk'),
      /matches no case; did you mean "harness\/turns\/two-chunks"\?/,
    );
  });
});

describe('the patches of the harness', () => {
  it('are each named by one to ten cases, and no case names another', async () => {
    const named = new Map<string, number>();
    for (const { case: each } of await loadCases()) named.set(each.patch, (named.get(each.patch) ?? 0) + 1);
    assert.deepEqual([...named.keys()].sort(), patchNames());
    assert.deepEqual(
      [...named].filter(([, count]) => count > 10),
      [],
    );
  });

  it('apply to the present source', () => {
    const wrong = patchNames().flatMap(name => {
      const { status, stderr } = spawnSync('git', ['apply', '--check', resolve(patchPath(name))], {
        cwd: shipped(''),
        encoding: 'utf8',
      });
      return status === 0 ? [] : [`${name}: ${stderr}`];
    });
    assert.deepEqual(wrong, []);
  });
});
