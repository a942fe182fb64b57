/**
 * Holds a replay against the record of the turns. Each turn must come with its prompt, then the agent's words, then or
 * between them its tool calls in order. Chunks may be cut otherwise, thoughts and plans may be missing, and what no record
 * has may stand between: earlier turns, turns that were cancelled, notes of the agent. State: what is being compared.
 */
import type { Evidence } from '../catalogue/index.ts';
import type { SeenFrame } from './seen.ts';
import { callOf, type TurnRecord, textOf } from './turn-records.ts';
import { createWordDigest, wordsOf } from './word-digest.ts';

export interface ReplayCheck {
  note(seen: SeenFrame): void;
  /** What is missing first; undefined when nothing is. Call it once, after the last update. */
  missing(): Pick<Evidence, 'detail' | 'after'> | undefined;
}

export const createReplayCheck = (turns: readonly TurnRecord[]): ReplayCheck => {
  /** Turns whose prompt has come. */
  let begun = 0;
  let fault: Pick<Evidence, 'detail' | 'after'> | undefined;
  let answer = createWordDigest();
  let isAnswered = true;
  let calls = 0;
  /** The end of the user's words so far, as long as it may be the beginning of a prompt. */
  let tail = '';
  /** The user's words that come one after the other hold one prompt at most. */
  let hasPrompt = false;

  const close = (): void => {
    const turn = turns[begun - 1];
    if (!turn || fault) return;
    const what = !isAnswered ? 'the answer' : calls < turn.calls.length ? 'a tool call' : undefined;
    if (what) fault = { detail: `${what} of turn ${begun} is not replayed as it was`, after: turn.seq };
  };

  const userSaid = (text: string): void => {
    const turn = turns[begun];
    if (!turn || hasPrompt) return;
    tail += wordsOf(text);
    if (!tail.includes(turn.prompt)) {
      tail = turn.prompt.length > 1 ? tail.slice(1 - turn.prompt.length) : '';
      return;
    }
    close();
    begun++;
    answer = createWordDigest();
    isAnswered = turn.answer === 0;
    calls = 0;
    // A turn without an answer is followed by the next prompt at once.
    hasPrompt = !isAnswered || turn.calls.length > 0;
    tail = '';
  };

  const agentDid = ({ kind, update }: SeenFrame): void => {
    tail = '';
    hasPrompt = false;
    const turn = turns[begun - 1];
    if (!turn) return;
    if (kind === 'agent_message_chunk') {
      answer.add(textOf(update?.content) ?? '');
      isAnswered ||= answer.value === turn.answer;
    }
    if (callOf(kind, update) === turn.calls[calls]) calls++;
  };

  return {
    note(seen) {
      if (seen.kind === 'user_message_chunk') userSaid(textOf(seen.update?.content) ?? '');
      else agentDid(seen);
    },
    missing() {
      close();
      const next = turns[begun];
      if (!fault && next)
        fault = { detail: `the prompt of turn ${begun + 1} is not replayed`, after: next.seq };
      return fault;
    },
  };
};
