/**
 * What finished turns consisted of, as far as a replay must have it: the words of the user, those of the agent, and the
 * ids of tool calls. Kept are turns that ended normally, were alone in their session and asked for something in words;
 * of others it is not known what the agent keeps. State: of running turns, and of the last 256 finished ones, at most 200
 * characters of the prompt, a digest of the answer, and 256 ids of tool calls as hashes.
 */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { digest } from './hash-map.ts';
import type { SeenFrame } from './seen.ts';
import { createWordDigest, type WordDigest, wordsOf } from './word-digest.ts';

export interface TurnRecord {
  /** How the prompt begins, without white space. */
  readonly prompt: string;
  /** Of all words of the agent, 0 when it said nothing. */
  readonly answer: number;
  /** Digests of the ids of its tool calls, in the order in which they appeared. */
  readonly calls: readonly number[];
  /** Journal sequence of the prompt. */
  readonly seq: number;
}

export interface TurnRecords {
  /** A session/prompt request or its answer, or a turn content update. */
  note(seen: SeenFrame): void;
  /** The finished turns of the session, oldest first. */
  of(sessionId: string): readonly TurnRecord[];
  forget(sessionId: string): void;
}

const maxPrompt = 200;
const maxTurns = 256;
const maxCalls = 256;

export const createTurnRecords = (): TurnRecords => {
  const running = new Map<string, RunningTurn>();
  const finished: { readonly sessionId: string; readonly record: TurnRecord }[] = [];

  const ended = (sessionId: string, { payload, turns }: SeenFrame): void => {
    const turn = running.get(sessionId);
    if (!turn || turns.length > 0) return;
    running.delete(sessionId);
    const { prompt, answer, calls, seq, isAlone } = turn;
    if (!isAlone || prompt === '' || payload?.stopReason !== 'end_turn') return;
    finished.push({ sessionId, record: { prompt, answer: answer.value, calls, seq } });
    if (finished.length > maxTurns) finished.shift();
  };

  return {
    note(seen) {
      const { sessionId, update, message, answer, turns } = seen;
      if (sessionId === undefined) return;
      if (update) {
        const turn = running.get(sessionId);
        if (turn) add(turn, seen);
      } else if (answer === 'first') {
        ended(sessionId, seen);
      } else if (message?.type === 'request') {
        const earlier = running.get(sessionId);
        if (turns.length > 1 && earlier) earlier.isAlone = false;
        else running.set(sessionId, begun(seen));
      }
    },
    of: sessionId => finished.filter(each => each.sessionId === sessionId).map(({ record }) => record),
    forget(sessionId) {
      running.delete(sessionId);
      for (let at = finished.length - 1; at >= 0; at--)
        if (finished[at]!.sessionId === sessionId) finished.splice(at, 1);
    },
  };
};

interface RunningTurn {
  readonly prompt: string;
  readonly answer: WordDigest;
  readonly calls: number[];
  readonly seq: number;
  isAlone: boolean;
}

const begun = ({ payload, entry }: SeenFrame): RunningTurn => ({
  prompt: promptOf(payload),
  answer: createWordDigest(),
  calls: [],
  seq: entry.seq,
  isAlone: true,
});

/** The first words of the prompt. A slash command may be kept as what it stands for. */
const promptOf = (payload: JsonObject | undefined): string => {
  const blocks = Array.isArray(payload?.prompt) ? payload.prompt : [];
  const first = blocks.find((block: Json) => textOf(block) !== undefined);
  const text = textOf(first) ?? '';
  return text.trimStart().startsWith('/') ? '' : wordsOf(text.slice(0, 4 * maxPrompt)).slice(0, maxPrompt);
};

const add = ({ answer, calls }: RunningTurn, { kind, update }: SeenFrame): void => {
  if (kind === 'agent_message_chunk') answer.add(textOf(update?.content) ?? '');
  const call = callOf(kind, update);
  if (call !== undefined && calls.length < maxCalls && !calls.includes(call)) calls.push(call);
};

/** The text of a text block. */
export const textOf = (block: Json | undefined): string | undefined =>
  isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : undefined;

/** Digest of the id of the tool call that the update is about. */
export const callOf = (kind: string | undefined, update: JsonObject | undefined): number | undefined => {
  if (kind !== 'tool_call' && kind !== 'tool_call_update') return undefined;
  return typeof update?.toolCallId === 'string' ? digest(update.toolCallId) : undefined;
};
