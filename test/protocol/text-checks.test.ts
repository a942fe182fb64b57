import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAbsolutePath, isBase64, isIsoTimestamp } from '../../src/protocol/formats.ts';
import type { Json } from '../../src/wire/json.ts';
import { brief, faultsOf, request, resultFaults, toolCall, updateFaults } from './messages.ts';

test('a path is absolute by POSIX or by Windows rules', () => {
  for (const path of ['/', '/a/b', 'C:\\a', 'c:/a', '\\\\server\\share', '\\\\?\\C:\\a']) {
    assert.ok(isAbsolutePath(path), path);
  }
  for (const path of ['', 'a', './a', '../a', '~/a', 'C:a', '\\a', 'file:///a', ' /a']) {
    assert.ok(!isAbsolutePath(path), path);
  }
});

test('base64 is padded, of the standard alphabet, on one line; of any length', () => {
  for (const text of ['', 'aGk=', 'aA==', 'aGkh', '+/+/', 'A'.repeat(4_000_000)]) assert.ok(isBase64(text));
  for (const text of ['a', 'aGk', 'aG=k', 'a===', 'aG_-', 'aGkh\n', 'data:image/png;base64,aGkh']) {
    assert.ok(!isBase64(text), text);
  }
});

test('a timestamp has a date and a time that exist', () => {
  for (const text of ['2025-10-29T14:22:15Z', '2025-10-29T14:22:15.123+02:00', '2025-10-29T14:22']) {
    assert.ok(isIsoTimestamp(text), text);
  }
  for (const text of [
    '2025-10-29',
    '29.10.2025',
    '1761747735',
    '2025-13-29T14:22:15Z',
    '2025-10-29 14:22:15',
    '',
  ]) {
    assert.ok(!isIsoTimestamp(text), text);
  }
});

test('every member that holds a path is checked', async () => {
  const relative = 'some/where';
  const session = {
    sessionId: 's',
    cwd: relative,
    additionalDirectories: ['/fine', relative],
    mcpServers: [{ name: 'a', command: 'npx', args: [], env: [] }],
  };
  const sessionFaults = [
    'text/absolute-path /params/cwd',
    'text/absolute-path /params/additionalDirectories/1',
    'text/absolute-path /params/mcpServers/0/command',
  ];
  const { sessionId: _, ...fresh } = session;
  assert.deepEqual(brief(await faultsOf('latest', 'client', request('session/new', fresh))), sessionFaults);
  for (const method of ['session/load', 'session/resume']) {
    assert.deepEqual(brief(await faultsOf('latest', 'client', request(method, session))), sessionFaults);
  }
  assert.deepEqual(brief(await faultsOf('latest', 'client', request('session/list', { cwd: relative }))), [
    'text/absolute-path /params/cwd',
  ]);
  const sessions = [{ sessionId: 's', cwd: relative, additionalDirectories: [relative] }];
  assert.deepEqual(brief(await resultFaults('latest', 'agent', 'session/list', { sessions })), [
    'text/absolute-path /result/sessions/0/cwd',
    'text/absolute-path /result/sessions/0/additionalDirectories/0',
  ]);
  const touched = toolCall({
    locations: [{ path: relative, line: 0 }],
    content: [{ type: 'diff', path: relative, newText: '' }],
  });
  assert.deepEqual(brief(await updateFaults('latest', touched)), [
    'text/absolute-path /params/update/locations/0/path',
    'text/line-from-1 /params/update/locations/0/line',
    'text/absolute-path /params/update/content/0/path',
  ]);
  const requests: [string, Json, string][] = [
    ['fs/read_text_file', { sessionId: 's', path: relative }, '/params/path'],
    ['fs/write_text_file', { sessionId: 's', path: relative, content: '' }, '/params/path'],
    ['terminal/create', { sessionId: 's', command: 'ls', cwd: relative }, '/params/cwd'],
  ];
  for (const [method, params, pointer] of requests) {
    assert.deepEqual(brief(await faultsOf('latest', 'agent', request(method, params))), [
      `text/absolute-path ${pointer}`,
    ]);
  }
});

test('binary content is base64', async () => {
  const content = (block: Json) =>
    updateFaults('0.12.1', { sessionUpdate: 'agent_message_chunk', content: block });
  assert.deepEqual(brief(await content({ type: 'image', data: '%%', mimeType: 'image/png' })), [
    'text/base64 /params/update/content/data',
  ]);
  assert.deepEqual(brief(await content({ type: 'audio', data: 'a', mimeType: 'audio/wav' })), [
    'text/base64 /params/update/content/data',
  ]);
  assert.deepEqual(brief(await content({ type: 'resource', resource: { uri: 'a:b', blob: '%' } })), [
    'text/base64 /params/update/content/resource/blob',
  ]);
  assert.deepEqual(await content({ type: 'image', data: 'aGk=', mimeType: 'image/png' }), []);
});

test('updatedAt is a timestamp, or null', async () => {
  const info = (updatedAt: Json) =>
    updateFaults('0.12.1', { sessionUpdate: 'session_info_update', updatedAt });
  assert.deepEqual(await info(null), []);
  assert.deepEqual(await info('2025-10-29T14:22:15Z'), []);
  assert.deepEqual(brief(await info('yesterday')), ['text/iso-timestamp /params/update/updatedAt']);
  const sessions = [{ sessionId: 's', cwd: '/w', updatedAt: 'now' }];
  assert.deepEqual(brief(await resultFaults('0.12.1', 'agent', 'session/list', { sessions })), [
    'text/iso-timestamp /result/sessions/0/updatedAt',
  ]);
});
