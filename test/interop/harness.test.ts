/** The harness with agents that nobody here wrote: whole turns, with permission allowed and denied. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { judgeJournal } from '../../src/bench/index.ts';
import {
  acpAgent,
  type HarnessHost,
  type InteractionPolicy,
  runAgent,
  startHost,
} from '../../src/harness/index.ts';
import { pythonFor, pythonProgram } from '../helpers/python.ts';

describe('the harness', () => {
  let host: HarnessHost;
  let folder: string;
  before(async () => {
    host = await startHost();
    folder = mkdtempSync(join(tmpdir(), 'harness-'));
  });
  after(async () => {
    await host.end();
    rmSync(folder, { recursive: true });
  });

  let count = 0;
  /** One run, and what the rules for clients say of its journal. */
  const run = async (command: readonly [string, ...string[]], permission: InteractionPolicy) => {
    count += 1;
    const journalPath = join(folder, `${count}.jsonl`);
    const [program, ...args] = command;
    const agent = acpAgent({ manifest: { command: program, args }, model: 'none' });
    const result = await runAgent(agent, 'Go on', { host, permission, journalPath, timeoutMs: 30_000 });
    const { requirements } = await judgeJournal(journalPath, { release: 'latest', failOn: 'fail' });
    const held = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    return { ...result, held: held.map(({ id }) => id) };
  };

  for (const [permission, text, status] of [
    ['allow', 'May I? Written.', 'completed'],
    ['deny', 'May I? Left alone.', 'failed'],
  ] as const) {
    it(`runs a turn of an agent on the SDK for Python, permission: ${permission}`, async context => {
      const python = pythonFor(context);
      if (python === undefined) return;
      const result = await run([python, pythonProgram('asking_agent.py')], permission);
      assert.deepEqual([result.outcome, result.error, result.text], ['completed', undefined, text]);
      const statuses = result.turns[0]!.observations.flatMap(each =>
        each.kind === 'tool_result' ? each.status : [],
      );
      assert.deepEqual(statuses, [status]);
      assert.deepEqual(
        result.diagnostics.map(({ code }) => code),
        permission === 'deny' ? ['permission_denied'] : [],
      );
      assert.deepEqual(result.held, []);
    });
  }

  for (const version of ['0.14.1', '1.4.0']) {
    const example = shipped(`node_modules/acp-sdk-${version}/dist/examples/agent.js`);
    for (const permission of ['allow', 'deny'] as const) {
      it(`runs a turn of the example agent of SDK ${version}, permission: ${permission}`, async () => {
        const result = await run([process.execPath, example], permission);
        assert.deepEqual([result.outcome, result.error], ['completed', undefined]);
        const calls = result.turns[0]!.observations.flatMap(each =>
          each.kind === 'tool_call' || each.kind === 'tool_result' ? `${each.kind} ${each.callId}` : [],
        );
        // A call whose question was answered with "cancelled" stays open in the example.
        const allowed = permission === 'allow' ? ['tool_result call_2'] : [];
        assert.deepEqual(calls, ['tool_call call_1', 'tool_result call_1', 'tool_call call_2', ...allowed]);
        assert.deepEqual(result.held, []);
      });
    }
  }
});
