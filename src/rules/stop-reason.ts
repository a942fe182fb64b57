/**
 * A turn is cancelled only if the client cancelled it. Whatever may have cancelled it counts: session/cancel, close,
 * delete, load or resume of its session, $/cancel_request, a permission answered cancelled, logout, the end of the
 * agent's input. State: the open prompts that were cancelled so.
 */

import { idKey, isObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineRule } from './rule.ts';
import { isFrame, type SeenFrame } from './seen.ts';

const ending: ReadonlySet<string> = new Set([
  'session/cancel',
  'session/close',
  'session/delete',
  'session/load',
  'session/resume',
]);

export const stopReason = defineRule({
  name: 'stop-reason',
  party: 'agent',
  on: [
    'session/prompt',
    'session/request_permission',
    'elicitation/create',
    'logout',
    '$/cancel_request',
    'other',
    ...ending,
  ],
  requirements: { 'PROMPT-14': 'a session/prompt result of a turn that nobody cancelled' },

  init: () => ({
    cancelled: new Set<number>(),
    /** Nothing is judged any more: the agent's input ended. */
    inputEnded: false,
  }),

  step(state, seen, judge) {
    const { cancelled } = state;
    if (!isFrame(seen)) {
      const { entry } = seen;
      if (entry.channel !== 'process') return;
      if (entry.what.event === 'input-closed' || entry.what.event === 'signal-sent') state.inputEnded = true;
      return;
    }
    if (seen.from === 'client') {
      for (const seq of cancelledBy(seen)) cancelled.add(seq);
      return;
    }
    const { method, answer, request, payload } = seen;
    if (method !== 'session/prompt' || answer !== 'first' || !request) return;
    if (cancelled.delete(request.seq) || state.inputEnded || seen.message?.type !== 'result') return;
    judge.exercised('PROMPT-14');
    if (payload?.stopReason !== 'cancelled') return;
    judge.violated(
      'PROMPT-14',
      showing(seen, {
        detail: 'A turn that nobody cancelled ended as cancelled',
        after: request.seq,
        pointer: '/result/stopReason',
        actual: 'cancelled',
      }),
    );
  },
});

/** Sequence numbers of the open prompts that the client's frame may cancel. */
const cancelledBy = (seen: SeenFrame): readonly number[] => {
  const { method = '', turns, payload, open, answer } = seen;
  const prompts = () => [...open.client.values()].filter(request => request.method === 'session/prompt');
  if (ending.has(method)) return turns.map(({ seq }) => seq);
  if (method === 'logout') return prompts().map(({ seq }) => seq);
  if (method === '$/cancel_request') {
    const id = payload?.requestId;
    const key = typeof id === 'string' || typeof id === 'number' ? idKey(id) : undefined;
    return prompts()
      .filter(prompt => idKey(prompt.id) === key)
      .map(({ seq }) => seq);
  }
  const isCancelledAnswer =
    answer === 'first' &&
    ((isObject(payload?.outcome) && payload.outcome.outcome === 'cancelled') || payload?.action === 'cancel');
  return isCancelledAnswer ? turns.map(({ seq }) => seq) : [];
};
