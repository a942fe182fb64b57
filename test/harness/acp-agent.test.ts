import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UserError } from '../../src/base/index.ts';
import { type AcpAgentFields, acpAgent, runAgent } from '../../src/harness/index.ts';
import { agentThat } from './world.ts';

const agent = (fields: object) => acpAgent({ model: 'm', ...fields } as AcpAgentFields);
const refused = (fields: object, message: RegExp): void =>
  void assert.throws(
    () => agent(fields),
    error => error instanceof UserError && message.test(error.message),
  );

describe('the selection of an agent', () => {
  it('has the defaults of the reference', () => {
    assert.deepEqual(
      { ...agent({}) },
      {
        kind: 'acp',
        name: 'acp',
        manifest: {},
        agentModeId: undefined,
        sessionConfig: {},
        model: 'm',
        runtime: 'system',
      },
    );
  });

  it('takes texts and booleans for options, in the order in which they are given', () => {
    const { sessionConfig } = agent({ sessionConfig: { b: true, a: 'x' } });
    assert.deepEqual(Object.entries(sessionConfig), [
      ['b', true],
      ['a', 'x'],
    ]);
  });

  it('takes null for what is absent', () => {
    assert.equal(agent({ agentModeId: null }).agentModeId, undefined);
    assert.equal(agent({ runtime: null }).runtime, 'system');
  });

  it('refuses a managed runtime, in the words of the reference', () => {
    refused({ runtime: 'managed' }, /managed runtime is supported only for native harnesses/);
    refused({ runtime: 'other' }, /^runtime/);
  });

  it('refuses options without a name, and values that are neither text nor boolean', () => {
    refused({ sessionConfig: { '': 'x' } }, /ACP session configuration keys must be non-empty text/);
    for (const value of [1, null, ['x'], { x: 1 }, undefined])
      refused({ sessionConfig: { a: value } }, /ACP session configuration values must be text or boolean/);
    refused({ sessionConfig: null }, /^sessionConfig/);
    refused({ sessionConfig: ['x'] }, /^sessionConfig/);
  });

  it('refuses texts of the wrong length, and counts characters', () => {
    const bounds = [
      ['name', 128],
      ['agentModeId', 256],
      ['model', 512],
    ] as const;
    for (const [field, longest] of bounds) {
      refused({ [field]: '' }, new RegExp(`^${field}`));
      refused({ [field]: '🙂'.repeat(longest + 1) }, new RegExp(`^${field}`));
      assert.equal(agent({ [field]: '🙂'.repeat(longest) })[field], '🙂'.repeat(longest));
    }
  });

  it('refuses a missing model, another kind, and a manifest that is no object', () => {
    assert.throws(() => acpAgent({} as AcpAgentFields), UserError);
    refused({ kind: 'codex' }, /^kind/);
    refused({ manifest: 'agent.json' }, /^manifest/);
  });

  it('names all unknown fields, sorted, and nothing else', () => {
    refused({ zeal: 1, agent_mode_id: 'x', model: '' }, /^unknown agent fields: agent_mode_id, zeal$/);
  });

  it('cannot be changed, neither through what came back nor through what was given', () => {
    const given = { manifest: { command: 'a', args: ['x'] }, sessionConfig: { a: 'x' } };
    const selected = agent(given);
    given.manifest.args.push('y');
    given.sessionConfig.a = 'y';
    assert.deepEqual(selected.manifest, { command: 'a', args: ['x'] });
    assert.deepEqual(selected.sessionConfig, { a: 'x' });
    assert.throws(() => (selected.manifest.args as string[]).push('z'), TypeError);
    assert.throws(() => Object.assign(selected, { model: 'other' }), TypeError);
  });

  it('keeps the label of the model from the agent', async () => {
    const { outcome, frames } = await runAgent(agentThat('greet', '', { model: 'label-4711' }), 'Hello');
    assert.equal(outcome, 'completed');
    assert.doesNotMatch(JSON.stringify(frames), /label-4711/);
  });
});
