/** Turns that only talk, and end in every way that a turn can end. */
import { errorCode, ResponseError } from '../../wire/index.ts';
import type { TurnScript } from '../turn.ts';

/** Longest part of the prompt that an answer repeats, in characters. */
const quoteLength = 200;

export const ordinary: TurnScript = async (turn, prompt) => {
  await turn.think('The user said something; I answer.');
  const quote = [...prompt.slice(0, 2 * quoteLength)].slice(0, quoteLength).join('');
  await turn.say('You said: ', quote || 'nothing in words', '.');
  return 'end_turn';
};

export const hitTokenLimit: TurnScript = async turn => {
  await turn.say('This answer is longer than I may', ' sa');
  return 'max_tokens';
};

export const refuse: TurnScript = async turn => {
  await turn.say('I will not do that.');
  return 'refusal';
};

export const failModel: TurnScript = async turn => {
  await turn.say('One moment');
  throw new ResponseError(errorCode.internalError, 'The model provider failed', { status: 500 });
};

const slowChunks = 5;
const slowPaceMs = 20;

/** Streams for a while, then thinks for ever. */
export const runUntilCancelled: TurnScript = async turn => {
  const say = (chunk: string) => turn.say(chunk);
  for (let count = 1; count <= slowChunks; count++) {
    await say(`Still at it (${count}).`);
    await turn.pause(slowPaceMs);
  }
  return turn.until(new Promise<never>(() => {}));
};
