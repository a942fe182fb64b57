/** A client with which tests talk to the reference agent in this process, frame by frame. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createJournal, recordingPort } from '../../src/journal/index.ts';
import { loadProtocol } from '../../src/protocol/index.ts';
import {
  type AgentOptions,
  referenceAgent,
  type TriggerName,
  triggerPrompt,
} from '../../src/reference-agent/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import {
  type Clock,
  connectActor,
  createPortPair,
  encodeFrame,
  type Json,
  type JsonObject,
  type Port,
} from '../../src/wire/index.ts';

const protocol = await loadProtocol('latest');

export interface Reply {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

export interface Conversation {
  /** All that the agent sent, in order. */
  readonly frames: JsonObject[];
  /** Its requests that were not answered yet, oldest first. */
  readonly open: JsonObject[];
  /** Sends a request; resolves with its response. */
  request(method: string, params?: JsonObject): Promise<Reply>;
  notify(method: string, params: JsonObject): void;
  raw(text: string): void;
  /** Answers the oldest open request of the agent, which must be of this method. */
  answer(method: string, reply: Reply | { readonly result: null }): void;
  /** Waits until the agent has sent a request of this method that is open. */
  asked(method: string): Promise<JsonObject>;
  /** Answers each request of the agent by itself, as it comes. */
  serve(handlers: Readonly<Record<string, (params: JsonObject) => Json>>): void;
  /** Updates of one kind, or all. */
  updates(kind?: string): JsonObject[];
  /** Lets everything happen that needs no timer and no client. */
  settle(): Promise<void>;
  end(): void;
  readonly exited: Promise<number>;
}

export interface ConversationOptions extends AgentOptions {
  readonly behaviour?: Json;
  readonly clock?: Clock;
  /** Requirements that the behaviour is meant to violate, or that the rules may misjudge here. */
  readonly accepts?: readonly string[];
}

/**
 * Begins a conversation that ends with the test. Then no rule of the bench may hold anything against the
 * agent, and no request may have got two answers.
 */
export const converse = (
  test: TestContext,
  { behaviour, clock, accepts = [], ...options }: ConversationOptions = {},
  factory = referenceAgent(behaviour, options),
): Conversation => {
  const [bare, agentPort] = createPortPair();
  const { port, violations } = judged(bare, accepts);
  const { actor, exited } = connectActor(agentPort, factory, clock);
  const frames: JsonObject[] = [];
  const open: JsonObject[] = [];
  const replies = new Map<Json, (reply: Reply) => void>();
  const answered = new Set<Json>();
  let handlers: Readonly<Record<string, (params: JsonObject) => Json>> = {};
  let lastId = 0;

  const send = (frame: JsonObject): void => void port.send(encodeFrame({ jsonrpc: '2.0', ...frame }));

  port.listen(event => {
    if (event.type !== 'line') return;
    assert.equal(event.line.kind, 'frame');
    if (event.line.kind === 'frame') receive(event.line.value);
  });

  function receive(frame: JsonObject): void {
    frames.push(frame);
    if (frame.method === undefined) {
      const id = frame.id ?? null;
      assert.ok(id === null || !answered.has(id), `a second answer: ${JSON.stringify(frame)}`);
      answered.add(id);
      replies.get(id)?.(frame as Reply);
    } else if (frame.id !== undefined) {
      const handler = handlers[String(frame.method)];
      if (handler) send({ id: frame.id, result: handler(frame.params as JsonObject) });
      else open.push(frame);
    }
  }

  const settle = async (): Promise<void> => {
    for (let quiet = 0, seen = frames.length; quiet < 5; quiet++) {
      await setImmediate();
      if (frames.length > seen) quiet = 0;
      seen = frames.length;
    }
  };

  test.after(async () => {
    await actor.dispose();
    await settle();
    assert.deepEqual(violations(), []);
  });

  return {
    frames,
    open,
    exited,
    settle,
    request: (method, params) =>
      new Promise(resolve => {
        const id = ++lastId;
        replies.set(id, resolve);
        send({ id, method, ...(params && { params }) });
      }),
    notify: (method, params) => send({ method, params }),
    raw: text => void port.send(Buffer.from(text)),
    answer(method, reply) {
      const request = open.shift();
      assert.equal(request?.method, method);
      send({ id: request?.id, ...reply } as JsonObject);
    },
    async asked(method) {
      for (;;) {
        const request = open.find(frame => frame.method === method);
        if (request) return request;
        await setImmediate();
      }
    },
    serve(given) {
      handlers = given;
    },
    updates: kind =>
      frames
        .filter(({ method }) => method === 'session/update')
        .map(({ params }) => (params as JsonObject).update as JsonObject)
        .filter(({ sessionUpdate }) => kind === undefined || sessionUpdate === kind),
    end: () => port.end(),
  };
};

/** The Port, and what the rules of the bench hold against the agent behind it. */
const judged = (bare: Port, accepts: readonly string[]): { port: Port; violations(): readonly string[] } => {
  const found: string[] = [];
  const fold = createRuleFold({
    protocol,
    subject: 'agent',
    judge: {
      exercised() {},
      violated(requirement, { detail, pointer = '', seq }) {
        if (!accepts.includes(requirement)) found.push(`${requirement} #${seq} ${pointer} ${detail}`);
      },
    },
  });
  const header = { journal: 'acp-testbench/1', bench: '', run: '', startedAt: '', subject: 'agent' } as const;
  const journal = createJournal({ header, onEntry: entry => fold.step(entry) });
  const port = recordingPort(bare, journal, { counterparty: 'agent', connection: 1 });
  return {
    port,
    violations() {
      fold.end();
      return found;
    },
  };
};

/** Everything that a client can advertise. */
export const allCapabilities: JsonObject = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
};

export const initialize = async (
  conversation: Conversation,
  clientCapabilities: JsonObject = {},
): Promise<void> => {
  const { result } = await conversation.request('initialize', { protocolVersion: 1, clientCapabilities });
  assert.equal(result?.protocolVersion, 1);
};

/** Opens a session; its id. */
export const newSession = async (conversation: Conversation, params: JsonObject = {}): Promise<string> => {
  const { result } = await conversation.request('session/new', { cwd: '/work', mcpServers: [], ...params });
  assert.ok(result, 'session/new must succeed');
  return String(result.sessionId);
};

/** A conversation that is initialized, with one session. */
export const begin = async (
  test: TestContext,
  { capabilities, cwd, ...options }: ConversationOptions & { capabilities?: JsonObject; cwd?: string } = {},
): Promise<Conversation & { sessionId: string }> => {
  const conversation = converse(test, options);
  await initialize(conversation, capabilities);
  return { ...conversation, sessionId: await newSession(conversation, cwd === undefined ? {} : { cwd }) };
};

export const promptOf = (sessionId: string, text: string): JsonObject => ({
  sessionId,
  prompt: [{ type: 'text', text }],
});

/** Sends the prompt of a trigger; resolves with the response. */
export const play = (
  { request, sessionId }: Conversation & { sessionId: string },
  trigger: TriggerName,
  argument = '',
): Promise<Reply> =>
  request('session/prompt', promptOf(sessionId, `${triggerPrompt(trigger)} ${argument}`.trim()));

/** The text of the agent's messages, joined. */
export const said = (conversation: Conversation): string =>
  conversation
    .updates('agent_message_chunk')
    .map(({ content }) => (content as JsonObject).text)
    .join('');

/** Statuses of the one tool call of a conversation, in order. */
export const statuses = (conversation: Conversation): Json[] =>
  conversation
    .updates()
    .filter(({ sessionUpdate }) => String(sessionUpdate).startsWith('tool_call'))
    .flatMap(({ status }) => status ?? []);

export const codeOf = async (reply: Promise<Reply>): Promise<number | undefined> => (await reply).error?.code;

/** Ids on one page of session/list. */
export const listed = async (agent: Conversation, params: JsonObject = {}): Promise<string[]> => {
  const { result } = await agent.request('session/list', params);
  return (result!.sessions as JsonObject[]).map(({ sessionId }) => String(sessionId));
};
