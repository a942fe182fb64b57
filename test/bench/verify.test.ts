import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { verifyReport } from '../../src/bench/index.ts';
import { loadProfile } from '../../src/profile/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { CompiledScript } from '../../src/script/index.ts';
import { loadScenarios } from '../../src/script-library/index.ts';
import { certified, requestFor } from '../helpers/certify.ts';

const reference = await loadProfile('reference-agent');

/** Certifies the reference agent as a process, changes something, and verifies. */
const verified = (
  change: (report: Report, folder: string) => void,
  scenarios?: () => Promise<readonly CompiledScript[]>,
) =>
  certified(
    requestFor(reference.command!, { profile: 'reference-agent', only: ['cancel/streaming', 'rpc/*'] }),
    async (report, folder) => {
      change(report, folder);
      const { differences } = await verifyReport(folder, scenarios);
      return differences.map(({ subject, detail }) => `${subject}: ${detail}`);
    },
  );

const rewrite = (path: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(from, to);
  assert.notEqual(changed, text, `nothing to change in ${path}`);
  writeFileSync(path, changed);
};

/** Makes the report name the digests that its journals have now. */
const recomputeDigests = (report: Report, folder: string): void => {
  const scenarios = report.scenarios.map(scenario => ({
    ...scenario,
    journals: scenario.journals.map(({ file }) => ({
      file,
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    })),
  }));
  writeFileSync(join(folder, 'report.json'), JSON.stringify({ ...report, scenarios }));
};

const journalOf = (report: Report, id: string, folder: string): string =>
  join(folder, report.scenarios.find(scenario => scenario.id === id)!.journals[0]!.file);

describe('verify', { concurrency: 3 }, () => {
  it('finds nothing to say of a report as it was written', async () => {
    assert.deepEqual(await verified(() => {}), []);
  });

  it('names the verdicts that an altered frame changes, though every digest was recomputed', async () => {
    const said = await verified((report, folder) => {
      const journal = journalOf(report, 'cancel/streaming[frames=1]', folder);
      rewrite(journal, '"stopReason":"cancelled"', '"stopReason":"end_turn"');
      recomputeDigests(report, folder);
    });
    assert.ok(
      said.includes(
        'cancel/streaming[frames=1]: the verdict is "pass" in the report, "fail" by the journals',
      ),
      said.join('\n'),
    );
    assert.ok(
      said.includes('CANCEL-02: the verdict is "pass" in the report, "fail" by the journals'),
      said.join('\n'),
    );
  });

  it('says of an altered journal that it is another one', async () => {
    const said = await verified((report, folder) => {
      rewrite(
        journalOf(report, 'rpc/split-writes', folder),
        '"name":"acp-reference-agent"',
        '"name":"acp-reference-Agent"',
      );
    });
    assert.deepEqual(said, [
      'journals/rpc-split-writes.jsonl: the journal is not the one that the report was made from',
    ]);
  });

  it('says of an altered frame of the bench that the script does not send it', async () => {
    const said = await verified((report, folder) => {
      rewrite(
        journalOf(report, 'rpc/unknown-methods', folder),
        '"method":"acp-testbench/unknown"',
        '"method":"session/list"',
      );
      recomputeDigests(report, folder);
    });
    assert.ok(
      said.some(line =>
        /^journals\/rpc-unknown-methods\.jsonl: #\d+: the journal has .*session\/list.*, the script gives .*acp-testbench\/unknown/.test(
          line,
        ),
      ),
      said.join('\n'),
    );
  });

  it('reports an altered verdict', async () => {
    const said = await verified((report, folder) => {
      const requirements = report.requirements.map(result =>
        result.id === 'RPC-09' ? { ...result, verdict: 'warn' } : result,
      );
      writeFileSync(join(folder, 'report.json'), JSON.stringify({ ...report, requirements }));
    });
    assert.deepEqual(said, ['RPC-09: the verdict is "warn" in the report, "pass" by the journals']);
  });

  it('reports a changed script, and what it would have sent', async () => {
    const said = await verified(
      () => {},
      async () =>
        (await loadScenarios()).map(compiled =>
          compiled.script.id === 'rpc/unknown-notifications'
            ? {
                ...compiled,
                digest: 'changed',
                script: { ...compiled.script, steps: compiled.script.steps!.slice(0, 1) },
              }
            : compiled,
        ),
    );
    assert.ok(
      said.includes('rpc/unknown-notifications: the script has changed since it was run'),
      said.join('\n'),
    );
    assert.ok(
      said.some(line => line.startsWith('report: it was judged by another catalogue, other scripts')),
      said.join('\n'),
    );
    assert.ok(
      said.includes('EXT-08: the verdict is "pass" in the report, "not-exercised" by the journals'),
      said.join('\n'),
    );
  });

  it('reports a missing journal and a scenario that claims to have passed without one', async () => {
    const said = await verified((report, folder) => {
      const scenarios = report.scenarios.map(scenario =>
        scenario.id === 'rpc/split-writes' ? { ...scenario, journals: [] } : scenario,
      );
      writeFileSync(join(folder, 'report.json'), JSON.stringify({ ...report, scenarios }));
    });
    assert.ok(
      said.includes(
        'rpc/split-writes: its verdict is pass, but there is no journal of it, and nothing kept it from being run',
      ),
      said.join('\n'),
    );
  });
});
