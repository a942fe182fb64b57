/**
 * The JSON-RPC envelope of each message by itself. A frame with a wrong `jsonrpc` is judged further by its best reading.
 * State: counts.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type JsonObject, type Party } from '../wire/index.ts';
import { reportCounts, showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const envelope = defineFrameRule({
  name: 'envelope',
  on: ['invalid', 'request', 'result', 'error', 'odd-params'],
  everyVersion: true,
  requirements: {
    'RPC-01': 'a frame of the party',
    'RPC-02': 'a result of the party',
    'RPC-03': 'an error response of the party',
    'RPC-07': 'a request of the party',
    'RPC-16': 'an error response of the party',
    'RPC-17': 'an error response of the party with a message',
    'RPC-18': 'a frame of the party with params',
    'FRM-02': 'counted by the rule framing',
    'FRM-04': 'counted by the rule framing',
    'FRM-05': 'counted by the rule framing',
  },

  counts: () => ({ 'RPC-01': ['frame'], 'RPC-18': ['params'] }),

  init: ({ subject }) => ({ subject, results: 0, errors: 0, requests: 0, params: 0 }),

  step(state, seen, judge) {
    const { message, entry } = seen;
    if (seen.from !== state.subject || entry.line.kind !== 'frame') return;
    const frame = entry.line.value;
    const isCall = message?.type === 'request' || message?.type === 'notification';
    if (frame.params != null && !isCall) state.params++;
    if (frame.params != null && !isObject(frame.params)) {
      judge.violated(
        'RPC-18',
        showing(seen, { detail: 'The params are no object', pointer: '/params', actual: frame.params }),
      );
    }
    if (message?.type === 'request') {
      state.requests++;
      if (message.id === null && frame.id === null) {
        judge.violated('RPC-07', showing(seen, { detail: 'The id of a request is null', pointer: '/id' }));
      }
    } else if (message?.type === 'result') {
      state.results++;
    } else if (message?.type === 'error') {
      state.errors++;
      errorObject(seen, frame, judge);
    }
    if (entry.message?.type === 'invalid') invalid(seen, frame, state.subject, judge);
  },

  end({ results, errors, requests, params }, judge) {
    reportCounts(judge, {
      'RPC-02': results,
      'RPC-03': errors,
      'RPC-07': requests,
      'RPC-16': errors,
      'RPC-18': params,
    });
  },
});

const invalid = (seen: SeenFrame, frame: JsonObject, subject: Party, judge: Judge): void => {
  const { message } = seen.entry;
  if (frame.jsonrpc !== '2.0') {
    judge.violated(
      'RPC-01',
      showing(seen, {
        detail: frame.jsonrpc === undefined ? 'jsonrpc is missing' : 'jsonrpc is not the string 2.0',
        pointer: '/jsonrpc',
        expected: '"2.0"',
        ...(frame.jsonrpc !== undefined && { actual: frame.jsonrpc }),
      }),
    );
  }
  if (message?.type !== 'invalid') return;
  const id = frame.id;
  switch (message.fault) {
    case 'id-wrong-type':
    case 'id-fractional':
      // That of a response repeats what was asked with, or it is another requirement's matter.
      if (message.meant?.type !== 'request') return;
      judge.violated(
        'RPC-07',
        showing(seen, {
          detail: 'The id is no string, integer or null',
          pointer: '/id',
          ...(id !== undefined && { actual: id }),
        }),
      );
      return;
    case 'result-and-error': {
      const evidence = showing(seen, { detail: 'A response with a result and an error', pointer: '/error' });
      // Where one of the members is null, the other says which of the two was meant.
      if (frame.result !== null) judge.violated('RPC-02', evidence);
      if (isObject(frame.error)) judge.violated('RPC-03', evidence);
      return;
    }
    case 'method-not-string':
    case 'no-method-result-or-error': {
      const evidence = showing(seen, { detail: 'The object is no request, notification or response' });
      judge.violated('FRM-02', evidence);
      judge.violated(subject === 'agent' ? 'FRM-04' : 'FRM-05', evidence);
    }
  }
};

/** Longest error message that still counts as one short sentence. */
const maxMessage = 300;

const errorObject = (seen: SeenFrame, frame: JsonObject, judge: Judge): void => {
  const { error } = frame;
  const { code, message } = isObject(error) ? error : ({} as JsonObject);
  if (!Number.isInteger(code) || typeof message !== 'string') {
    judge.violated(
      'RPC-03',
      showing(seen, {
        detail: 'An error without an integer code and a string message',
        pointer: '/error',
        ...(error !== undefined && { actual: error }),
      }),
    );
  }
  if (code !== undefined && !Number.isInteger(code)) {
    judge.violated(
      'RPC-16',
      showing(seen, { detail: 'The error code is no integer', pointer: '/error/code', actual: code }),
    );
  }
  if (typeof message !== 'string') return;
  judge.exercised('RPC-17');
  if (message.length > 0 && message.length <= maxMessage && !/[\r\n]/.test(message)) return;
  judge.violated(
    'RPC-17',
    showing(seen, {
      detail:
        message.length === 0 ? 'The error message is empty' : 'The error message is no single short line',
      pointer: '/error/message',
      expected: `one line of at most ${maxMessage} characters; details belong to error.data`,
    }),
  );
};
