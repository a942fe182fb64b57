import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentSide, withCode } from './agent-side.ts';

const gated: readonly [method: string, params: Record<string, unknown>][] = [
  ['fs/read_text_file', { path: '/x' }],
  ['fs/write_text_file', { path: '/x', content: '' }],
  ['terminal/create', { command: 'true' }],
  ['terminal/output', { terminalId: 't' }],
  ['terminal/wait_for_exit', { terminalId: 't' }],
  ['terminal/kill', { terminalId: 't' }],
  ['terminal/release', { terminalId: 't' }],
  ['elicitation/create', { mode: 'form', message: 'm', requestedSchema: {} }],
];

for (const [method, params] of gated) {
  test(`${method} is not available unless it was advertised`, async t => {
    const agent = await agentSide(t, { capabilities: {} });
    await assert.rejects(agent.ask(method, params as never), withCode(-32601));
  });
}

test('what the initialize request advertised is what is served', async t => {
  const agent = await agentSide(t, { files: { 'a.txt': 'A' } });
  agent.sent('initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
  assert.deepEqual(await agent.ask('fs/read_text_file', { path: agent.path('a.txt') }), { content: 'A' });
  await assert.rejects(
    agent.ask('fs/write_text_file', { path: agent.path('a.txt'), content: '' }),
    withCode(-32601),
  );
  agent.sent('initialize', { protocolVersion: 1 });
  await assert.rejects(agent.ask('fs/read_text_file', { path: agent.path('a.txt') }), withCode(-32601));
});

for (const method of ['_custom/thing', 'session/unknown', 'initialize', 'toString']) {
  test(`a request ${method} is answered with -32601`, async t => {
    const agent = await agentSide(t);
    await assert.rejects(agent.ask(method), withCode(-32601));
  });
}

test('notifications are ignored, known or not, and the client goes on', async t => {
  const agent = await agentSide(t, { files: { 'a.txt': 'A' } });
  for (const method of ['session/update', '_unknown', 'elicitation/complete', '$/cancel_request']) {
    agent.notify(method, { sessionId: 's-1', update: { sessionUpdate: 'not_yet_invented' }, requestId: 99 });
  }
  assert.deepEqual(await agent.ask('fs/read_text_file', { path: agent.path('a.txt') }), { content: 'A' });
});

const elicitations: readonly [what: string, advertised: unknown, mode: string, answer: unknown][] = [
  ['an advertised form', { form: {} }, 'form', { action: 'decline' }],
  ['an advertised URL', { url: {} }, 'url', { action: 'decline' }],
  ['a URL where forms alone were advertised', { form: {} }, 'url', -32602],
  ['a mode that nobody knows', { form: {}, url: {} }, '_x', -32602],
];

for (const [what, elicitation, mode, answer] of elicitations) {
  test(`${what} is answered with ${JSON.stringify(answer)}`, async t => {
    const agent = await agentSide(t, { capabilities: { elicitation } as never });
    const answered = agent.ask('elicitation/create', {
      mode,
      message: 'm',
      requestedSchema: {},
      url: 'http://x.test',
    });
    if (typeof answer === 'number') await assert.rejects(answered, withCode(answer));
    else assert.deepEqual(await answered, answer);
  });
}
