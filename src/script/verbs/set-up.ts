/** Verbs that lean on the agent: what it refuses blocks the script. */
import { benchVersion } from '../../base/index.ts';
import { encodeFrame, isObject, type Json, type JsonObject } from '../../wire/index.ts';
import { blame, type Missed, refused } from '../blame.ts';
import type { ReceivedFrame } from '../received.ts';
import { benchError, Ending, type Run, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Template } from '../script.ts';
import { requestFrame, savedExchange } from './send.ts';
import { filled, limitOf, type StepOf, savedValue, settle, within } from './waiting.ts';

const introduction = (
  run: Run,
  version: Template = 1,
  capabilities: Template = defaultCapabilities,
): JsonObject => ({
  protocolVersion: version,
  clientInfo: { name: 'acp-testbench', version: run.host.bindings.bench ?? benchVersion() },
  clientCapabilities: capabilities,
});

/** What the fixture client serves. */
const defaultCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

/** On a connection that an earlier script has initialized, that stands. */
export function* initialize(run: Run, thread: Thread, step: StepOf<'initialize'>): Running {
  const { capabilities, version, params } = step.initialize;
  const earlier = run.isContinued() ? run.traffic.introduction() : undefined;
  if (earlier) {
    if (step.as) run.save(thread, step.as, savedExchange(earlier));
    return;
  }
  const response = yield* ask(
    run,
    thread,
    'initialize',
    filled(run, thread, params ?? introduction(run, version, capabilities)),
    step,
  );
  const { result } = response.frame;
  if (!isObject(result) || !Number.isInteger(result.protocolVersion))
    throw notAsExpected(run, thread, response);
  // A script that asks for a version or brings its own params judges the answer itself.
  if (version === undefined && params === undefined && result.protocolVersion !== 1) {
    throw new Ending({
      verdict: 'blocked',
      blockedBy: 'INIT-06',
      reason: `the agent answered protocol version 1 with version ${result.protocolVersion}`,
    });
  }
  yield* run.runSteps(thread, run.host.bindings.setUp?.initialize ?? [], 'set-up after initialize');
}

export function* newSession(run: Run, thread: Thread, step: StepOf<'new-session'>): Running {
  const { as, cwd = '$workspace', mcp } = step['new-session'];
  const mcpServers = (mcp ?? run.host.bindings.sessionMcp ?? []).map(name => serverNamed(run, name));
  const place = filled(run, thread, cwd);
  const response = yield* ask(run, thread, 'session/new', { cwd: place, mcpServers }, step);
  const { result } = response.frame;
  if (!isObject(result) || typeof result.sessionId !== 'string') throw notAsExpected(run, thread, response);
  const session = savedValue({ ...result, cwd: place });
  run.save(thread, as, session);
  thread.locals.set('session', session);
  yield* run.runSteps(thread, run.host.bindings.setUp?.['new-session'] ?? [], 'set-up after new-session');
  thread.locals.delete('session');
}

export function* restart(run: Run, _thread: Thread, step: StepOf<'restart'>): Running {
  run.disconnect();
  const outcome = run.connect(step.restart.stop).then(
    attach => ({ attach }),
    (error: unknown) => ({ error }),
  );
  const settled = yield* settle(run, outcome, 'unlimited');
  const value = settled === 'timeout' ? { error: 'timeout' } : settled.value;
  if ('error' in value) {
    const reason = value.error instanceof Error ? value.error.message : String(value.error);
    throw new Ending({ verdict: 'blocked', reason: `the agent did not start again: ${reason}` });
  }
  value.attach();
}

/** Sends a request and waits for its result. */
function* ask(
  run: Run,
  thread: Thread,
  method: string,
  params: Json,
  step: { readonly as?: string; readonly within?: string },
): Running<ReceivedFrame> {
  const frame = requestFrame(run, method, params);
  const exchange = run.traffic.sentRequest(frame, 'script');
  thread.requests.add(exchange);
  if (step.as) run.save(thread, step.as, savedExchange(exchange));
  void run.send([encodeFrame(frame)], {
    by: 'script',
    recorded(seq) {
      exchange.seq = seq;
      run.state.lastSent = seq;
    },
  });
  const end = yield* within<ReceivedFrame | 'ended'>(
    run,
    step.within,
    () => exchange.response ?? (run.state.hasEnded ? 'ended' : undefined),
  );
  if (typeof end === 'string') {
    const match = wordsForResult(method);
    const missed: Missed = { cause: end, match, request: exchange, within: limitOf(run, step.within) };
    // Who takes its time, or cannot start beside others, may only be in the way; who ends in the middle is wrong.
    if (end === 'ended' && method !== 'initialize') throw blame(run, thread, missed, ['RPC-05']);
    throw refused(run, thread, missed);
  }
  run.mailbox.take(end);
  if (end.frame.error !== undefined || end.frame.result === undefined) throw notAsExpected(run, thread, end);
  return end;
}

const notAsExpected = (run: Run, thread: Thread, item: ReceivedFrame): Ending =>
  refused(run, thread, {
    cause: 'other',
    match: wordsForResult(item.request?.method ?? ''),
    item,
    request: item.request,
    within: '',
  });

const wordsForResult = (method: string): string => `the result of ${method}`;

const serverNamed = (run: Run, name: string): JsonObject => {
  const server = run.host.bindings.mcp?.[name];
  if (!server) throw benchError(`there is no MCP server "${name}"`);
  return server;
};
