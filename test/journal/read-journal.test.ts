import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createJournal, type Draft, mergeJournals, readJournal } from '../../src/journal/index.ts';
import { entriesOf, frameDraft, header, temporaryPath } from './support.ts';

const write = (path: string, times: readonly number[]): void => {
  const journal = createJournal({ header, path });
  for (const t of times) journal.append({ ...frameDraft({ jsonrpc: '2.0', method: 'x' }), t } as Draft);
  journal.close();
};

test('a journal can be read any number of times, and broken off', context => {
  const path = temporaryPath(context);
  write(path, [1, 2, 3]);
  const { entries } = readJournal(path);
  for (const entry of entries) {
    assert.equal(entry.seq, 1);
    break;
  }
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(
      [...entries].map(({ t }) => t),
      [1, 2, 3],
    );
});

test('a cut last line is left out and reported, wherever it is cut', context => {
  const path = temporaryPath(context);
  write(path, [1, 2]);
  const whole = readFileSync(path);
  assert.equal(readJournal(path).truncated, false);
  const second = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let size = second + 1; size < whole.length; size += 1) {
    writeFileSync(path, whole.subarray(0, size));
    const read = readJournal(path);
    assert.equal(read.truncated, true);
    assert.deepEqual(
      [...read.entries].map(({ seq }) => seq),
      [1],
    );
  }
});

test('a line that is no entry is named by file and line', context => {
  const path = temporaryPath(context);
  write(path, [1, 2]);
  appendFileSync(path, 'rubbish\n');
  const read = readJournal(path);
  assert.throws(() => [...read.entries], {
    name: 'UserError',
    exitCode: 2,
    message: `${path}:4  this line is not valid JSON`,
  });
});

test('a line that was removed is noticed', context => {
  const path = temporaryPath(context);
  write(path, [1, 2, 3]);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((_, index) => index !== 2).join('\n'));
  assert.throws(() => entriesOf(path), {
    name: 'UserError',
    message: `${path}:3  this line has "seq" 3 where 2 follows; lines were lost or added`,
  });
});

for (const [what, content, complaint] of [
  ['empty', '', /is no journal/],
  ['cut within its header', '{"journal":"acp-testbench/1"', /is no journal/],
  ['no journal', '{"a":1}\n', /:1 {2}this line is no header of a journal/],
  [
    'of a later format',
    '{"journal":"acp-testbench/2"}\n',
    /has the format acp-testbench\/2; this release reads/,
  ],
  [
    'begun at no moment',
    `${JSON.stringify({ ...header, startedAt: 'noon' })}\n`,
    /impossible value in "startedAt"/,
  ],
  ['without a subject', `${JSON.stringify({ ...header, subject: 'x' })}\n`, /impossible value in "subject"/],
] as const) {
  test(`a file that is ${what} is refused`, context => {
    const path = temporaryPath(context);
    writeFileSync(path, content);
    assert.throws(() => readJournal(path), { name: 'UserError', exitCode: 2, message: complaint });
  });
}

test('a path without a file, or with a folder, is refused', context => {
  const path = temporaryPath(context);
  assert.throws(() => readJournal(path), { name: 'UserError', message: /no such file/ });
  assert.throws(() => readJournal(dirname(path)), { name: 'UserError', message: /it is a folder/ });
});

test('journals are merged by clock, then file, then sequence', context => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(5)), { maxLength: 4 }), all => {
      const journals = all.map(times => {
        const path = temporaryPath(context);
        write(path, times);
        return readJournal(path);
      });
      const merged = [...mergeJournals(journals)].map(({ journal, entry }) => [entry.t, journal, entry.seq]);
      const expected = journals
        .flatMap(({ entries }, journal) => [...entries].map(entry => [entry.t, journal, entry.seq]))
        .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
      assert.deepEqual(merged, expected);
    }),
    { numRuns: 30 },
  );
});
