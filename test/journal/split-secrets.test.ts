import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  createJournal,
  createRedactor,
  type Draft,
  type Entry,
  type Journal,
  type Secret,
} from '../../src/journal/index.ts';
import { isObject, type Json } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';
import { escaped, marker, secretValue } from './secret-texts.ts';
import { entriesOf, frameDraft, header, temporaryPath } from './support.ts';

const secret: Secret = { name: 'API_TOKEN', value: 'sk-änt"0/😀9' };
const units = secret.value.split('');

/** Writes a journal and reads it back. */
const written = (
  context: TestContext,
  fill: (journal: Journal) => void,
  secrets: readonly Secret[] = [secret],
  reserved: readonly string[] = [],
): readonly Entry[] => {
  const path = temporaryPath(context);
  const journal = createJournal({ header, path, redactor: createRedactor(secrets, reserved) });
  fill(journal);
  journal.close();
  return entriesOf(path);
};

const update = (text: string, sessionId = 's1', sessionUpdate = 'agent_message_chunk') => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update: { sessionUpdate, content: { type: 'text', text } } },
});

const chunk = (text: string, sessionId?: string, kind?: string): Draft =>
  frameDraft(update(text, sessionId, kind));

const stderr = (bytes: Uint8Array): Draft => ({ connection: 1, channel: 'stderr', from: 'agent', bytes });

const frameOf = (entry: Entry): Json =>
  entry.channel === 'acp' && entry.line.kind === 'frame' ? entry.line.value : null;

/** The texts of message chunks. */
const texts = (entries: readonly Entry[]): string[] =>
  entries.map(entry => (frameOf(entry) as ReturnType<typeof update>).params.update.content.text);

const bytesOf = (entries: readonly Entry[]): string =>
  entries
    .map(entry => (entry.channel === 'stderr' ? Buffer.from(entry.bytes).toString('latin1') : ''))
    .join('');

test('both parts of a secret that is split over two chunks are redacted, wherever it is split', context => {
  for (let at = 1; at < units.length; at += 1) {
    const entries = written(context, journal => {
      journal.append(chunk(`a ${units.slice(0, at).join('')}`));
      journal.append(chunk(`${units.slice(at).join('')} b`));
    });
    assert.deepEqual(texts(entries), [`a ${marker}`, ' b']);
  }
});

test('a secret that comes one character per chunk is redacted', context => {
  const entries = written(context, journal => {
    for (const unit of `a ${secret.value} b`.split('')) journal.append(chunk(unit));
  });
  assert.equal(texts(entries).join(''), `a ${marker} b`);
});

test('what only begins like a secret stays', context => {
  const given = ['ask', '-ä', 'nd', ' s', 'k-', '', 'änt', ' the end sk-', '.'];
  const entries = written(context, journal => {
    for (const text of given) journal.append(chunk(text));
  });
  assert.deepEqual(texts(entries), given);
});

test('chunks of other sessions and kinds between the parts neither hide nor complete a secret', context => {
  const [first, second, third] = [0, 4, 8].map(from => units.slice(from, from + 4).join('')) as [
    string,
    string,
    string,
  ];
  const entries = written(context, journal => {
    journal.append(chunk(first));
    journal.append(chunk(second, 's2'));
    journal.append(chunk(second, 's1', 'agent_thought_chunk'));
    journal.append(chunk(second));
    journal.append(chunk(third));
  });
  assert.deepEqual(texts(entries), [marker, second, second, '', '']);
});

test('of a secret split over any two other strings, what is at least half of it is redacted', context => {
  const prompt = (...parts: string[]) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'session/prompt',
    params: { sessionId: 's', prompt: parts.map(text => ({ type: 'text', text })) },
  });
  for (let at = 1; at < units.length; at += 1) {
    const parts = [`a ${units.slice(0, at).join('')}`, `${units.slice(at).join('')} b`] as const;
    const entries = written(context, journal => {
      journal.append(frameDraft(prompt(...parts)));
      for (const output of parts) journal.append(frameDraft({ jsonrpc: '2.0', id: 7, result: { output } }));
    });
    const [first, second] = [at < 6 ? parts[0] : `a ${marker}`, at > 6 ? parts[1] : `${marker} b`];
    assert.deepEqual(entries.map(frameOf), [
      prompt(first, second),
      { jsonrpc: '2.0', id: 7, result: { output: first } },
      { jsonrpc: '2.0', id: 7, result: { output: second } },
    ]);
  }
});

test('half a secret stays in ids, in methods, in protocol words and in names', context => {
  const link: Secret = { name: 'API_TOKEN', value: 'resource_link-1' };
  const half = { jsonrpc: '2.0', id: 'resource_link', method: 'resource_link' };
  const frame = { ...half, params: { sessionId: 'resource_link', type: 'resource_link', resource_link: 1 } };
  const entries = written(context, journal => journal.append(frameDraft(frame)), [link], ['resource_link']);
  assert.deepEqual(entries.map(frameOf), [frame]);
  const other = { ...frame, params: { text: 'a resource_link' } };
  assert.deepEqual(written(context, journal => journal.append(frameDraft(other)), [link]).map(frameOf), [
    { ...other, params: { text: `a ${marker}` } },
  ]);
});

test('entries behind a held one keep their order, and a flood of them does not wait', context => {
  const path = temporaryPath(context);
  const journal = createJournal({ header, path, redactor: createRedactor([secret]) });
  const note = (text: string): Draft => ({ connection: 1, channel: 'bench', what: { event: 'note', text } });
  journal.append(chunk('so s'));
  for (let count = 0; count < 5000; count += 1) journal.append(note('x'.repeat(1000)));
  const lines = readFileSync(path, 'utf8').split('\n');
  assert.ok(lines.length > 3000, `only ${lines.length} lines were written`);
  assert.match(lines[1] ?? '', /"text":"so s"/);
  journal.close();
  assert.deepEqual(
    entriesOf(path).map(entry => entry.seq),
    Array.from({ length: 5001 }, (_, index) => index + 1),
  );
});

test('what a flush interrupts is redacted from half of the secret on; less stays, but its rest is redacted', context => {
  const half = Math.ceil(units.length / 2);
  for (let at = 1; at < units.length; at += 1) {
    const [first, second] = [units.slice(0, at).join(''), units.slice(at).join('')];
    const entries = written(context, journal => {
      journal.append(chunk(first));
      journal.flush();
      journal.append(chunk(`${second} b`));
    });
    // Half of a surrogate pair is written as it came.
    assert.deepEqual(texts(entries), [at < half ? first : marker, `${marker} b`]);
  }
});

test('on stderr too, what a flush interrupts is redacted from half of the secret on', context => {
  const plain: Secret = { name: 'API_TOKEN', value: '0123456789' };
  for (let at = 1; at < 10; at += 1) {
    const entries = written(
      context,
      journal => {
        journal.append(stderr(Buffer.from(plain.value.slice(0, at))));
        journal.flush();
        journal.append(stderr(Buffer.from(`${plain.value.slice(at)} b`)));
      },
      [plain],
    );
    assert.equal(bytesOf(entries), `${at < 5 ? plain.value.slice(0, at) : marker}${marker} b`);
  }
});

test('the end of the output decides', context => {
  const path = temporaryPath(context);
  const journal = createJournal({ header, path, redactor: createRedactor([secret]) });
  journal.append(chunk('so s'));
  journal.append({ connection: 1, channel: 'process', from: 'agent', what: { event: 'eof' } });
  journal.append(chunk('x'.repeat(2 * 1024 * 1024)));
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 5);
  journal.close();
});

test('a secret on stderr is redacted at any split of its bytes, escaped or not', context => {
  for (const form of [
    secret.value,
    JSON.stringify(secret.value).slice(1, -1),
    'sk-\\u00E4nt\\"0\\/\\ud83D\\ude009',
  ]) {
    const bytes = Buffer.from(form);
    for (let at = 1; at < bytes.length; at += 1) {
      const entries = written(context, journal => {
        journal.append(stderr(Buffer.concat([Buffer.from('a '), bytes.subarray(0, at)])));
        journal.append(stderr(Buffer.concat([bytes.subarray(at), Buffer.from(' b')])));
      });
      assert.equal(bytesOf(entries), `a ${marker} b`);
    }
  }
});

test('a secret of several lines is redacted when it arrives as malformed lines', context => {
  const key: Secret = { name: 'API_TOKEN', value: '-----BEGIN-----\nMIIEow\nIBAAKC\n-----END-----' };
  const entries = written(
    context,
    journal => {
      for (const text of ['see', ...key.value.split('\n'), 'done']) journal.append(frameDraft(text));
    },
    [key],
  );
  const lines = entries.map(entry =>
    entry.channel === 'acp' ? Buffer.from(entry.line.bytes).toString() : '',
  );
  assert.deepEqual(lines, ['see', marker, '', '', '', 'done']);
});

test('secrets in the header, in commands and in notes are redacted', context => {
  const path = temporaryPath(context);
  const scripts = [{ id: 'x', digest: 'y' }];
  const journal = createJournal({
    header: { ...header, scripts, bindings: { token: secret.value } },
    path,
    redactor: createRedactor([secret]),
  });
  journal.append({
    connection: 1,
    channel: 'process',
    from: 'agent',
    what: { event: 'start', command: ['agent', `--token=${secret.value}`] },
  });
  journal.append({ connection: 1, channel: 'bench', what: { event: 'note', text: secret.value } });
  journal.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual(JSON.parse(lines[0]!).bindings, { token: marker });
  assert.deepEqual(JSON.parse(lines[1]!).what.command, ['agent', `--token=${marker}`]);
  assert.deepEqual(JSON.parse(lines[2]!).what, { event: 'note', text: marker });
});

test('live entries are not redacted', context => {
  const seen: Entry[] = [];
  const redactor = createRedactor([secret]);
  const journal = createJournal({
    header,
    path: temporaryPath(context),
    redactor,
    onEntry: entry => seen.push(entry),
  });
  journal.append(chunk(secret.value));
  journal.close();
  assert.deepEqual(texts(seen), [secret.value]);
});

/** All strings of a value, keys included. */
const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.flatMap(strings)
      : isObject(value)
        ? Object.entries(value).flatMap(([key, member]) => [key, ...strings(member)])
        : [];

/** A text in pieces, cut at arbitrary places. */
const cutAnywhere = <T extends string | Buffer>(whole: T, cuts: readonly number[]): T[] => {
  const places = [...new Set(cuts.map(cut => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [...places, whole.length].map((place, index) => whole.slice(places[index - 1] ?? 0, place) as T);
};

test('no secret is left in a journal, whatever it is, however it is cut, escaped, mixed and flushed', context => {
  const path = temporaryPath(context, 'property');
  let run = 0;
  const property = fc.property(
    fc.uniqueArray(secretValue, { minLength: 1, maxLength: 3 }),
    fc.array(fc.string({ maxLength: 5 }), { minLength: 2, maxLength: 4 }),
    fc.array(fc.nat(), { maxLength: 12 }),
    fc.boolean(),
    fc.gen(),
    (values, around, cuts, flushes, gen) => {
      const text = around.map((between, index) => between + (values[index] ?? '')).join('');
      const secrets = values.map((value, index) => ({ name: `S${index}`, value }));
      run += 1;
      const file = `${path}-${run}`;
      const journal = createJournal({ header, path: file, redactor: createRedactor(secrets) });
      const pieces: Record<string, Draft[]> = {
        chunks: cutAnywhere(text, cuts).map(piece => {
          const raw = JSON.stringify(update('@')).replace('@', () => escaped(piece, gen));
          return frameDraft(Buffer.from(raw));
        }),
        stderr: cutAnywhere(Buffer.from(text), cuts).map(stderr),
        escaped: cutAnywhere(Buffer.from(escaped(text, gen)), cuts).map(bytes => ({
          ...stderr(bytes),
          from: 'client' as Party,
        })) as Draft[],
      };
      for (let left = Object.values(pieces).filter(list => list.length); left.length; ) {
        journal.append(gen(fc.constantFrom<Draft[][]>, ...left).shift()!);
        if (flushes && gen(fc.boolean)) journal.flush();
        left = left.filter(list => list.length);
      }
      journal.close();

      const entries = entriesOf(file);
      const message = texts(entries.filter(entry => entry.channel === 'acp')).join('');
      const from = (party: Party) =>
        entries.filter(entry => entry.channel === 'stderr' && entry.from === party);
      const plain = Buffer.from(bytesOf(from('agent')), 'latin1').toString();
      const encoded = Buffer.from(bytesOf(from('client')), 'latin1').toString();
      for (const value of values) {
        assert.equal(message.includes(value), false, `message: ${message}`);
        assert.equal(plain.includes(value), false, `stderr: ${plain}`);
        assert.equal(decoded(encoded).includes(value), false, `stderr: ${encoded}`);
        for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
          assert.equal(
            strings(JSON.parse(line)).some(each => each.includes(value)),
            false,
          );
        }
      }
    },
  );
  // Each run writes a file: shrinking would take minutes.
  fc.assert(property, { numRuns: 150, endOnFailure: true });
});

const decoded = (inside: string): string => {
  try {
    return JSON.parse(`"${inside}"`);
  } catch {
    return inside;
  }
};

test('a journal without secrets in it is the same with a redactor as without', context => {
  const path = temporaryPath(context, 'same');
  let run = 0;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), given => {
      fc.pre(!given.join('').includes('s'));
      run += 1;
      const both = [createRedactor([secret]), undefined].map((redactor, index) => {
        const file = `${path}-${run}-${index}`;
        const journal = createJournal({ header, path: file, ...(redactor ? { redactor } : {}) });
        for (const text of given) journal.append({ ...chunk(text), t: 1 } as Draft);
        journal.close();
        return readFileSync(file, 'utf8');
      });
      assert.equal(both[0], both[1]);
    }),
  );
});
