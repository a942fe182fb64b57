import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createOutputTail } from '../../src/fixture-client/output-tail.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { type AgentSide, agentSide, withCode } from './agent-side.ts';

/** Starts a command and gives its terminal's methods by short names. */
const create = async (agent: AgentSide, command: string, params: JsonObject = {}) => {
  const { terminalId } = await agent.ask('terminal/create', { command, ...params });
  const on = (method: string) => () => agent.ask(`terminal/${method}`, { terminalId: terminalId as string });
  return { output: on('output'), wait: on('wait_for_exit'), kill: on('kill'), release: on('release') };
};

const shell = (agent: AgentSide, script: string, params: JsonObject = {}) =>
  create(agent, 'sh', { args: ['-c', script], ...params });

/** A zombie, which only waits for its parent to look, is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test('a command runs with its arguments and environment, and its output and exit status can be read', async t => {
  const agent = await agentSide(t);
  const terminal = await create(agent, 'sh', {
    args: ['-c', 'printf "%s|" "$@" "$GREETING"; echo oops >&2; exit 3', 'sh', 'a b', '$HOME'],
    env: [{ name: 'GREETING', value: 'hé' }],
  });
  assert.deepEqual(await terminal.wait(), { exitCode: 3, signal: null });
  const { output, ...others } = await terminal.output();
  assert.ok((output as string).includes('a b|$HOME|hé|'), `${output}`);
  assert.ok((output as string).includes('oops\n'), `${output}`);
  assert.deepEqual(others, { truncated: false, exitStatus: { exitCode: 3, signal: null } });
});

test('a command runs in the workspace, or in the folder of it that the agent names', async t => {
  const agent = await agentSide(t);
  await agent.ask('fs/write_text_file', { path: agent.path('sub/x'), content: '' });
  for (const [params, cwd] of [
    [{}, agent.path('.')],
    [{ cwd: agent.path('sub') }, agent.path('sub')],
  ] as const) {
    const terminal = await create(agent, 'pwd', params);
    await terminal.wait();
    assert.equal((await terminal.output()).output, `${cwd}\n`);
  }
});

test('our own environment does not leak into a command', async t => {
  process.env.FIXTURE_CLIENT_SECRET = 'x';
  t.after(() => delete process.env.FIXTURE_CLIENT_SECRET);
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'echo "<$FIXTURE_CLIENT_SECRET>"');
  await terminal.wait();
  assert.equal((await terminal.output()).output, '<>\n');
});

test('output of a running command comes at once and without an exit status', async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60');
  assert.deepEqual(await terminal.output(), { output: '', truncated: false });
});

test('kill ends the command, and output and wait_for_exit go on working', async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60');
  const waited = terminal.wait();
  assert.deepEqual(await terminal.kill(), {});
  const status = { exitCode: null, signal: 'SIGKILL' };
  assert.deepEqual(await waited, status);
  assert.deepEqual(await terminal.wait(), status);
  assert.deepEqual(await terminal.output(), { output: '', truncated: false, exitStatus: status });
  assert.deepEqual(await terminal.kill(), {});
});

test('release ends the command with its descendants and forgets the id', { timeout: 30_000 }, async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60 & echo $! $$; wait');
  const pids = await pidsOf(terminal);
  assert.deepEqual(await terminal.release(), {});
  await gone(pids);
  for (const method of [terminal.output, terminal.wait, terminal.kill, terminal.release]) {
    await assert.rejects(method(), withCode(-32002));
  }
});

test('a command that leaves a descendant with its output ends all the same', { timeout: 30_000 }, async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60 & echo $!');
  assert.deepEqual(await terminal.wait(), { exitCode: 0, signal: null });
  const pids = await pidsOf(terminal);
  assert.equal(pids.length, 1);
  await terminal.release();
  await gone(pids);
});

test('dispose leaves no command running', { timeout: 30_000 }, async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60 & echo $! $$; wait');
  const pids = await pidsOf(terminal);
  await agent.dispose();
  await gone(pids);
});

test('a terminal is known to its session alone, and an unknown one is an error', async t => {
  const agent = await agentSide(t);
  const { terminalId } = await agent.ask('terminal/create', { command: 'true' });
  await assert.rejects(
    agent.ask('terminal/output', { sessionId: 's-2', terminalId: terminalId! }),
    withCode(-32002),
  );
  await assert.rejects(agent.ask('terminal/output', { terminalId: 'none' }), withCode(-32002));
});

const refused: readonly [what: string, params: JsonObject, code: number][] = [
  ['a command that does not exist', { command: 'no-such-command-anywhere' }, -32602],
  ['a folder outside the workspace', { command: 'true', cwd: '/' }, -32602],
  ['a relative folder', { command: 'true', cwd: '.' }, -32602],
  ['arguments that are no texts', { command: 'true', args: [1] }, -32602],
  ['an environment that is a map', { command: 'true', env: { A: 'b' } }, -32602],
  ['no command', {}, -32602],
];

for (const [what, params, code] of refused) {
  test(`${what} is refused with ${code}`, async t => {
    const agent = await agentSide(t);
    await assert.rejects(agent.ask('terminal/create', params), withCode(code));
  });
}

test('a folder that does not exist is refused', async t => {
  const agent = await agentSide(t);
  await assert.rejects(
    agent.ask('terminal/create', { command: 'true', cwd: agent.path('none') }),
    withCode(-32002),
  );
});

test('a wait that the agent takes back is answered with -32800, and the command runs on', async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'sleep 60');
  const waited = terminal.wait();
  agent.notify('$/cancel_request', { requestId: 1 });
  await assert.rejects(waited, withCode(-32800));
  assert.deepEqual(await terminal.output(), { output: '', truncated: false });
});

test('output beyond the byte limit is cut from the start at a character boundary', async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'printf aéé', { outputByteLimit: 3 });
  await terminal.wait();
  const { output, truncated } = await terminal.output();
  assert.deepEqual({ output, truncated }, { output: 'é', truncated: true });
});

test('the tail is the longest end of the output that fits and begins with a whole character', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat({ max: 40 }), (texts, limit) => {
      const tail = createOutputTail(limit);
      for (const text of texts) tail.add(text);
      const whole = [...texts.join('')];
      while (Buffer.byteLength(whole.join('')) > limit) whole.shift();
      const output = whole.join('');
      assert.deepEqual(tail.read(), { output, truncated: output !== texts.join('') });
    }),
  );
});

test('far more output than the limit still leaves exactly the end', () => {
  const tail = createOutputTail(10);
  for (let index = 0; index < 50_000; index++) tail.add(`${index}é`);
  assert.deepEqual(tail.read(), { output: '8é49999é', truncated: true });
});

/** The numbers that a command printed, once it has. */
const pidsOf = async ({ output }: { output: () => Promise<JsonObject> }): Promise<number[]> => {
  for (;;) {
    const printed = (await output()).output as string;
    if (printed.endsWith('\n')) return printed.trim().split(' ').map(Number);
  }
};

/** The kernel may take a moment to end what was killed. */
const gone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(isAlive)) await new Promise(resolve => setImmediate(resolve));
};

test('a limit beyond all measure is taken, and no more is kept than a frame can hold', async t => {
  const agent = await agentSide(t);
  const terminal = await shell(agent, 'head -c 40000000 /dev/zero | tr "\\0" x', { outputByteLimit: 1e15 });
  await terminal.wait();
  const { output, truncated } = await terminal.output();
  assert.deepEqual([(output as string).length, truncated], [32 * 1024 * 1024, true]);
});
