import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { acpAgent, type InteractionPolicy, openSession, runAgent } from '../../src/harness/index.ts';
import { createRecord } from '../../src/harness/record.ts';
import { redactionFor } from '../../src/harness/redaction.ts';
import { createJournal, createLineRecorder } from '../../src/journal/index.ts';
import { agentThat, agentWith, inTemp } from './world.ts';

const secret = 'tok-provider-0815';
const parentEnvironment = { ...process.env, PROVIDER: secret };

describe('why a start failed', () => {
  it('is told with its stage and in words of ours', async () => {
    const { outcome, error } = await runAgent(agentThat('reject', 'words of the agent'), 'Hello');
    assert.equal(outcome, 'failed');
    assert.deepEqual(error, {
      code: 'transport_error',
      message: 'session startup failed: ACP harness could not start',
      details: {
        cause: { stage: 'session/new', reason: 'the agent answered with an error (code -32000)' },
      },
    });
  });

  it('stands in the error of a session that could not be opened, whose message is that of the reference', () =>
    assert.rejects(openSession(agentThat('reject')), {
      name: 'HarnessStartupError',
      message: 'ACP harness could not start',
      cause: { stage: 'session/new', reason: 'the agent answered with an error (code -32000)' },
    }));

  it('names the interpreter that is not on the path of the agent', () =>
    inTemp(async folder => {
      // Where node itself is installed for everybody, another name stands for it.
      const isEverywhere = ['/bin/node', '/usr/bin/node'].some(existsSync);
      const interpreter = isEverywhere ? 'node-of-a-version-manager' : 'node';
      const place = join(folder, 'versions');
      mkdirSync(place);
      symlinkSync(process.execPath, join(place, interpreter));
      const command = join(folder, 'agent');
      writeFileSync(command, `#!/usr/bin/env ${interpreter}\n`, { mode: 0o755 });
      const { outcome, error } = await runAgent(acpAgent({ model: 'm', manifest: { command } }), 'Hello', {
        parentEnvironment: { PATH: `${place}:/bin:/usr/bin` },
      });
      rmSync(command);
      rmSync(place, { recursive: true });
      assert.deepEqual([outcome, error?.code], ['failed', 'transport_error']);
      assert.equal(error?.details?.cause?.stage, 'spawn');
      assert.match(
        error?.details?.cause?.reason ?? '',
        new RegExp(`interpreter "${interpreter}", which is not on PATH`),
      );
    }));

  it('is short, and holds no secret, however long the command and whatever is in it', () =>
    inTemp(async folder => {
      const name = `${secret}-${'x'.repeat(200)}`;
      const command = join(folder, name);
      writeFileSync(command, `#!/no/such/${'interpreter'.repeat(15)}\n`);
      chmodSync(command, 0o755);
      const agent = acpAgent({ model: 'm', manifest: { command, env: { A: '${PROVIDER}' } } });
      const { error } = await runAgent(agent, 'Hello', { parentEnvironment });
      rmSync(command);
      const { stage, reason } = error!.details!.cause!;
      assert.equal(stage, 'spawn');
      assert.ok(reason.length <= 500, `${reason.length} characters`);
      assert.doesNotMatch(JSON.stringify(error), /tok-provider/);
    }));
});

describe('what is kept of a run', () => {
  it('shows a secret nowhere, in the name of the agent, on standard error or live', async () => {
    const live: unknown[] = [];
    const agent = agentWith({ TOKEN: '${PROVIDER}' }, 'complain', secret);
    const result = await runAgent(agent, 'Hello', { parentEnvironment, onFrame: frame => live.push(frame) });
    assert.equal(result.outcome, 'completed');
    assert.equal(result.stderr, '[redacted:PROVIDER]');
    const identity = result.turns[0]!.observations.flatMap(each =>
      each.kind === 'metadata_observed' && each.name === 'agent_identity' ? [each.value] : [],
    );
    assert.deepEqual(identity, [{ name: '[redacted:PROVIDER]', version: '1' }]);
    assert.equal(live.length, result.frames.length);
    assert.doesNotMatch(JSON.stringify([result, live]), /tok-provider/);
  });

  it('shows no part of a secret within which standard error was cut', async () => {
    const agent = agentWith({ TOKEN: '${PROVIDER}' }, 'complain', 'x'.repeat(65_536 - 10) + secret);
    const { stderr } = await runAgent(agent, 'Hello', { parentEnvironment });
    assert.match(stderr, /^x{65526}\[redacted:PROVIDER\]$/);
  });

  it('says of a value that cannot be replaced that it was not, and of a short name nothing', async () => {
    const agent = agentWith({ LEVEL: '${L}', TOKEN: '${T}' }, 'greet');
    const { diagnostics } = await runAgent(agent, 'Hello', { parentEnvironment: { L: 'debug', T: secret } });
    assert.deepEqual(
      diagnostics.map(({ code, message }) => [code, message.includes(' L '), message.includes(' T ')]),
      [['secret_not_redacted', true, false]],
    );
  });

  it('has of a tool call what was said of it last, and of its result what was said of it before', async () => {
    const { turns } = await runAgent(agentThat('refine'), 'Hello');
    const calls = turns[0]!.observations.filter(({ kind }) => kind.startsWith('tool_'));
    assert.deepEqual(calls, [
      {
        id: 'acp-1-tool-call-c',
        kind: 'tool_call',
        callId: 'c',
        title: 'final',
        arguments: { path: 'a' },
      },
      {
        id: 'acp-1-tool-result-c',
        kind: 'tool_result',
        callId: 'c',
        status: 'completed',
        result: { ok: true },
      },
    ]);
  });

  it('is bounded for an agent that writes without end', () =>
    inTemp(async () => {
      const { outcome, frames } = await runAgent(agentThat('flood'), 'Hello');
      assert.equal(outcome, 'failed');
      // The piece that is too long, and a little of what came before the process was ended.
      const inbound = frames.filter(({ direction }) => direction === 'inbound');
      assert.ok(inbound.length <= 5, `${inbound.length} frames`);
      assert.ok(JSON.stringify(frames).length < 1024 * 1024);
    }));

  it('is bounded for frames too, and says that more came', async () => {
    const { redactor } = await redactionFor({ manifest: { env: {} }, servers: [], variables: {} });
    const record = createRecord(redactor, 0, 4000);
    const journal = createJournal({
      header: {
        journal: 'acp-testbench/1',
        bench: '0.0.0',
        run: 'run',
        startedAt: '2026-01-01T00:00:00.000Z',
        subject: 'client',
      },
      onEntry: record.add,
    });
    const agent = createLineRecorder({ journal, connection: 1, from: 'agent' });
    const line = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', method: '_x', params: { x: 'x'.repeat(450) } })}\n`,
    );
    for (let count = 0; count < 3; count += 1) agent.push(line);
    assert.equal(record.isIncomplete(), false);
    for (let count = 0; count < 100; count += 1) agent.push(line);
    assert.equal(record.isIncomplete(), true);
    assert.equal(record.frames(record.all()).length, 3);
  });
});

describe('what an agent is answered', () => {
  it('is an error where a handler gives more than a frame holds', async () => {
    const filesystem: InteractionPolicy = {
      policy: 'allow',
      handler: () => 'x'.repeat(4 * 1024 * 1024),
    };
    const { outcome, text } = await runAgent(agentThat('read'), 'Hello', { filesystem });
    assert.deepEqual([outcome, text], ['completed', 'the answer is longer than 4194304 bytes']);
  });

  it('is a denial where a handler forgets to answer', async () => {
    const handler = (() => undefined) as never;
    const { text } = await runAgent(agentThat('read'), 'Hello', { filesystem: { policy: 'allow', handler } });
    assert.equal(text, 'acp_interaction_required: filesystem');
  });
});
