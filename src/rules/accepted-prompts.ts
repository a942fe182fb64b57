/**
 * Prompts of text and links are always accepted: not refused as invalid params in a session that is open and idle. Large
 * ones, empty ones and those with optional members are other requirements' matter. State: a 64-bit hash of each session
 * that was closed.
 */
import { errorCode, isObject, type Json } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

/** Characters of text and links that any agent must be able to take. */
const small = 16_384;

export const acceptedPrompts = defineFrameRule({
  name: 'accepted-prompts',
  party: 'agent',
  on: ['session/new', 'session/load', 'session/resume', 'session/close', 'session/delete', 'session/prompt'],
  requirements: { 'PROMPT-03': 'the answer to a prompt of text blocks and resource_link blocks' },

  init: () => ({ closed: createHashMap() }),

  step({ closed }, seen, judge) {
    const { sessionId, method, message } = seen;
    if (sessionId === undefined) return;
    if (method === 'session/close' || method === 'session/delete') closed.set(sessionId, 1);
    if (seen.answer !== 'first') return;
    if (method !== 'session/prompt') {
      if (message?.type === 'result' && opening.test(method ?? '')) closed.set(sessionId, 0);
      return;
    }
    if (seen.standing !== 'open' || closed.get(sessionId) !== 0 || seen.turns.length > 0) return;
    const blocks = blocksOf(seen);
    const isRefused = message?.type === 'error' && message.error.code === errorCode.invalidParams;
    if (message?.type === 'result' && blocks.includes('resource_link')) judge.exercised('PROMPT-03');
    if (!isRefused || blocks.length === 0) return;
    judge.violated(
      'PROMPT-03',
      showing(seen, {
        detail: `A prompt of ${[...new Set(blocks)].sort().join(' and ')} is refused as invalid`,
        after: seen.request!.seq,
        pointer: '/error/code',
        actual: errorCode.invalidParams,
      }),
    );
  },
});

const opening = /^session\/(new|load|resume)$/;

/** Types of the blocks of the prompt; none where it is anything but small and plain text and links. */
const blocksOf = ({ request }: SeenFrame): readonly string[] => {
  const { sessionId: _, prompt, ...rest } = request?.params ?? {};
  if (!Array.isArray(prompt) || Object.keys(rest).length > 0) return [];
  const sizes = prompt.map(sizeOf);
  if (sizes.includes(0) || sizes.reduce((sum, size) => sum + size, 0) > small) return [];
  return prompt.map((block: Json) => (isObject(block) ? String(block.type) : ''));
};

/** Characters of a block of text that is not blank, or of a link; 0 for any other. */
const sizeOf = (block: Json): number => {
  if (!isObject(block)) return 0;
  const { type, text, uri, name, ...rest } = block;
  if (Object.keys(rest).length > 0) return 0;
  if (type === 'text' && typeof text === 'string' && text.trim() !== '') return text.length;
  return type === 'resource_link' && typeof uri === 'string' && typeof name === 'string' ? uri.length : 0;
};
