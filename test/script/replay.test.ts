import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import type { Entry } from '../../src/journal/index.ts';
import { compileScript, instancesOf, replayScripts, type Script } from '../../src/script/index.ts';
import { encodeFrame, type JsonObject, readMessage } from '../../src/wire/index.ts';
import {
  agent,
  answering,
  bindings,
  inSession,
  permissionRequest,
  run,
  silentJudge,
  timeoutMs,
  update,
} from './world.ts';

const script: Partial<Script> = inSession([
  { request: 'session/prompt', as: 'turn', params: { sessionId: '$s.sessionId' } },
  { expect: { method: 'session/request_permission', params: { sessionId: '$s.sessionId' } }, as: 'p' },
  {
    notify: 'session/cancel',
    params: { sessionId: '$s.sessionId' },
    delay: '10ms',
    guard: { unanswered: 'turn' },
  },
  { respond: '$p.id', result: { outcome: { outcome: 'cancelled' } } },
  { expect: { response: 'turn', result: { stopReason: 'cancelled' } }, checks: ['CANCEL-02'] },
  { quiet: { match: { method: 'session/update' }, for: '30ms' }, checks: ['CANCEL-04'] },
]);

const recorded = () =>
  run(script, {
    actor: answering().factory,
    onFrame: agent((frame, other) => {
      if (frame.method === 'session/prompt') {
        other.send(update('a'));
        other.send({ jsonrpc: '2.0', id: 8, method: 'fs/read_text_file', params: { sessionId: 's-1' } });
        other.send(permissionRequest(9));
      }
      if (frame.id === 9) other.answer({ id: 2 }, { stopReason: 'cancelled' });
    }),
  });

const replay = async (changed: Partial<Script>, entries: readonly Entry[]) => {
  const compiled = await compileScript({
    id: 'test/script',
    title: 'A test',
    role: 'client',
    ...changed,
  } as Script);
  return replayScripts([instancesOf(compiled)[0]!], entries, { judge: silentJudge, bindings, timeoutMs });
};

/** The journal with the frame of one entry replaced. */
const altered = (entries: readonly Entry[], change: (frame: JsonObject) => JsonObject | undefined): Entry[] =>
  entries.map(entry => {
    if (entry.channel !== 'acp' || entry.line.kind !== 'frame') return entry;
    const value = change(entry.line.value);
    if (!value) return entry;
    const bytes = encodeFrame(value).subarray(0, -1);
    return { ...entry, line: { ...entry.line, value, bytes }, message: readMessage(value) };
  });

describe('a replay', () => {
  it('decides as the run did, and finds nothing', async () => {
    const { entries, result } = await recorded();
    const again = await replay(script, entries);
    assert.deepEqual(again, { results: [result], mismatches: [] });
    assert.deepEqual(
      result.decided.map(({ requirement, outcome }) => [requirement, outcome]),
      [
        ['CANCEL-02', 'pass'],
        ['CANCEL-04', 'pass'],
      ],
    );
  });

  it('of an altered answer decides otherwise', async () => {
    const { entries } = await recorded();
    const forged = altered(entries, frame =>
      (frame.result as JsonObject | undefined)?.stopReason
        ? { ...frame, result: { stopReason: 'end_turn' } }
        : undefined,
    );
    const {
      results: [result],
    } = await replay(script, forged);
    assert.deepEqual(
      result!.decided.map(({ requirement, outcome }) => [requirement, outcome]),
      [['CANCEL-02', 'fail']],
    );
  });

  it('of an altered frame of the script reports it', async () => {
    const { entries } = await recorded();
    const forged = altered(entries, frame =>
      frame.method === 'session/cancel' ? { ...frame, params: { sessionId: 'x' } } : undefined,
    );
    const { mismatches } = await replay(script, forged);
    const { seq } = entries.find(
      entry =>
        entry.channel === 'acp' &&
        entry.line.kind === 'frame' &&
        entry.line.value.method === 'session/cancel',
    )!;
    assert.deepEqual(mismatches, [
      {
        seq,
        expected: '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"x"}}',
        got: '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s-1"}}',
      },
    ]);
  });

  const steps = script.steps!;
  for (const [what, changed] of [
    ['sends something else', steps.with(2, { request: 'session/prompt', as: 'turn', params: {} })],
    ['sends less', steps.toSpliced(5, 1)],
    ['sends more', [...steps, { notify: '_more' }]],
    [
      'does not wait before it sends',
      steps.toSpliced(3, 1).with(4, { respond: 9, result: { outcome: { outcome: 'cancelled' } } }),
    ],
    [
      'waits for less',
      steps.slice(0, -1).with(4, { notify: 'session/cancel', params: { sessionId: '$s.sessionId' } }),
    ],
    ['waits for what did not come', [...steps, { expect: { method: '_never' } }]],
  ] as const) {
    it(`of a script that ${what} reports it`, async () => {
      const { entries } = await recorded();
      const { mismatches } = await replay({ steps: changed }, entries);
      assert.notDeepEqual(mismatches, []);
    });
  }

  it('takes the values that the run was bound to', async () => {
    const { entries } = await recorded();
    const compiled = await compileScript({
      id: 'test/script',
      title: 'A test',
      role: 'client',
      ...script,
    } as Script);
    const options = { judge: silentJudge, bindings: { ...bindings, workspace: '/elsewhere' }, timeoutMs };
    const { mismatches } = await replayScripts([instancesOf(compiled)[0]!], entries, options);
    assert.match(mismatches[0]!.expected, /"cwd":"\/work\/space"/);
    assert.match(mismatches[0]!.got, /"cwd":"\/elsewhere"/);
  });

  it('goes through a restart', async () => {
    const { entries, result } = await run(
      inSession([
        { restart: { stop: 'kill' } },
        { initialize: {} },
        { quiet: { match: { event: 'eof' }, for: '5ms' } },
      ]),
      { onFrame: agent() },
    );
    assert.ok(entries.some(({ connection }) => connection === 2));
    assert.equal(result.verdict, 'done');
  });
});

describe('starting fast', () => {
  it('the room loads neither the YAML parser nor the schema validator before they are needed', () => {
    const room = new URL('../../src/script/index.ts', import.meta.url).href;
    const code = `
      import { createRequire } from 'node:module';
      const { cache } = createRequire(import.meta.url);
      const loaded = () => ['ajv', 'yaml'].filter(name => Object.keys(cache).some(path => path.includes('/node_modules/' + name + '/')));
      await import(${JSON.stringify(room)});
      console.log(loaded().join(' ') || 'none');
      await import('yaml');
      await import('ajv/dist/2020.js');
      console.log(loaded().join(' '));
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', code],
      { encoding: 'utf8', cwd: shipped('.') },
    );
    assert.equal(stdout, 'none\najv yaml\n', stderr);
  });
});
