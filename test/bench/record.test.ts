import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as sdk from 'acp-sdk-1.4.0';
import fc from 'fast-check';
import { type RecordOptions, recordSession } from '../../src/bench/record-session.ts';
import { createRedactor, type Entry, readJournal } from '../../src/journal/index.ts';
import type { Party } from '../../src/wire/party.ts';

const node = process.execPath;
const echo = ['-e', 'process.stdin.pipe(process.stdout)'];
const sdkAgent = fileURLToPath(new URL('examples/agent.js', import.meta.resolve('acp-sdk-1.4.0')));
const recorder = fileURLToPath(new URL('fixtures/recorder.ts', import.meta.url));

const temporaryFolder = (context: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'acp-testbench-record-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

interface Session {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly entries: readonly Entry[];
}

/** Records a session in this process: what the client writes, in its chunks, then the end of its output. */
const session = async (
  folder: string,
  args: readonly string[],
  input: readonly Uint8Array[],
  more: Partial<RecordOptions> = {},
): Promise<Session> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const journalPath = join(folder, `${Math.random()}.jsonl`);
  const stdin = Readable.from(input, { objectMode: false });
  const ending = recordSession({ command: node, args, journalPath, stdin, stdout, stderr, ...more });
  const [received, exitCode] = await Promise.all([buffer(stdout), ending]);
  stderr.end();
  return {
    exitCode,
    stdout: received,
    stderr: await text(stderr),
    entries: existsSync(journalPath) ? [...readJournal(journalPath).entries] : [],
  };
};

/** The bytes that the lines of one side were made of. */
const bytesOf = (entries: readonly Entry[], from: Party): Buffer =>
  Buffer.concat(
    entries.flatMap(entry => {
      if (entry.channel !== 'acp' || entry.from !== from) return [];
      const { line } = entry;
      if (line.kind === 'frame') return [line.bytes, Buffer.from(line.carriageReturn ? '\r\n' : '\n')];
      return line.continues || line.fault === 'unterminated' ? [line.bytes] : [line.bytes, Buffer.from('\n')];
    }),
  );

const processEvents = (entries: readonly Entry[]): string[] =>
  entries.flatMap(entry => (entry.channel === 'process' ? [entry.what.event] : []));

const lastEvent = (entries: readonly Entry[]): unknown => {
  const last = entries.at(-1);
  return last?.channel === 'process' ? last.what : last;
};

const binary = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 50 }),
      fc
        .constantFrom('\n', '\r\n', '{"jsonrpc":"2.0"}\n', '{"é":"😀"', '\ufeff{}\n')
        .map(it => Buffer.from(it)),
    ),
  )
  .map(parts => Buffer.concat(parts));

test('every byte passes in both directions, and the journal holds them all', async context => {
  const folder = temporaryFolder(context);
  await fc.assert(
    fc.asyncProperty(fc.array(binary), async chunks => {
      const whole = Buffer.concat(chunks);
      const { exitCode, stdout, entries } = await session(folder, echo, chunks);
      assert.equal(exitCode, 0);
      assert.deepEqual(stdout, whole);
      assert.deepEqual(bytesOf(entries, 'client'), whole);
      assert.deepEqual(bytesOf(entries, 'agent'), whole);
    }),
    { numRuns: 15 },
  );
});

test('a line of 16 MiB passes', async context => {
  const line = Buffer.from(`{"jsonrpc":"2.0","method":"x","params":"${'x'.repeat(16 * 1024 * 1024)}"}\n`);
  const { stdout, entries } = await session(temporaryFolder(context), echo, [line]);
  assert.ok(stdout.equals(line));
  assert.deepEqual(
    entries.flatMap(entry => (entry.channel === 'acp' ? [[entry.from, entry.by, entry.line.kind]] : [])),
    [
      ['client', 'foreign', 'frame'],
      ['agent', undefined, 'frame'],
    ],
  );
});

test('the journal tells the session: start, frames, end of input, end of output, exit', async context => {
  const { exitCode, entries } = await session(
    temporaryFolder(context),
    ['-e', 'process.stdin.resume().on("end", () => process.exit(7))'],
    [Buffer.from('{}\n')],
  );
  assert.equal(exitCode, 7);
  assert.deepEqual(processEvents(entries), ['start', 'input-closed', 'eof', 'exit']);
  assert.deepEqual(lastEvent(entries), {
    event: 'exit',
    code: 7,
    signal: null,
  });
});

test('where the client is judged, the agent is the foreign one', async context => {
  const { entries } = await session(temporaryFolder(context), echo, [Buffer.from('{}\n')], {
    subject: 'client',
  });
  assert.deepEqual(
    entries.flatMap(entry => (entry.channel === 'acp' ? [[entry.from, entry.by]] : [])),
    [
      ['client', undefined],
      ['agent', 'foreign'],
    ],
  );
  assert.deepEqual(processEvents(entries), ['start', 'eof', 'input-closed', 'exit']);
});

test('what the agent writes to stderr passes and is recorded', async context => {
  const { stderr, entries } = await session(temporaryFolder(context), ['-e', 'console.error("oh")'], []);
  assert.equal(stderr, 'oh\n');
  const recorded = entries.flatMap(entry => (entry.channel === 'stderr' ? [Buffer.from(entry.bytes)] : []));
  assert.equal(Buffer.concat(recorded).toString(), 'oh\n');
});

test('secrets pass untouched and are not recorded', async context => {
  const redactor = createRedactor([{ name: 'TOKEN', value: 'hunter22' }]);
  const frame = Buffer.from('{"a":"hunter22"}\n');
  const { stdout, entries } = await session(temporaryFolder(context), echo, [frame], { redactor });
  assert.deepEqual(stdout, frame);
  assert.equal(bytesOf(entries, 'agent').toString(), '{"a":"[redacted:TOKEN]"}\n');
});

test('when the journal cannot be made the session goes on, and stderr says why once', async context => {
  const folder = temporaryFolder(context);
  const journalPath = join(folder, 'missing', 'x.jsonl');
  const frame = Buffer.from('{}\n');
  const { exitCode, stdout, stderr } = await session(folder, echo, [frame, frame], { journalPath });
  assert.equal(exitCode, 0);
  assert.equal(stdout.toString(), '{}\n{}\n');
  assert.equal(
    stderr,
    `acp-testbench record: ${journalPath}  cannot make the journal: its folder is not there. Give a path in a folder that can be written. The session goes on unrecorded.\n`,
  );
});

test('when the journal is removed in mid-run the session goes on, and stderr says why once', async context => {
  const folder = temporaryFolder(context);
  const journalPath = join(folder, 'x.jsonl');
  const frame = Buffer.from(`"${'x'.repeat(1024 * 1024)}"\n`);
  async function* input() {
    yield frame;
    while (!existsSync(journalPath)) await new Promise(setImmediate);
    rmSync(journalPath);
    yield frame;
    yield frame;
  }
  const { exitCode, stdout, stderr } = await session(folder, echo, [], {
    journalPath,
    stdin: Readable.from(input(), { objectMode: false }),
  });
  assert.equal(exitCode, 0);
  assert.equal(stdout.length, 3 * frame.length);
  assert.match(stderr, /^acp-testbench record: .*the file was removed.* unrecorded\.\n$/);
});

test('an agent that cannot be started leaves no journal', async context => {
  const folder = temporaryFolder(context);
  await assert.rejects(
    session(folder, [], [], { command: 'no-such-agent', journalPath: join(folder, 'x.jsonl') }),
    {
      name: 'UserError',
      exitCode: 2,
    },
  );
  assert.equal(existsSync(join(folder, 'x.jsonl')), false);
});

test('something that the agent leaves behind with its output open does not keep the session open', async context => {
  const program = `
    const left = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {
      stdio: ['ignore', 'inherit', 'ignore'],
      detached: true,
    });
    require('node:fs').writeSync(1, String(left.pid));
    process.exit(0);
  `;
  const { exitCode, stdout } = await session(temporaryFolder(context), ['-e', program], []);
  const pid = Number(stdout.toString());
  assert.equal(process.kill(pid, 'SIGKILL'), true);
  assert.equal(exitCode, 0);
});

/** Starts a recorder as an editor would. */
const started = (context: TestContext, journalPath: string, ...command: string[]): ChildProcess => {
  const child = spawn(node, ['--import', 'tsx', recorder, journalPath, ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  return child;
};

for (const [signal, exitCode] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} reaches the agent, and the recorder ends as the agent does`, async context => {
    const journalPath = join(temporaryFolder(context), 'x.jsonl');
    const child = started(context, journalPath, node, '-e', 'console.log("{}"); setTimeout(() => {}, 60000)');
    await once(child.stdout!, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [exitCode, null]);
    const entries = [...readJournal(journalPath).entries];
    assert.deepEqual(processEvents(entries), ['start', 'signal-sent', 'eof', 'exit']);
    assert.deepEqual(lastEvent(entries), {
      event: 'exit',
      code: null,
      signal,
    });
  });
}

test('the client learns that the agent closed its output although the agent goes on', async context => {
  const journalPath = join(temporaryFolder(context), 'x.jsonl');
  const program = 'require("node:fs").closeSync(1); process.stdin.resume().on("end", () => process.exit(3))';
  const child = started(context, journalPath, node, '-e', program);
  assert.equal(await text(child.stdout!), '');
  assert.equal(child.exitCode, null);
  child.stdin!.end();
  assert.deepEqual(await once(child, 'exit'), [3, null]);
});

test('an agent whose client is gone learns it as it would without a recorder', async context => {
  const journalPath = join(temporaryFolder(context), 'x.jsonl');
  const program =
    'process.stdout.on("error", e => process.exit(e.code === "EPIPE" ? 5 : 6)); setInterval(() => console.log("{}"), 1)';
  const child = started(context, journalPath, node, '-e', program);
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  assert.deepEqual(await once(child, 'exit'), [5, null]);
});

/** A whole turn by the SDK's own client, as a list of what it saw. */
const turn = async (agent: ChildProcess): Promise<unknown[]> => {
  const seen: unknown[] = [];
  const stream = sdk.ndJsonStream(
    Writable.toWeb(agent.stdin!),
    Readable.toWeb(agent.stdout!) as ReadableStream<Uint8Array>,
  );
  const connection = new sdk.ClientSideConnection(
    () => ({
      async requestPermission({ toolCall, options }) {
        seen.push({ toolCall, options });
        return { outcome: { outcome: 'selected', optionId: 'allow' } };
      },
      async sessionUpdate({ update }) {
        seen.push(update);
      },
    }),
    stream,
  );
  seen.push(await connection.initialize({ protocolVersion: sdk.PROTOCOL_VERSION, clientCapabilities: {} }));
  const { sessionId } = await connection.newSession({ cwd: process.cwd(), mcpServers: [] });
  seen.push(await connection.prompt({ sessionId, prompt: [{ type: 'text', text: 'Hello, agent!' }] }));
  agent.stdin!.end();
  seen.push(await once(agent, 'exit'));
  return seen;
};

test("the SDK's client has the same session with the SDK's agent through a recorder as without", async context => {
  const journalPath = join(temporaryFolder(context), 'x.jsonl');
  const plain = spawn(node, [sdkAgent], { stdio: ['pipe', 'pipe', 'inherit'] });
  context.after(() => plain.kill('SIGKILL'));
  const [direct, recorded] = await Promise.all([
    turn(plain),
    turn(started(context, journalPath, node, sdkAgent)),
  ]);
  assert.deepEqual(recorded, direct);
  assert.equal(direct.length, 11);

  const entries = [...readJournal(journalPath).entries];
  const messages = entries.flatMap(entry => (entry.channel === 'acp' ? [entry] : []));
  assert.ok(messages.every(({ message }) => message !== undefined && message.type !== 'invalid'));
  assert.ok(messages.every(({ from, by }) => by === (from === 'client' ? 'foreign' : undefined)));
  assert.deepEqual(
    messages.flatMap(({ message }) => (message?.type === 'request' ? [message.method] : [])),
    ['initialize', 'session/new', 'session/prompt', 'session/request_permission'],
  );
  assert.deepEqual(processEvents(entries), ['start', 'input-closed', 'eof', 'exit']);
});
