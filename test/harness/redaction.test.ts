/** No artefact of a run holds a registered value, whatever the value is and however it comes. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { observe } from '../../src/harness/observations.ts';
import { createRecord } from '../../src/harness/record.ts';
import { redactionFor } from '../../src/harness/redaction.ts';
import { createJournal, createLineRecorder, isRedactable } from '../../src/journal/index.ts';
import { reservedWords } from '../../src/protocol/index.ts';
import type { Json, JsonObject } from '../../src/wire/index.ts';

let reserved: ReadonlySet<string>;
before(async () => {
  reserved = await reservedWords();
});

const header = {
  journal: 'acp-testbench/1',
  bench: '0.0.0',
  run: 'run',
  startedAt: '2026-01-01T00:00:00.000Z',
  subject: 'client',
} as const;

const facts = {
  sessionId: 's-1',
  protocolVersion: 1,
  agentCapabilities: {},
  modes: undefined,
  configOptions: undefined,
  selectedMode: undefined,
  selectedConfig: {},
};

const update = (change: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's-1', update: change },
});
const chunk = (text: string): JsonObject =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** Text as JSON in which characters are escaped that need not be. */
const escaped = (frame: JsonObject, everyOther: boolean): string =>
  JSON.stringify(frame).replaceAll(/[^\x20-\x7e]|[a-z]/gu, (character, index: number) =>
    // Only within the values that begin after the last colon are letters free to be escaped.
    character > '~' || (everyOther && index % 2 === 0 && isInText(frame, index))
      ? units(character)
      : character,
  );
const units = (text: string): string =>
  text
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
const isInText = (frame: JsonObject, index: number): boolean =>
  index > JSON.stringify(frame).lastIndexOf('"text":"') + 7;

/** What a run keeps of frames that hold the secret in every way: journal, frames, observations, texts. */
const artefacts = async (secret: string, cut: number, everyOther: boolean): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'redaction-'));
  try {
    const { redactor } = await redactionFor({
      manifest: { env: { TOKEN: '${PARENT_TOKEN}' } },
      servers: [],
      variables: { PARENT_TOKEN: secret },
    });
    const record = createRecord(redactor, 0);
    const path = join(folder, 'journal.jsonl');
    const journal = createJournal({ header, path, redactor, onEntry: record.add });
    const agent = createLineRecorder({ journal, connection: 1, from: 'agent' });
    const lines = [
      escaped(chunk(`before ${secret} after`), everyOther),
      JSON.stringify(chunk(`begins ${secret.slice(0, cut)}`)),
      JSON.stringify(chunk(`${secret.slice(cut)} ends`)),
      JSON.stringify(
        update({
          sessionUpdate: 'tool_call',
          toolCallId: 'c',
          title: secret,
          rawInput: { [secret]: [secret] },
        }),
      ),
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { agentInfo: { name: secret, version: '1' } } }),
      `no frame at all: ${secret}`,
    ];
    for (const line of lines) agent.push(Buffer.from(`${line}\n`));
    journal.append({
      connection: 1,
      channel: 'stderr',
      from: 'agent',
      bytes: Buffer.from(secret.slice(0, cut)),
    });
    journal.append({
      connection: 1,
      channel: 'stderr',
      from: 'agent',
      bytes: Buffer.from(secret.slice(cut)),
    });
    journal.close();
    const entries = record.takeTurn();
    const observed = observe({
      turn: 1,
      entries,
      frames: record.frames(entries),
      record,
      facts: { ...facts, agentInfo: { name: secret } },
      receipts: [],
    });
    const kept: Json = JSON.parse(
      JSON.stringify([observed, record.frames(record.all()), redactor.text(`failed: ${secret}`)]),
    );
    return [
      ...strings(kept),
      ...readFileSync(path, 'utf8')
        .split('\n')
        .flatMap(line => (line ? strings(JSON.parse(line)) : [])),
    ].join('\0');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Every string and member name, decoded. */
const strings = (value: Json | undefined): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(strings);
  return Object.entries(value).flatMap(([name, member]) => [name, ...strings(member)]);
};

const secrets = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }),
    fc.string({ minLength: 6, maxLength: 40, unit: 'binary' }),
    fc.stringMatching(/^[\w+/=.-]{6,64}$/),
    fc.constantFrom(
      'with "quotes" and \\ slashes',
      'line\nfeed\ttab',
      '🙂🙃🙂🙃🙂🙃',
      'ab cd ef ',
      '/path/to/secret',
    ),
  )
  .map(text => text.trim())
  .filter(value => value.length >= 6);

describe('what a run keeps', () => {
  it('holds no registered value, in whatever pieces and escapes it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        secrets,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        async (secret, at, everyOther) => {
          fc.pre(isRedactable({ name: 'PARENT_TOKEN', value: secret }, reserved));
          // The texts around it, and what a record says of itself, must not hold it by chance.
          fc.pre(!(await artefacts('another value', 3, false)).includes(secret));
          const cut = Math.round(at * secret.length);
          assert.ok(!(await artefacts(secret, cut, everyOther)).includes(secret));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('shows what was said around a value that came in two pieces', async () => {
    const kept = await artefacts('tok-4711-4711', 6, false);
    assert.match(kept, /before \[redacted:PARENT_TOKEN\] after/);
    assert.doesNotMatch(kept, /4711/);
  });

  it('hides what stands below env, environment and headers, but not the names', async () => {
    const { redactor } = await redactionFor({ manifest: { env: {} }, servers: [], variables: {} });
    assert.deepEqual(
      redactor.value({
        env: [{ name: 'A', value: 'plain' }],
        Headers: { 'X-Key': 'plain', list: ['plain'] },
        nested: { environment: { deep: { value: 'plain', name: 'kept' } } },
        args: ['plain'],
      }),
      {
        env: [{ name: 'A', value: '[redacted]' }],
        Headers: { 'X-Key': '[redacted]', list: ['[redacted]'] },
        nested: { environment: { deep: { value: '[redacted]', name: 'kept' } } },
        args: ['plain'],
      },
    );
  });

  it('takes values of variables with the name of a credential for secrets, though nobody refers to them', async () => {
    const { redactor, isSecret, notRedacted } = await redactionFor({
      manifest: { env: { LEVEL: '${LOG_LEVEL}' } },
      servers: [],
      variables: { OPENAI_API_KEY: 'sk-0123456789', LOG_LEVEL: 'debug', EDITOR: 'ordinary-editor' },
    });
    assert.equal(redactor.text('sk-0123456789 ordinary-editor'), '[redacted:OPENAI_API_KEY] ordinary-editor');
    assert.equal(isSecret('sk-0123456789'), true);
    // Too short to be found without harm: that is said, not hidden.
    assert.deepEqual(notRedacted, ['LOG_LEVEL']);
  });
});
