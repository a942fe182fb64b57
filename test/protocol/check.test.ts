import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProtocol, releases, type SchemaFault } from '../../src/protocol/index.ts';
import {
  brief,
  faultsOf,
  notification,
  request,
  resultFaults,
  textChunk,
  toolCall,
  updateFaults,
} from './messages.ts';

const known = (faults: readonly SchemaFault[]) => faults.map(fault => [fault.pointer, fault.known]);

test('a good message has no faults, and costs no list of its own', async () => {
  const { check } = await loadProtocol('0.12.1');
  const good = notification('session/update', { sessionId: 's', update: textChunk('hello') });
  assert.equal(check('agent', good), check('agent', good));
  assert.deepEqual(check('agent', good), []);
  assert.ok(Object.isFrozen(check('agent', good)));
});

test('a fault carries definition, pointer from the root of the frame, expected and actual', async () => {
  const [fault, ...more] = await updateFaults('0.12.1', toolCall({ status: 'cancelled' }));
  assert.deepEqual(more, []);
  assert.deepEqual(fault, {
    kind: 'unknown-value',
    definition: 'ToolCallStatus',
    pointer: '/params/update/status',
    expected: 'one of "pending", "in_progress", "completed", "failed"',
    actual: 'cancelled',
  });
});

test('a pointer escapes what RFC 6901 escapes', async () => {
  const faults = await updateFaults('0.12.1', { ...textChunk('x'), 'a/b~c': 1 });
  assert.deepEqual(brief(faults), ['unknown-member /params/update/a~1b~0c']);
});

test('a missing member is a fault at the place where it should stand', async () => {
  const faults = await updateFaults('0.12.1', { sessionUpdate: 'tool_call', title: 'x' });
  assert.deepEqual(brief(faults), ['invalid /params/update/toolCallId']);
  assert.equal(faults[0]?.actual, undefined);
});

test('a name of a later stable release is told with that release', async () => {
  assert.deepEqual(known(await updateFaults('0.12.1', { sessionUpdate: 'usage_update', used: 1, size: 2 })), [
    ['/params/update/sessionUpdate', { stableSince: 'v0.13.6' }],
  ]);
  assert.deepEqual(known(await updateFaults('0.12.1', { ...textChunk('x'), messageId: 'm' })), [
    ['/params/update/messageId', { stableSince: 'v0.13.6' }],
  ]);
  assert.deepEqual(known(await updateFaults('1.21.0', toolCall({ name: 'read' }))), [
    ['/params/update/name', { stableSince: 'sdk-2.0.0' }],
  ]);
  assert.deepEqual(known(await faultsOf('0.12.1', 'client', request('session/close', { sessionId: 's' }))), [
    ['/method', { stableSince: 'v0.12.2' }],
  ]);
});

test('a name that only an unstable schema has is told with the newest such release', async () => {
  assert.deepEqual(
    known(await resultFaults('latest', 'agent', 'session/new', { sessionId: 's', models: {} })),
    [['/result/models', { unstableIn: 'v0.12.1' }]],
  );
  assert.deepEqual(known(await faultsOf('latest', 'client', request('session/fork', {}))), [
    ['/method', { unstableIn: 'sdk-2.4.0' }],
  ]);
  assert.deepEqual(
    known(await resultFaults('latest', 'agent', 'session/prompt', { stopReason: 'end_turn', usage: {} })),
    [['/result/usage', { unstableIn: 'sdk-2.4.0' }]],
  );
});

test('a name that nobody knows is told plainly', async () => {
  assert.deepEqual(known(await updateFaults('latest', { ...textChunk('x'), constructor: 1 })), [
    ['/params/update/constructor', undefined],
  ]);
});

test('a new feature is one fault, and its own members are none', async () => {
  const option = { sessionId: 's', configId: 'c', type: 'boolean', value: true };
  const faults = await faultsOf('0.12.1', 'client', request('session/set_config_option', option));
  assert.deepEqual(brief(faults), ['unknown-value /params/type']);
  assert.deepEqual(faults[0]?.known, { stableSince: 'v1.18.0' });
  const config = {
    sessionId: 's',
    configOptions: [
      { id: 'a', name: 'A', type: 'boolean', currentValue: true },
      { type: 'boolean', currentValue: true, id: 'b' },
    ],
  };
  assert.deepEqual(brief(await resultFaults('0.12.1', 'agent', 'session/new', config)), [
    'unknown-value /result/configOptions/0/type',
    'unknown-value /result/configOptions/1/type',
    'invalid /result/configOptions/1/name',
  ]);
});

test('a null result is its own kind exactly where an empty object would do', async () => {
  for (const method of ['session/load', 'authenticate', 'session/set_mode', 'session/close', 'logout']) {
    assert.deepEqual(brief(await resultFaults('latest', 'agent', method, null)), ['null-result /result']);
    assert.deepEqual(await resultFaults('latest', 'agent', method, {}), []);
  }
  assert.deepEqual(brief(await resultFaults('latest', 'client', 'fs/write_text_file', null)), [
    'null-result /result',
  ]);
  assert.deepEqual(brief(await resultFaults('latest', 'agent', 'session/new', null)), ['invalid /result']);
});

test('params may be left out where no member is required', async () => {
  for (const message of [
    request('session/list'),
    request('session/list', null),
    request('session/list', {}),
  ]) {
    assert.deepEqual(await faultsOf('0.12.1', 'client', message), []);
  }
  assert.deepEqual(brief(await faultsOf('0.12.1', 'client', request('session/new'))), ['invalid /params']);
});

test('a method goes the way that the protocol says', async () => {
  const prompt = { sessionId: 's', prompt: [] };
  assert.deepEqual(brief(await faultsOf('0.12.1', 'agent', request('session/prompt', prompt))), [
    'unknown-method/wrong-direction /method',
  ]);
  assert.deepEqual(brief(await faultsOf('0.12.1', 'client', notification('session/prompt', prompt))), [
    'invalid/wrong-kind /id',
  ]);
  for (const from of ['agent', 'client'] as const) {
    assert.deepEqual(await faultsOf('1.19.0', from, notification('$/cancel_request', { requestId: 1 })), []);
  }
});

test('custom methods take any structured params, and unknown $/ notifications pass', async () => {
  for (const params of [undefined, {}, { a: 1 }, []]) {
    assert.deepEqual(await faultsOf('0.12.1', 'agent', request('_bench/x', params)), []);
  }
  assert.deepEqual(brief(await faultsOf('0.12.1', 'agent', request('_bench/x', 'text'))), [
    'invalid /params',
  ]);
  assert.deepEqual(await faultsOf('0.12.1', 'agent', notification('$/zzz')), []);
  assert.deepEqual(
    known(await faultsOf('0.12.1', 'client', notification('$/cancel_request', { requestId: 1 }))),
    [['/method', { stableSince: 'v1.17.0' }]],
  );
});

test('_meta holds anything, anywhere, as long as it is an object or null', async () => {
  const _meta = { 'my.org': [1, { zzz: true }], traceparent: 5 };
  for (const release of releases) {
    assert.deepEqual(await updateFaults(release, { ...textChunk('x'), _meta }), []);
    assert.deepEqual(await updateFaults(release, { ...textChunk('x'), _meta: null }), []);
    const outcome = { outcome: { outcome: 'cancelled', _meta } };
    assert.deepEqual(await resultFaults(release, 'client', 'session/request_permission', outcome), []);
  }
  assert.deepEqual(brief(await updateFaults('0.12.1', { ...textChunk('x'), _meta: 'x' })), [
    'invalid/meta-object /params/update/_meta',
  ]);
});

test('an authentication method of type agent is one without a type; another type is unknown', async () => {
  const methods = (...authMethods: object[]) =>
    resultFaults('0.12.1', 'agent', 'initialize', { protocolVersion: 1, authMethods } as never);
  assert.deepEqual(await methods({ id: 'a', name: 'A' }, { id: 'b', name: 'B', type: 'agent' }), []);
  assert.deepEqual(
    known(
      await methods(
        { id: 'a', name: 'A', type: 'terminal' },
        { id: 'b', name: 'B', type: 'env_var', vars: [] },
      ),
    ),
    [
      ['/result/authMethods/0/type', { stableSince: 'v1.21.0' }],
      ['/result/authMethods/1/type', { unstableIn: 'v1.19.0' }],
    ],
  );
  assert.deepEqual(brief(await methods({ id: 'a', type: 'zzz' })), [
    'unknown-value /result/authMethods/0/type',
    'invalid /result/authMethods/0/name',
  ]);
  assert.deepEqual(brief(await methods({ id: 'a', type: 'agent' })), ['invalid /result/authMethods/0/name']);
});

test('a stdio server that says so is recognised, and held to its four members', async () => {
  const session = (server: object) =>
    faultsOf('0.12.1', 'client', request('session/new', { cwd: '/w', mcpServers: [server] } as never));
  assert.deepEqual(brief(await session({ type: 'stdio', name: 'a', command: '/bin/a', args: [], env: [] })), [
    'unknown-member/stdio-type /params/mcpServers/0/type',
  ]);
  assert.deepEqual(brief(await session({ type: 'stdio', name: 'a', command: '/bin/a' })), [
    'unknown-member/stdio-type /params/mcpServers/0/type',
    'invalid /params/mcpServers/0/args',
    'invalid /params/mcpServers/0/env',
  ]);
  const acp = await session({ type: 'acp', name: 'a', id: 'x' });
  assert.deepEqual(known(acp), [['/params/mcpServers/0/type', { unstableIn: 'sdk-2.4.0' }]]);
});

test('the two wrong examples of the documentation are recognised', async () => {
  assert.deepEqual(
    brief(await updateFaults('0.12.1', { sessionUpdate: 'current_mode_update', modeId: 'code' })),
    ['invalid/doc-example-mode-id /params/update/currentModeId'],
  );
  const bare = toolCall({ content: [{ type: 'text', text: 'plan' }] });
  assert.deepEqual(brief(await updateFaults('0.12.1', bare)), [
    'unknown-value/doc-example-bare-block /params/update/content/0/type',
  ]);
});

test('an error is held to its definition, and to no list of codes', async () => {
  const { check } = await loadProtocol('0.12.1');
  const error = (value: object) => check('agent', { type: 'error', id: 1, error: value as never });
  assert.deepEqual(error({ code: -32_050, message: 'x', data: { any: 'thing' } }), []);
  assert.deepEqual(brief(error({ code: '1', message: 'x', stack: '' })), [
    'invalid /error/code',
    'unknown-member /error/stack',
  ]);
});

test('capabilities that are objects take no boolean, and those that are booleans no object', async () => {
  const answer = {
    protocolVersion: 1,
    agentCapabilities: { loadSession: {}, sessionCapabilities: { list: true } },
  };
  assert.deepEqual(brief(await resultFaults('0.12.1', 'agent', 'initialize', answer)), [
    'invalid /result/agentCapabilities/loadSession',
    'invalid /result/agentCapabilities/sessionCapabilities/list',
  ]);
});
