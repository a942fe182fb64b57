import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProtocol, releases } from '../../src/protocol/index.ts';
import { type Facts, proveChecks, proveSince } from '../../tools/schemas/release.ts';

/** Stable methods in the order in which releases brought them. */
const baseline = [
  'authenticate',
  'fs/read_text_file',
  'fs/write_text_file',
  'initialize',
  'session/cancel',
  'session/list',
  'session/load',
  'session/new',
  'session/prompt',
  'session/request_permission',
  'session/set_config_option',
  'session/set_mode',
  'session/update',
  'terminal/create',
  'terminal/kill',
  'terminal/output',
  'terminal/release',
  'terminal/wait_for_exit',
];
const by1190 = ['$/cancel_request', 'logout', 'session/close', 'session/delete', 'session/resume'];
const by1210 = ['elicitation/complete', 'elicitation/create'];
const expected = {
  '0.12.1': baseline,
  '1.19.0': [...baseline, ...by1190],
  '1.21.0': [...baseline, ...by1190, ...by1210],
  latest: [...baseline, ...by1190, ...by1210],
};

for (const release of releases) {
  test(`${release} has its stable methods and no other`, async () => {
    const { methods } = await loadProtocol(release);
    assert.deepEqual([...methods.keys()].sort(), expected[release].slice().sort());
  });

  test(`in ${release} a request has a result and a notification has none`, async () => {
    const notifications = ['$/cancel_request', 'elicitation/complete', 'session/cancel', 'session/update'];
    for (const { name, kind, result } of (await loadProtocol(release)).methods.values()) {
      assert.equal(kind, notifications.includes(name) ? 'notification' : 'request', name);
      assert.equal(result !== undefined, kind === 'request', name);
    }
  });
}

test('a method tells who serves it, what gates it and since when it is stable', async () => {
  const { methods } = await loadProtocol('latest');
  const { side, gate, since, params, result } = methods.get('session/delete')!;
  assert.deepEqual(
    { side, gate, since, params, result },
    {
      side: 'agent',
      gate: 'agentCapabilities.sessionCapabilities.delete',
      since: 'v0.13.6',
      params: 'DeleteSessionRequest',
      result: 'DeleteSessionResponse',
    },
  );
  assert.equal(methods.get('terminal/kill')?.side, 'client');
  assert.equal(methods.get('$/cancel_request')?.side, 'protocol');
  assert.equal(methods.get('session/prompt')?.gate, undefined);
  assert.equal(methods.get('initialize')?.since, 'v0.12.1');
});

test('a protocol is loaded once per release', async () => {
  assert.equal(await loadProtocol('latest'), await loadProtocol('latest'));
  assert.notEqual(await loadProtocol('latest'), await loadProtocol('0.12.1'));
});

test('the table of first releases must name exactly what came later', () => {
  const A = { type: 'object', properties: {} };
  const facts = (since: Facts['since']): Facts => ({
    stable: [{ $defs: { A } }, { $defs: { A: { ...A, properties: { x: {} } } } }],
    unstable: {},
    gates: {},
    since,
    checks: { 'absolute-path': ['/$defs/A/properties/x'] },
  });
  assert.throws(() => proveSince(facts({})), /lacks \[A\.x\]/);
  assert.throws(() => proveSince(facts({ 'A.x': 'v1', 'A.y': 'v1' })), /needlessly \[A\.y\]/);
  proveSince(facts({ 'A.x': 'v1' }));
  proveChecks(facts({}));
  const stale = { ...facts({}), checks: { base64: ['/$defs/A/properties/z'] } };
  assert.throws(() => proveChecks(stale), /points at nothing: \/\$defs\/A\/properties\/z/);
});
