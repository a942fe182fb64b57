import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProtocol, releases } from '../../src/protocol/index.ts';
import { assertAgrees } from './agreement.ts';
import { capturedMessages } from './captures.ts';
import { external } from './external.ts';
import { plainAjv, schemaOf } from './releases.ts';

for (const release of releases) {
  test(`messages of real agents are judged by ${release} as the plain schema judges them`, async t => {
    const folder = external(t, 'ACP_CAPTURES');
    if (!folder) return;
    const { check, methods } = await loadProtocol(release);
    const plain = plainAjv(schemaOf(release));
    for (const { from, message, method = '' } of capturedMessages(folder)) {
      const faults = check(from, message, method);
      const { params, result } = methods.get(method) ?? {};
      if (message.type === 'result' && result) assertAgrees(plain, result, message.result, faults);
      else if ('params' in message && params) assertAgrees(plain, params, message.params, faults);
    }
  });
}

test('the known deviations of real agents are found, each with the release that knows the name', async t => {
  const folder = external(t, 'ACP_CAPTURES');
  if (!folder) return;
  const { check } = await loadProtocol('latest');
  const found = new Set(
    capturedMessages(folder).flatMap(({ file, from, message, method }) =>
      check(from, message, method).map(({ kind, pointer, known }) => {
        const agent = file.split('.jsonl')[0]?.replace(/(\.edge|\.turn.*)$/, '');
        const release = known && Object.values(known)[0];
        return `${agent} ${kind} ${pointer} ${release ?? '-'}`;
      }),
    ),
  );
  const capabilities = '/result/agentCapabilities';
  for (const deviation of [
    'zed-claude-code-acp-0.16.2 unknown-member /result/models v0.12.1',
    'zed-codex-acp-0.16.0 unknown-value /result/authMethods/1/type v1.19.0',
    `zed-codex-acp-0.16.0 unknown-member ${capabilities}/mcpCapabilities/acp sdk-2.4.0`,
    'opencode-1.18.33 unknown-member /result/usage sdk-2.4.0',
    `opencode-1.18.33 unknown-member ${capabilities}/sessionCapabilities/fork sdk-2.4.0`,
    `claude-agent-acp-0.101.0 unknown-member ${capabilities}/providers sdk-2.4.0`,
    `claude-agent-acp-0.101.0 unknown-member ${capabilities}/sessionCapabilities/systemPrompt sdk-2.4.0`,
  ]) {
    assert.ok(found.has(deviation), deviation);
  }
});
