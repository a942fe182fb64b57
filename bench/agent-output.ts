/**
 * What the agent writes to its standard output, line by line: the answers to `session.ts`, and in each turn a thousand
 * `session/update` notifications. Turn n is the same in every run, and its ids are its own.
 */
import type { Json, JsonObject } from '../src/wire/json.ts';
import { plantedFaults } from './planted-faults.ts';
import { createRandom, type Random } from './random.ts';
import { secret, sessionId } from './session.ts';

/** Updates of each kind in a turn. */
export const updatesPerTurn = {
  'message chunk in ASCII': 480,
  'message chunk beyond ASCII': 120,
  'thought chunk': 160,
  'tool call': 60,
  'tool call in progress, with content': 60,
  'tool call completed, with content': 60,
  plan: 20,
  usage: 39,
  'available commands': 1,
} as const;

/** A turn has so many steps; in each the agent plans, thinks, tells, uses tools, and counts what that cost. */
const stepsPerTurn = 20;

/** Lines without their line feeds. The faults lie at the end of the first turn. */
export function* agentOutput(turns: number): Generator<string, void, undefined> {
  yield answer(0, {
    protocolVersion: 1,
    agentCapabilities,
    agentInfo: { name: 'streamer', version: '1.0.0' },
  });
  yield answer(1, { sessionId });
  for (let turn = 0; turn < turns; turn++) {
    const random = createRandom(turn);
    for (let step = 0; step < stepsPerTurn; step++) {
      for (const update of updatesOfStep(turn, step, random)) yield notification(update);
    }
    if (turn === 0) for (const { lines } of plantedFaults) yield* lines;
    yield answer(2 + turn, { stopReason: 'end_turn' });
  }
}

function* updatesOfStep(turn: number, step: number, random: Random): Generator<JsonObject, void, undefined> {
  yield { sessionUpdate: 'plan', entries: plan(step % planSteps.length) };
  for (let chunk = 0; chunk < 8; chunk++) yield chunkOf('thought', `${turn}-${step}`, words(random, english));
  const vocabulary = step % 5 === 4 ? foreign : english;
  for (let chunk = 0; chunk < 30; chunk++) {
    yield chunkOf('message', `${turn}-${step}`, words(random, vocabulary));
  }
  for (let call = 0; call < 3; call++) yield* toolCall(`call-${turn}-${step}-${call}`, random);
  yield usage(turn, 2 * step);
  yield step === 0
    ? { sessionUpdate: 'available_commands_update', availableCommands }
    : usage(turn, 2 * step + 1);
}

const agentCapabilities: JsonObject = {
  loadSession: false,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: {},
  auth: {},
};

const answer = (id: number, result: JsonObject): string => JSON.stringify({ jsonrpc: '2.0', id, result });

const notification = (update: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });

const chunkOf = (kind: 'message' | 'thought', id: string, text: string): JsonObject => ({
  sessionUpdate: `agent_${kind}_chunk`,
  content: { type: 'text', text },
  messageId: `${kind}-${id}`,
});

function* toolCall(toolCallId: string, random: Random): Generator<JsonObject, void, undefined> {
  const path = `/home/dev/project/src/${random.pick(english)}/${random.pick(english)}.ts`;
  yield {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `Edit ${path}`,
    kind: 'edit',
    status: 'pending',
    locations: [{ path, line: 1 + random.below(400) }],
    rawInput: { path, limit: 1 + random.below(2000) },
  };
  yield {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'in_progress',
    content: [textContent(random.below(25) === 0 ? leaking : random.pick(code))],
  };
  yield {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    content: [
      { type: 'diff', path, oldText: random.pick(code), newText: random.pick(code) },
      textContent(`Applied ${1 + random.below(9)} edits.`),
    ],
  };
}

const leaking = `export ${secret.name}=${secret.value}\n`;

const usage = (turn: number, count: number): JsonObject => ({
  sessionUpdate: 'usage_update',
  used: 20_000 + ((turn * 40 + count) % 1000) * 150,
  size: 200_000,
});

const textContent = (text: string): JsonObject => ({ type: 'content', content: { type: 'text', text } });

const plan = (done: number): Json =>
  planSteps.map((content, index) => ({
    content,
    priority: index === 0 ? 'high' : 'medium',
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }));

/** What a model streams at once: one to eight words. */
const words = (random: Random, vocabulary: readonly string[]): string => {
  let text = '';
  for (let left = 1 + random.below(8); left > 0; left--) text += `${random.pick(vocabulary)} `;
  return text;
};

const english =
  'the parser reads each line once and keeps what is left over for the next chunk so that nothing is copied twice while tests compare every fault with its text'.split(
    ' ',
  );

const foreign =
  'größer naïve façade déjà “quoted” 解析 一行 テスト строка проверка ελληνικά ✓ 🚀 Übung señal'.split(' ');

const code: readonly string[] = [
  'export const sum = (a: number, b: number): number => a + b;\n',
  'if (line === "\\n") {\n  return undefined;\n}\n',
  'const pattern = /^\\s*#(?<title>.+)$/u;\n',
  'for (const [name, value] of Object.entries(options)) {\n\tconsole.log(`${name}: ${value}`);\n}\n',
  'import { readFile } from "node:fs/promises";\n\nconst text = await readFile(path, "utf8");\n',
];

const planSteps: readonly string[] = [
  'Read the failing test',
  'Find where the carry-over is lost',
  'Keep the rest of each chunk',
  'Add a test that cuts every frame at every byte',
  'Run all tests',
];

const availableCommands: Json = [
  'review',
  'compact',
  'init',
  'explain',
  'test',
  'commit',
  'undo',
  'model',
].map(name => ({
  name,
  description: `The command ${name} works on what is selected, or on the whole project when nothing is.`,
  input: { hint: 'what to look at' },
}));
