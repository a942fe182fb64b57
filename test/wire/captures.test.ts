/** The wire on what real agents sent. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeFrame, type JsonObject, type Message, readMessage } from '../../src/wire/index.ts';
import { linesOf } from './framing.ts';

const folder = process.env.ACP_CAPTURES;
const isRequired = process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES === '1';
const skip = folder || isRequired ? false : 'ACP_CAPTURES names no folder of captures';
if (skip) console.error(`NOT RUN: ${skip}`);

/** Messages of the agent in a capture, as the framer and the envelope read them from the wire. */
const messagesOfAgent = (file: string): Message[] => {
  const records = linesOf([readFileSync(join(folder!, file))]).map(line =>
    line.kind === 'frame' ? line.value : {},
  );
  const frames = records
    .filter(({ from, frame }) => from === 'agent' && frame)
    .map(({ frame }) => frame as JsonObject);
  const lines = linesOf([Buffer.concat(frames.map(encodeFrame))]);
  assert.equal(lines.length, frames.length);
  return lines.flatMap(line => (line.kind === 'frame' ? [readMessage(line.value)] : []));
};

test('in the captures only codex-acp sends invalid envelopes: errors without an id', { skip }, () => {
  assert.ok(folder, 'ACP_CAPTURES must name the folder of captures');
  for (const file of readdirSync(folder)) {
    for (const message of messagesOfAgent(file)) {
      if (message.type !== 'invalid') continue;
      assert.match(file, /codex-acp/);
      assert.equal(message.fault, 'id-missing');
      assert.equal(message.meant?.type === 'error' && message.meant.id, null);
    }
  }
  const codex = messagesOfAgent('zed-codex-acp-0.16.0.jsonl').filter(({ type }) => type === 'invalid');
  assert.equal(codex.length, 2);
});
