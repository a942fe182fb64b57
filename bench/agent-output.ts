/**
 * What the agent writes to its standard output, line by line: the answers to `session.ts`, and in each turn a thousand
 * `session/update` notifications. Turn n is the same in every run, and its ids are its own.
 */
import type { Json, JsonObject } from '../src/wire/json.ts';
import { plantedFaults } from './planted-faults.ts';
import { createRandom, type Random } from './random.ts';
import { secret, sessionId } from './session.ts';

/** Updates of each kind in every two hundred, in random order; a turn has five times as many. */
export const updatesPerRound = {
  'message chunk in ASCII': 97,
  'message chunk beyond ASCII': 24,
  'thought chunk': 30,
  'tool call': 12,
  'tool call in progress, with content': 12,
  'tool call completed, with content': 12,
  plan: 4,
  usage: 8,
  'available commands': 1,
} as const;

type Kind = keyof typeof updatesPerRound;

const roundsPerTurn = 5;
const kinds = Object.entries(updatesPerRound).flatMap(([kind, times]) =>
  Array<Kind>(times).fill(kind as Kind),
);
export const updatesPerTurn = kinds.length * roundsPerTurn;

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
    const tell = createTeller(turn, random);
    for (let round = 0; round < roundsPerTurn; round++) {
      for (const kind of random.shuffle(kinds)) yield update(tell(kind));
    }
    if (turn === 0) for (const { lines } of plantedFaults) yield* lines;
    yield answer(2 + turn, { stopReason: 'end_turn' });
  }
}

const agentCapabilities: JsonObject = {
  loadSession: false,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: {},
  auth: {},
};

const answer = (id: number, result: JsonObject): string => JSON.stringify({ jsonrpc: '2.0', id, result });

const update = (content: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: content } });

/**
 * Tells the updates of one turn. Slots for tool calls come in random order, so which state a call reaches is decided by
 * its turn: announced, in progress, completed, then the next call.
 */
const createTeller = (turn: number, random: Random): ((kind: Kind) => JsonObject) => {
  let toolSlot = 0;
  let messages = 0;
  let used = 20_000;

  const chunk = (kind: 'message' | 'thought', text: string): JsonObject => {
    if (random.below(40) === 0) messages++;
    return {
      sessionUpdate: `agent_${kind}_chunk`,
      content: { type: 'text', text },
      messageId: `${kind}-${turn}-${messages}`,
    };
  };

  const tool = (): JsonObject => {
    const step = toolSteps[toolSlot % toolSteps.length]!;
    const toolCallId = `call-${turn}-${Math.floor(toolSlot / toolSteps.length)}`;
    toolSlot++;
    return step(toolCallId, random);
  };

  return kind => {
    switch (kind) {
      case 'message chunk in ASCII':
        return chunk('message', words(random, english));
      case 'message chunk beyond ASCII':
        return chunk('message', words(random, foreign));
      case 'thought chunk':
        return chunk('thought', words(random, english));
      case 'tool call':
      case 'tool call in progress, with content':
      case 'tool call completed, with content':
        return tool();
      case 'plan':
        return { sessionUpdate: 'plan', entries: plan(random.below(6)) };
      case 'usage':
        used += random.below(900);
        return { sessionUpdate: 'usage_update', used, size: 200_000 };
      case 'available commands':
        return { sessionUpdate: 'available_commands_update', availableCommands };
    }
  };
};

const toolSteps: readonly ((toolCallId: string, random: Random) => JsonObject)[] = [
  (toolCallId, random) => {
    const path = filePath(random);
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: `Edit ${path}`,
      kind: 'edit',
      status: 'pending',
      locations: [{ path, line: 1 + random.below(400) }],
      rawInput: { path, limit: 1 + random.below(2000) },
    };
  },
  (toolCallId, random) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'in_progress',
    content: [
      textContent(random.below(25) === 0 ? `export ${secret.name}=${secret.value}\n` : random.pick(code)),
    ],
  }),
  (toolCallId, random) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    content: [
      { type: 'diff', path: filePath(random), oldText: random.pick(code), newText: random.pick(code) },
      textContent(`Applied ${1 + random.below(9)} edits.`),
    ],
  }),
];

const textContent = (text: string): JsonObject => ({ type: 'content', content: { type: 'text', text } });

const filePath = (random: Random): string =>
  `/home/dev/project/src/${random.pick(english)}/${random.pick(english)}.ts`;

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
  'größer naïve façade — “quoted” 解析 一行 テスト строка проверка ελληνικά ✓ 🚀 done and so'.split(' ');

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
