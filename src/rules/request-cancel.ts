/**
 * Requests that end as cancelled although nobody asked for it. What counts as asking is wide: $/cancel_request, a cancel
 * or a close of the session, or a dialog that was answered as cancelled. State: a 64-bit hash of each such id.
 */
import type { Judge } from '../catalogue/index.ts';
import { errorCode, idKey, isObject, type RequestId } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const requestCancel = defineFrameRule({
  name: 'request-cancel',
  on: ['peer', 'error'],
  requirements: {
    'RCANCEL-04':
      'an error response of the party that says or shows by its code that it cancelled a request by itself',
  },

  init: ({ subject }) => ({ subject, asked: createHashMap() }),

  step({ subject, asked }, seen, judge) {
    if (seen.from !== subject) noteAsked(seen, asked);
    else if (seen.message?.type === 'error' && seen.answer === 'first') judgeError(seen, asked, judge);
  },
});

const noteAsked = (seen: SeenFrame, asked: HashMap): void => {
  const { method, payload, from, message } = seen;
  if (method === '$/cancel_request' && payload?.requestId !== undefined) {
    asked.set(idKey(payload.requestId as RequestId), 1);
  } else if (method !== undefined && endingTurns.has(method)) {
    for (const { id } of seen.turns) asked.set(idKey(id), 1);
  } else if (message?.type === 'error' || saysCancelled(payload)) {
    // The dialog may have been that of any turn.
    for (const { id } of seen.open[from].values()) asked.set(idKey(id), 1);
  }
};

const endingTurns: ReadonlySet<string> = new Set(['session/cancel', 'session/close', 'session/delete']);

const saysCancelled = (result: SeenFrame['payload']): boolean =>
  isObject(result?.outcome) ? result.outcome.outcome === 'cancelled' : result?.action === 'cancel';

const judgeError = (seen: SeenFrame, asked: HashMap, judge: Judge): void => {
  const { message } = seen;
  if (message?.type !== 'error' || asked.get(idKey(message.id)) !== 0) return;
  const { code, message: text } = message.error;
  const isByCode = code === errorCode.requestCancelled;
  if (!isByCode && !(typeof text === 'string' && reportsCancellation(text))) return;
  judge.exercised('RCANCEL-04');
  if (isByCode) return;
  judge.violated(
    'RCANCEL-04',
    showing(seen, {
      detail: 'The error says that the request was cancelled, and has the code of something else',
      pointer: '/error/code',
      expected: `${errorCode.requestCancelled}`,
      ...(code !== undefined && { actual: code }),
      ...(seen.request && { after: seen.request.seq }),
    }),
  );
};

/** `The request was cancelled`, `Aborted`; not `cannot be cancelled` or `already cancelled`, which tell of something else. */
const reportsCancellation = (text: string): boolean =>
  /\b(cancell?ed|aborted)\b/i.test(text) && !/\b(not|cannot|can't|no|already|unless|if|when)\b/i.test(text);
