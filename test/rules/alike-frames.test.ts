/** Frames that the framer made from a model are judged as if each had been parsed by itself. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { loadProtocol, type Protocol, releases } from '../../src/protocol/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import { createFramer, type JsonObject, type Line, readMessage } from '../../src/wire/index.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';
import { prompt, ready } from '../helpers/steps.ts';

let protocols: readonly Protocol[];
before(async () => {
  protocols = await Promise.all(releases.map(loadProtocol));
});

const judged = (protocol: Protocol, lines: readonly Line[]) => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject: 'agent', judge });
  const before = exchange([...ready, prompt()]);
  for (const entry of before) fold.step(entry);
  for (const [index, line] of lines.entries()) {
    const message = line.kind === 'frame' ? readMessage(line.value) : undefined;
    const place = { seq: before.length + 1 + index, t: 9, connection: 1 };
    fold.step({ ...place, channel: 'acp', from: 'agent', line, message });
  }
  fold.end();
  return { counts: [...judge.counts], violations: judge.violations };
};

const framed = (frames: readonly JsonObject[]): readonly Line[] => {
  const lines: Line[] = [];
  const framer = createFramer({ onLine: line => lines.push(line) });
  framer.push(Buffer.from(frames.map(frame => `${JSON.stringify(frame)}\n`).join('')));
  framer.end();
  return lines;
};

/** As a journal that is read back has it. */
const parsedAlone = (line: Line): Line => {
  if (line.kind === 'malformed') return line;
  const { kind, bytes, carriageReturn } = line;
  return { kind, bytes, carriageReturn, value: JSON.parse(Buffer.from(bytes).toString()) as JsonObject };
};

const update = fc.record(
  {
    sessionUpdate: fc.constantFrom('agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'plan', 'zork'),
    content: fc.constantFrom<JsonObject>(
      { type: 'text' },
      { type: 'text', mood: 'calm' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource_link', name: 'a', uri: 'file:///a' },
    ),
    messageId: fc.constantFrom<string | number>('m-1', 'm-2', 7),
    _meta: fc.constantFrom<JsonObject | number>({}, { traceparent: 'x' }, 1),
  },
  { requiredKeys: ['sessionUpdate', 'content'] },
);
const run = fc
  .tuple(
    update,
    fc.constantFrom('s-1', 's-9'),
    fc.constantFrom('2.0', '1.0'),
    fc.boolean(),
    fc.array(fc.string()),
  )
  .map(([update, sessionId, jsonrpc, isRequest, texts]) =>
    texts.map(text => ({
      jsonrpc,
      ...(isRequest && { id: 4 }),
      method: 'session/update',
      params: { sessionId, update: { ...update, content: { ...update.content, text } } },
    })),
  );

describe('chunks that are alike', () => {
  it('are judged as chunks that are parsed by themselves, by every release', () => {
    let alike = 0;
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), fc.nat(releases.length - 1), (runs, release) => {
        const lines = framed(runs.flat());
        const protocol = protocols[release]!;
        assert.deepEqual(judged(protocol, lines), judged(protocol, lines.map(parsedAlone)));
        alike += lines.filter(line => line.kind === 'frame' && line.model).length;
      }),
      { numRuns: 300 },
    );
    assert.ok(alike > 100, `${alike} frames had a model`);
  });
});
