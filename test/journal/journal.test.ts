import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { UserError } from '../../src/base/index.ts';
import {
  type AcpEntry,
  createJournal,
  type Draft,
  type Entry,
  readJournal,
} from '../../src/journal/index.ts';
import type { Clock } from '../../src/wire/index.ts';
import { asKept, entriesOf, frameDraft, header, temporaryPath } from './support.ts';

const note = (text: string): Draft => ({ connection: 1, channel: 'bench', what: { event: 'note', text } });

const clockAt = (...times: number[]): Clock => ({
  now: () => times.shift() ?? 0,
  timer: () => ({ cancel: () => {} }),
});

test('entries get their sequence and a time in microseconds that never runs backwards', () => {
  const journal = createJournal({ header, clock: clockAt(1.00049, 5, 3) });
  const entries = ['a', 'b', 'c'].map(text => journal.append(note(text)));
  assert.deepEqual(
    entries.map(({ seq, t }) => [seq, t]),
    [
      [1, 1],
      [2, 5],
      [3, 5],
    ],
  );
});

test('a draft may bring its time', () => {
  const journal = createJournal({ header, clock: clockAt() });
  assert.equal(journal.append({ ...note('a'), t: 12.3456789 } as Draft).t, 12.346);
});

test('the file holds what onEntry saw, in the same order, also when a listener appends', context => {
  const path = temporaryPath(context);
  const seen: Entry[] = [];
  const journal = createJournal({
    header,
    path,
    onEntry(entry) {
      seen.push(entry);
      if (entry.seq < 5) journal.append(note(`after ${entry.seq}`));
    },
  });
  journal.append(frameDraft({ jsonrpc: '2.0', id: 1, method: 'x' }));
  journal.close();
  assert.deepEqual(entriesOf(path), seen.map(asKept));
  assert.equal(seen.length, 5);
  assert.deepEqual(readJournal(path).header, header);
});

test('frames of one moment keep what tells them apart', context => {
  const path = temporaryPath(context);
  const seen: Entry[] = [];
  const journal = createJournal({ header, path, clock: clockAt(), onEntry: entry => seen.push(entry) });
  const frame = frameDraft({ jsonrpc: '2.0', method: 'x' });
  const each: Draft<AcpEntry>[] = [
    { ...frame, from: 'client' },
    { ...frame, connection: 2 },
    { ...frame, by: 'script' },
    { ...frame, by: 'fixture' },
    { ...frame, declaredFault: true },
    frameDraft('{}\r'),
    { ...frame, t: 1 },
  ];
  for (const other of each) for (const draft of [frame, other]) journal.append(draft);
  journal.close();
  assert.deepEqual(entriesOf(path), seen.map(asKept));
  assert.equal(seen.length, 14);
});

test('after close nothing is recorded any more', context => {
  const path = temporaryPath(context);
  const seen: Entry[] = [];
  const journal = createJournal({ header, path, onEntry: entry => seen.push(entry) });
  journal.append(note('a'));
  journal.close();
  journal.close();
  journal.flush();
  journal.append(note('b'));
  assert.deepEqual(entriesOf(path), seen.map(asKept));
  assert.equal(seen.length, 1);
});

test('lines of any size come through batches whole', context => {
  const path = temporaryPath(context);
  const seen: Entry[] = [];
  const journal = createJournal({ header, path, onEntry: entry => seen.push(entry) });
  for (const size of [1, 1000, 1024 * 1024 - 200, 1024 * 1024, 16 * 1024 * 1024, 3]) {
    journal.append(frameDraft({ jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(size) } }));
    journal.append(note('y'.repeat(size)));
  }
  journal.close();
  assert.deepEqual(entriesOf(path), seen.map(asKept));
});

test('what waits in a batch is written without a flush', async context => {
  const path = temporaryPath(context);
  const journal = createJournal({ header, path });
  journal.append(note('a'));
  assert.equal(entriesOf(path).length, 0);
  while (entriesOf(path).length === 0) await new Promise(setImmediate);
  assert.deepEqual(entriesOf(path)[0]?.seq, 1);
  journal.close();
});

for (const [what, prepare, complaint] of [
  ['a folder that is not there', () => {}, /its folder is not there/],
  ['a folder that is a file', (path: string) => writeFileSync(dirname(path), ''), /its folder is not there/],
  [
    'a file that is there already',
    (path: string) => {
      mkdirSync(dirname(path));
      writeFileSync(path, 'kept');
    },
    /never overwritten/,
  ],
] as const) {
  test(`a journal in ${what} is refused with its place and a remedy`, context => {
    const path = `${temporaryPath(context, 'folder')}/journal.jsonl`;
    prepare(path);
    assert.throws(
      () => createJournal({ header, path }),
      (error: UserError) => {
        assert.equal(error.name, 'UserError');
        assert.equal(error.exitCode, 2);
        assert.equal(error.place, path);
        assert.match(error.message, complaint);
        return true;
      },
    );
    if (existsSync(path)) assert.equal(readFileSync(path, 'utf8'), 'kept');
  });
}

test('a file that is removed in mid-run gives one error with exit code 3', context => {
  const path = temporaryPath(context);
  const journal = createJournal({ header, path });
  journal.append(note('a'));
  rmSync(dirname(path), { recursive: true });
  assert.throws(() => journal.flush(), {
    name: 'UserError',
    exitCode: 3,
    message: /cannot write the journal on: the file was removed/,
  });
  journal.append(note('b'));
  journal.flush();
  journal.close();
});

test('the one who asked is told of a failure at once, and flush and close do not throw it again', context => {
  const path = temporaryPath(context);
  const failures: UserError[] = [];
  const journal = createJournal({ header, path, onFailure: error => failures.push(error) });
  rmSync(path);
  journal.append(note('x'.repeat(2 * 1024 * 1024)));
  journal.append(note('b'));
  journal.flush();
  journal.close();
  assert.deepEqual(
    failures.map(({ exitCode, place }) => [exitCode, place]),
    [[3, path]],
  );
});

const writer = fileURLToPath(new URL('fixtures/endless-writer.ts', import.meta.url));

/** Entries that the writer reported as flushed before it ended. */
const flushedIn = (output: string): number => Number(/(\d+)\n$/.exec(output)?.[1]);

test('what was written before the disk is full stays readable, and the error says so', context => {
  const path = temporaryPath(context);
  const limited = `ulimit -f 64; trap '' XFSZ; exec "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', limited, process.execPath, '--import', 'tsx', writer, path],
    { encoding: 'utf8' },
  );
  assert.equal(
    stderr,
    `3 ${path}  cannot write the journal on: the file is too large for this system. What was written before stays readable.\n`,
  );
  assert.equal(status, 0);
  const read = readJournal(path);
  assert.equal([...read.entries].length >= flushedIn(stdout), true);
  assert.ok(flushedIn(stdout) > 0);
});

test('after kill -9 the file is readable up to its last whole line', async context => {
  const path = temporaryPath(context);
  const child = spawn(process.execPath, ['--import', 'tsx', writer, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (flushedIn(output) > 20) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');
  assert.ok([...readJournal(path).entries].length >= flushedIn(output));
});
