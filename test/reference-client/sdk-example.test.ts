/** The reference client against agents that we did not write: the examples of the ACP SDK, as processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PermissionPolicy } from '../../src/fixture-client/index.ts';
import type { Task } from '../../src/reference-client/index.ts';
import { streamPort } from '../../src/wire/index.ts';
import { assertLawful, type ClientRun, runClient } from './run-client.ts';

const tasks: Task[] = [{ initialize: {} }, { 'session/new': {} }, { 'session/prompt': { text: 'go' } }];

const run = async (
  sdk: string,
  permission: PermissionPolicy,
  todo: readonly Task[] = tasks,
): Promise<ClientRun> => {
  const entry = fileURLToPath(new URL(`../../node_modules/${sdk}/dist/examples/agent.js`, import.meta.url));
  const child = spawn(process.execPath, [entry], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const result = await runClient(streamPort({ input: child.stdin, output: child.stdout }), todo, {
    permission,
  });
  assert.deepEqual(await exited, [0, null], 'the agent exits by itself when its input ends');
  return result;
};

// Their turns are mostly waiting.
describe('the SDK examples', { concurrency: true }, () => {
  for (const sdk of ['acp-sdk-0.14.1', 'acp-sdk-1.4.0']) {
    for (const [permission, optionId] of [
      ['allow', 'allow'],
      ['reject', 'reject'],
    ] as const) {
      test(`a whole turn of the ${sdk} example, with its permission request answered ${permission}`, async () => {
        const { outcomes, sent, exitCode, ...others } = await run(sdk, permission);
        assert.equal(exitCode, 0);
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['done', 'done', 'done'],
        );
        assert.deepEqual(outcomes[2]?.status === 'done' && outcomes[2].result, { stopReason: 'end_turn' });
        const answers = sent.filter(({ result }) => result !== undefined);
        assert.deepEqual(
          answers.map(({ result }) => result),
          [{ outcome: { outcome: 'selected', optionId } }],
        );
        await assertLawful({ outcomes, sent, exitCode, ...others });
      });
    }
  }

  test('a turn of the acp-sdk-1.4.0 example that is cancelled after its first update ends as cancelled', async () => {
    const { outcomes } = await run('acp-sdk-1.4.0', 'reject', [
      ...tasks.slice(0, 2),
      { 'session/prompt': { text: 'go', cancelAfter: 1 } },
    ]);
    assert.deepEqual(outcomes[2]?.status === 'done' && outcomes[2].result, { stopReason: 'cancelled' });
  });
});
