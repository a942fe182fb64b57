import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type EnvelopeFault,
  idKey,
  type JsonObject,
  type Message,
  readMessage,
} from '../../src/wire/index.ts';

const v2 = { jsonrpc: '2.0' };
const error = { code: -32601, message: 'no such method' };

const valid: readonly [what: string, frame: JsonObject, message: Message][] = [
  [
    'a request',
    { ...v2, id: 7, method: 'm', params: { a: 1 } },
    { type: 'request', id: 7, method: 'm', params: { a: 1 } },
  ],
  [
    'a request with id 0',
    { ...v2, id: 0, method: 'm' },
    { type: 'request', id: 0, method: 'm', params: undefined },
  ],
  [
    'a request with a text id',
    { ...v2, id: '7', method: 'm' },
    { type: 'request', id: '7', method: 'm', params: undefined },
  ],
  [
    'a request with id null, which is only discouraged',
    { ...v2, id: null, method: 'm' },
    { type: 'request', id: null, method: 'm', params: undefined },
  ],
  ['a notification', { ...v2, method: 'm', params: {} }, { type: 'notification', method: 'm', params: {} }],
  ['a result', { ...v2, id: 1, result: {} }, { type: 'result', id: 1, result: {} }],
  ['a null result', { ...v2, id: 1, result: null }, { type: 'result', id: 1, result: null }],
  ['an error', { ...v2, id: 1, error }, { type: 'error', id: 1, error }],
  ['an error with id null', { ...v2, id: null, error }, { type: 'error', id: null, error }],
];

for (const [what, frame, message] of valid) {
  test(`${what} reads as what it is`, () => assert.deepEqual(readMessage(frame), message));
}

const invalid: readonly [frame: JsonObject, fault: EnvelopeFault, meant: unknown][] = [
  [{ id: 1, result: {} }, 'jsonrpc-missing', { type: 'result', id: 1, result: {} }],
  [
    { jsonrpc: 2, id: 1, method: 'm' },
    'jsonrpc-wrong',
    { type: 'request', id: 1, method: 'm', params: undefined },
  ],
  [{ jsonrpc: '1.0', id: true, method: 5 }, 'jsonrpc-wrong', undefined],
  [{ ...v2, id: true, method: 5 }, 'method-not-string', undefined],
  [
    { ...v2, id: {}, method: 'm' },
    'id-wrong-type',
    { type: 'request', id: null, method: 'm', params: undefined },
  ],
  [
    { ...v2, id: 1.5, method: 'm' },
    'id-fractional',
    { type: 'request', id: 1.5, method: 'm', params: undefined },
  ],
  [{ ...v2, id: [1], result: 1, error }, 'id-wrong-type', { type: 'result', id: null, result: 1 }],
  [{ ...v2, id: 1, result: {}, error: null }, 'result-and-error', { type: 'result', id: 1, result: {} }],
  [{ ...v2, id: 1, result: null, error }, 'result-and-error', { type: 'error', id: 1, error }],
  [{ ...v2, result: {} }, 'id-missing', { type: 'result', id: null, result: {} }],
  [{ ...v2, error }, 'id-missing', { type: 'error', id: null, error }],
  [{ ...v2, id: 1, error: 'no' }, 'error-malformed', { type: 'error', id: 1, error: {} }],
  [
    { ...v2, id: 1, error: { code: '1', message: 'm' } },
    'error-malformed',
    { type: 'error', id: 1, error: { code: '1', message: 'm' } },
  ],
  [
    { ...v2, id: 1, error: { code: 1.5, message: 'm' } },
    'error-malformed',
    { type: 'error', id: 1, error: { code: 1.5, message: 'm' } },
  ],
  [{ ...v2, id: 1, error: { code: 1 } }, 'error-malformed', { type: 'error', id: 1, error: { code: 1 } }],
  [{ ...v2, id: 1 }, 'no-method-result-or-error', undefined],
  [{ ...v2 }, 'no-method-result-or-error', undefined],
];

for (const [frame, fault, meant] of invalid) {
  test(`${JSON.stringify(frame)} is ${fault}, and its best reading is kept`, () => {
    assert.deepEqual(readMessage(frame), { type: 'invalid', fault, meant });
  });
}

test('ids of different types are never the same key', () => {
  const keys = [7, '7', null, 'null', 'n7', 's7'].map(idKey);
  assert.equal(new Set(keys).size, keys.length);
});
