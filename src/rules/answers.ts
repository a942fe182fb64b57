/**
 * Requests and their responses: one answer each, with the same id. A request that is still open when the connection ends
 * is no violation by itself: whoever waits for it judges that. State: counts, and a 64-bit hash of each id that the party
 * asked with, or may have read in a line that is no message.
 */
import type { Judge } from '../catalogue/index.ts';
import { idKey, otherParty, type Party, type RequestId } from '../wire/index.ts';
import { isChangedForm } from './changed-id.ts';
import { reportCounts, showing } from './evidence.ts';
import { createHashMap } from './hash-map.ts';
import { legibleIds } from './legible-ids.ts';
import { defineFrameRule } from './rule.ts';
import type { OpenRequest, OpenRequests, SeenFrame } from './seen.ts';

export const answers = defineFrameRule({
  name: 'answers',
  on: ['peer', 'request', 'result', 'error', '$/cancel_request'],
  everyVersion: true,
  requirements: {
    'RPC-04': 'a response of the party to a request with id 0, a string, or an integer beyond 32 bits',
    'RPC-05': 'a request sent to the party',
    'RPC-08': 'a request of the party while another one of its own is open',
    'RCANCEL-01': 'a $/cancel_request of the party',
  },

  init: ({ subject }) => ({
    subject,
    requests: 0,
    overlapping: 0,
    telling: 0,
    asked: createHashMap(),
    legible: createHashMap(),
  }),

  step(state, seen, judge) {
    const { message, from, entry } = seen;
    const { subject, legible } = state;
    if (from !== subject) {
      if (message?.type === 'request') state.requests++;
      else if (message === undefined) for (const id of legibleIds(entry)) legible.set(idKey(id), 1);
    } else if (message === undefined) {
      return;
    } else if (message.type === 'request') {
      if (seen.open[subject].size > 1) state.overlapping++;
      state.asked.set(idKey(message.id), 1);
      if (seen.clash && hasUsableId(seen)) judgeClash(seen, seen.clash, judge);
    } else if (message.type === 'notification') {
      if (seen.method === '$/cancel_request')
        judgeCancel(state.asked.get(requestKey(seen)) !== 0, seen, judge);
    } else {
      if (seen.answer === 'first' && tellsIds(message.id)) state.telling++;
      if (seen.answer !== 'duplicate' && seen.answer !== 'unsolicited') return;
      const key = idKey(message.id);
      if (legible.get(key) === 0) judgeStray(seen, subject, judge);
      legible.set(key, 0);
    }
  },

  end({ requests, overlapping, telling }, judge) {
    reportCounts(judge, { 'RPC-04': telling, 'RPC-05': requests, 'RPC-08': overlapping });
  },
});

/** An id of a wrong type reads as null, and names no other request. */
const hasUsableId = ({ entry, message }: SeenFrame): boolean =>
  message?.type === 'request' &&
  (message.id !== null || (entry.line.kind === 'frame' && entry.line.value.id === null));

const judgeClash = (seen: SeenFrame, clash: OpenRequest, judge: Judge): void =>
  judge.violated(
    'RPC-08',
    showing(seen, {
      detail: 'The id is that of a request that is still open',
      after: clash.seq,
      pointer: '/id',
    }),
  );

const judgeCancel = (known: boolean, seen: SeenFrame, judge: Judge): void => {
  judge.exercised('RCANCEL-01');
  if (known) return;
  judge.violated(
    'RCANCEL-01',
    showing(seen, {
      detail: 'requestId names no request that the sender ever sent',
      pointer: '/params/requestId',
    }),
  );
};

/** A response that answers nothing that is open: a second answer, or one whose id was changed on the way. */
const judgeStray = (seen: SeenFrame, subject: Party, judge: Judge): void => {
  const { message } = seen;
  if (message?.type !== 'result' && message?.type !== 'error') return;
  const meant = openRequestMeant(seen.open, subject, message.id);
  if (meant) {
    const isOtherType = typeof meant.id !== typeof message.id;
    judge.violated(
      'RPC-04',
      showing(seen, {
        detail: isOtherType
          ? 'The id has another JSON type than that of the request'
          : 'The id is not that of the request, but what a careless reader makes of it',
        after: meant.seq,
        pointer: '/id',
        expected: JSON.stringify(meant.id),
        actual: message.id,
      }),
    );
    return;
  }
  if (seen.answer === 'unsolicited' && message.id === null) {
    judgeNullResult(seen, subject, judge);
    return;
  }
  judge.violated(
    'RPC-05',
    showing(seen, {
      detail:
        seen.answer === 'duplicate'
          ? 'A second response to one request'
          : 'A response to a request that nobody sent',
      pointer: '/id',
      expected: 'exactly one response for each request',
      actual: message.id,
    }),
  );
};

/** Only an error may have id null in place of an id that could not be read. */
const judgeNullResult = (seen: SeenFrame, subject: Party, judge: Judge): void => {
  const open = seen.open[otherParty(subject)].size > 0;
  judge.violated(
    open ? 'RPC-04' : 'RPC-05',
    showing(seen, { detail: 'A result with id null, which answers no request', pointer: '/id' }),
  );
};

const openRequestMeant = (open: OpenRequests, subject: Party, id: RequestId): OpenRequest | undefined => {
  for (const request of open[otherParty(subject)].values()) if (isChangedForm(request.id, id)) return request;
  return undefined;
};

/** Ids that show whether a party keeps them as they are. */
const tellsIds = (id: RequestId): boolean =>
  typeof id === 'string' || id === 0 || (typeof id === 'number' && Math.abs(id) > 0x7fffffff);

const requestKey = ({ payload }: SeenFrame): string => {
  const id = payload?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? idKey(id) : 'null';
};
