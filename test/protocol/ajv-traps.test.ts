/** Twelve ways in which the upstream schema and a plain validator mislead; one test each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProtocol, releases } from '../../src/protocol/index.ts';
import type { Json } from '../../src/wire/json.ts';
import {
  brief,
  faultsOf,
  notification,
  request,
  resultFaults,
  textChunk,
  toolCall,
  update,
  updateFaults,
} from './messages.ts';
import { plainAjv, schemaOf } from './releases.ts';

test('a tagged union refuses what is no object', async () => {
  for (const odd of ['str', 5, null, [], [{ type: 'text', text: 'x' }], true] as Json[]) {
    assert.deepEqual(brief(await updateFaults('latest', odd)), ['invalid /params/update']);
    assert.deepEqual(
      brief(await updateFaults('latest', { sessionUpdate: 'agent_message_chunk', content: odd })),
      ['invalid /params/update/content'],
    );
    assert.deepEqual(brief(await updateFaults('latest', toolCall({ content: [odd] }))), [
      'invalid /params/update/content/0',
    ]);
  }
  const flat = await resultFaults('latest', 'client', 'session/request_permission', { outcome: 'cancelled' });
  assert.deepEqual(brief(flat), ['invalid /result/outcome']);
});

test('one mistake in an update is one fault, in every release', async () => {
  for (const release of releases) {
    assert.deepEqual(brief(await updateFaults(release, textChunk(5))), [
      'invalid /params/update/content/text',
    ]);
    assert.deepEqual(brief(await updateFaults(release, { sessionUpdate: 'zzz', content: {} })), [
      'unknown-value /params/update/sessionUpdate',
    ]);
    assert.deepEqual(brief(await updateFaults(release, {})), ['invalid /params/update/sessionUpdate']);
  }
});

test('params and methods that the root schema lets pass are refused', async () => {
  for (const params of [{ zzz: 1 }, 'garbage', []] as Json[]) {
    assert.notDeepEqual(await faultsOf('0.12.1', 'client', request('session/prompt', params)), []);
  }
  assert.deepEqual(brief(await faultsOf('0.12.1', 'client', request('my/method', {}))), [
    'unknown-method /method',
  ]);
});

test('null stands only where the member is nullable', async () => {
  assert.deepEqual(
    brief(await updateFaults('latest', toolCall({ kind: null, status: null, content: null }))),
    ['kind', 'status', 'content'].map(member => `invalid /params/update/${member}`),
  );
  assert.deepEqual(
    await updateFaults('latest', {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      kind: null,
      status: null,
      title: null,
      content: null,
      locations: null,
    }),
    [],
  );
  const session = request('session/new', { cwd: '/w', mcpServers: null, additionalDirectories: null });
  assert.deepEqual(brief(await faultsOf('latest', 'client', session)), [
    'invalid /params/mcpServers',
    'invalid /params/additionalDirectories',
  ]);
  const capabilities = { protocolVersion: 1, agentCapabilities: null, authMethods: null };
  assert.deepEqual(brief(await resultFaults('latest', 'agent', 'initialize', capabilities)), [
    'invalid /result/agentCapabilities',
    'invalid /result/authMethods',
  ]);
});

test('a known type is held to its own variant, also where the plain union falls through', async () => {
  const plain = plainAjv(schemaOf('latest'));
  const terminal = { id: 'a', name: 'A', type: 'terminal', args: 'oops' };
  assert.ok(plain('AuthMethod', terminal));
  assert.deepEqual(
    brief(
      await resultFaults('latest', 'agent', 'initialize', { protocolVersion: 1, authMethods: [terminal] }),
    ),
    ['invalid /result/authMethods/0/args'],
  );

  const server = { type: 'http', name: 'a', command: '/bin/a', args: [], env: [] };
  assert.ok(plain('McpServer', server));
  const session = await faultsOf(
    'latest',
    'client',
    request('session/new', { cwd: '/w', mcpServers: [server] }),
  );
  assert.deepEqual(
    brief(session).filter(fault => fault.startsWith('invalid')),
    ['invalid /params/mcpServers/0/url', 'invalid /params/mcpServers/0/headers'],
  );

  const option = { sessionId: 's', configId: 'c', type: 'boolean', value: 'x' };
  assert.ok(plain('SetSessionConfigOptionRequest', option));
  assert.deepEqual(brief(await faultsOf('latest', 'client', request('session/set_config_option', option))), [
    'invalid /params/value',
  ]);

  const both = { type: 'resource', resource: { uri: 'a:b', text: 'x', blob: 'eA==' } };
  assert.ok(plain('ContentBlock', both));
  assert.deepEqual(
    brief(await updateFaults('latest', { sessionUpdate: 'user_message_chunk', content: both })),
    ['text/both-variants /params/update/content/resource/blob'],
  );
});

test('an unknown member is reported once, at the deepest place', async () => {
  const answer = {
    protocolVersion: 1,
    agentCapabilities: { foo: { bar: 1 }, promptCapabilities: { image: true, smell: true } },
  };
  assert.deepEqual(brief(await resultFaults('latest', 'agent', 'initialize', answer)), [
    'unknown-member /result/agentCapabilities/foo',
    'unknown-member /result/agentCapabilities/promptCapabilities/smell',
  ]);
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x', zzz: 1 } };
  assert.deepEqual(brief(await updateFaults('latest', chunk)), ['unknown-member /params/update/content/zzz']);
});

test('integers keep within the bounds of their format', async () => {
  const initialize = (protocolVersion: Json) =>
    faultsOf('latest', 'client', request('initialize', { protocolVersion }));
  assert.deepEqual(await initialize(65_535), []);
  assert.deepEqual(brief(await initialize(65_536)), ['invalid /params/protocolVersion']);
  assert.deepEqual(brief(await initialize(1.5)), ['invalid /params/protocolVersion']);

  const usage = (used: number) => updateFaults('latest', { sessionUpdate: 'usage_update', used, size: 1 });
  assert.deepEqual(await usage(2 ** 53), []);
  assert.deepEqual(brief(await usage(2 ** 65)), ['text/uint64 /params/update/used']);
  assert.deepEqual(brief(await usage(-1)), ['invalid /params/update/used']);

  const read = (line: number) => request('fs/read_text_file', { sessionId: 's', path: '/a', line });
  assert.deepEqual(await faultsOf('latest', 'agent', read(4_294_967_295)), []);
  assert.deepEqual(brief(await faultsOf('latest', 'agent', read(4_294_967_296))), [
    'text/uint32 /params/line',
  ]);
});

test('what plain strings and numbers do not say is checked by hand', async () => {
  const exit = (exitCode: Json) => resultFaults('latest', 'client', 'terminal/wait_for_exit', { exitCode });
  assert.deepEqual(brief(await exit(-1)), ['invalid /result/exitCode']);
  assert.deepEqual(await exit(null), []);
  const read = request('fs/read_text_file', { sessionId: 's', path: 'a.txt', line: 0 });
  assert.deepEqual(brief(await faultsOf('latest', 'agent', read)), [
    'text/absolute-path /params/path',
    'text/line-from-1 /params/line',
  ]);
});

test('checking neither fills in defaults nor coerces', async () => {
  const answer = { protocolVersion: 1 };
  assert.deepEqual(await resultFaults('latest', 'agent', 'initialize', answer), []);
  assert.deepEqual(answer, { protocolVersion: 1 });
  assert.deepEqual(brief(await resultFaults('latest', 'agent', 'initialize', { protocolVersion: '1' })), [
    'invalid /result/protocolVersion',
  ]);
});

test('releases stand side by side, and a name that one lacks is no crash', async () => {
  const [old, latest] = await Promise.all([loadProtocol('0.12.1'), loadProtocol('latest')]);
  const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
  assert.equal(old.check('agent', usage).length, 1);
  assert.equal(latest.check('agent', usage).length, 0);
  assert.equal(old.check('agent', usage).length, 1);
  assert.equal(old.methods.get('session/close'), undefined);
  for (const name of ['constructor', 'hasOwnProperty', 'toString']) {
    assert.deepEqual(brief(old.check('agent', notification(name, {}))), ['unknown-method /method']);
    assert.deepEqual(old.check('agent', { type: 'result', id: 1, result: {} }, name), []);
  }
});

test('an elicitation may ask for a property of any type, but a known type is held to its form', async () => {
  const create = (property: Json) =>
    faultsOf(
      '1.21.0',
      'agent',
      request('elicitation/create', {
        mode: 'form',
        message: 'Which?',
        sessionId: 's',
        requestedSchema: { type: 'object', properties: { a: property } },
      }),
    );
  assert.deepEqual(await create({ type: 'object', properties: { b: { type: 'string' } } }), []);
  assert.deepEqual(brief(await create({ type: 'string', minLength: 'x' })), [
    'invalid /params/requestedSchema/properties/a/minLength',
  ]);
});

test('what receivers forgive, senders still may not send', async () => {
  const initialize = request('initialize', { protocolVersion: 1, clientInfo: 5 });
  assert.deepEqual(brief(await faultsOf('latest', 'client', initialize)), ['invalid /params/clientInfo']);
  assert.deepEqual(brief(await updateFaults('latest', toolCall({ locations: [5] }))), [
    'invalid /params/update/locations/0',
  ]);
});
