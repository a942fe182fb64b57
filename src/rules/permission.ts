/**
 * Permission requests and their answers. State: of the open requests, those whose turn was cancelled and those that were
 * called off; of the cancelled prompts, those that are open.
 */
import type { Judge } from '../catalogue/index.ts';
import { errorCode, idKey, isObject, type Json, type Party, type RequestId } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface State {
  readonly subject: Party;
  /** Open permission requests whose turn was cancelled, by their sequence number: that of the cancel. */
  readonly cancelled: Map<number, number>;
  /** Open permission requests that the agent called off by $/cancel_request, likewise. */
  readonly calledOff: Map<number, number>;
  /** Open prompts that were cancelled. */
  readonly prompts: Set<number>;
}

export const permission = defineFrameRule<State>({
  name: 'permission',
  on: ['session/request_permission', 'session/cancel', 'session/prompt', '$/cancel_request'],
  requirements: {
    'PERM-03': 'a permission request with two options',
    'PERM-11': 'a permission request',
    'PERM-01': 'a permission request',
    'PERM-04': 'the answer to a permission request',
    'PERM-05': 'the outcome of a permission request that offered options',
    'PERM-07': 'the answer to a permission request that was open when the client cancelled the turn',
    'RCANCEL-06':
      'the answer to a permission request that the agent called off while it was open, but for a choice',
    'CANCEL-11': 'the answer of a prompt that the client cancelled',
  },

  init: ({ subject }) => ({ subject, cancelled: new Map(), calledOff: new Map(), prompts: new Set() }),

  step(state, seen, judge) {
    const { message, method } = seen;
    if (state.subject === 'agent') {
      if (method === 'session/request_permission' && message?.type === 'request') asked(seen, judge);
      return;
    }
    if (method === 'session/cancel') cancelled(state, seen);
    else if (method === '$/cancel_request') calledOff(state, seen);
    else if (method === 'session/prompt') prompt(state, seen, judge);
    else if (seen.answer === 'first') answered(state, seen, judge);
  },
});

const asked = (seen: SeenFrame, judge: Judge): void => {
  judge.exercised('PERM-01');
  const options = seen.payload?.options;
  if (!Array.isArray(options)) return;
  judge.exercised('PERM-11');
  const pointer = '/params/options';
  if (options.length === 0)
    judge.violated('PERM-11', showing(seen, { detail: 'No option is offered', pointer }));
  if (options.length < 2) return;
  judge.exercised('PERM-03');
  const ids = optionIds(options);
  const at = ids.findIndex((id, index) => id !== undefined && ids.indexOf(id) < index);
  if (at < 0) return;
  judge.violated(
    'PERM-03',
    showing(seen, {
      detail: 'Two options with one optionId',
      pointer: `${pointer}/${at}/optionId`,
      ...(ids[at] !== undefined && { actual: ids[at] }),
    }),
  );
};

const optionIds = (options: readonly Json[]): readonly (Json | undefined)[] =>
  options.map(option => (isObject(option) ? option.optionId : undefined));

const answered = (state: State, seen: SeenFrame, judge: Judge): void => {
  const { message, request, payload } = seen;
  if (!request) return;
  judge.exercised('PERM-04');
  if (message?.type === 'error' && message.error.code === -32601) {
    judge.violated('PERM-04', showing(seen, { detail: 'The client does not serve permission requests' }));
  }
  const outcome = isObject(payload?.outcome) ? payload.outcome : undefined;
  const offered = request.params?.options;
  if (outcome?.outcome === 'selected' && Array.isArray(offered)) {
    judge.exercised('PERM-05');
    if (!optionIds(offered).includes(outcome.optionId)) {
      judge.violated(
        'PERM-05',
        showing(seen, {
          detail: 'An option that was not offered',
          after: request.seq,
          pointer: '/result/outcome/optionId',
          expected: `one of ${JSON.stringify(optionIds(offered))}`,
          ...(outcome.optionId !== undefined && { actual: outcome.optionId }),
        }),
      );
    }
  }
  afterCancel(state, request.seq, outcome?.outcome, seen, judge);
};

/** What each way of cancelling asks for; where both were used, either will do. */
const afterCancel = (
  { cancelled, calledOff }: State,
  request: number,
  outcome: Json | undefined,
  seen: SeenFrame,
  judge: Judge,
): void => {
  const cancelSeq = cancelled.get(request);
  const calledOffSeq = calledOff.get(request);
  cancelled.delete(request);
  calledOff.delete(request);
  const { message } = seen;
  const isCancelled =
    outcome === 'cancelled' ||
    (calledOffSeq !== undefined &&
      message?.type === 'error' &&
      message.error.code === errorCode.requestCancelled);
  // A choice may have crossed the $/cancel_request, which a client may leave alone besides.
  if (calledOffSeq !== undefined && outcome !== 'selected') {
    judge.exercised('RCANCEL-06');
    if (!isCancelled) {
      judge.violated(
        'RCANCEL-06',
        showing(seen, {
          detail: 'A permission request that was called off was answered otherwise',
          after: calledOffSeq,
          expected: `error ${errorCode.requestCancelled}, or outcome cancelled`,
        }),
      );
    }
  }
  if (cancelSeq === undefined) return;
  judge.exercised('PERM-07');
  if (isCancelled) return;
  judge.violated(
    'PERM-07',
    showing(seen, {
      detail: 'A permission request of a cancelled turn was not answered as cancelled',
      after: cancelSeq,
      expected: 'outcome cancelled',
    }),
  );
};

const calledOff = (state: State, seen: SeenFrame): void => {
  const id = seen.payload?.requestId as RequestId | undefined;
  if (seen.from !== 'agent' || id === undefined) return;
  const request = seen.open.agent.get(idKey(id));
  if (request?.method === 'session/request_permission') state.calledOff.set(request.seq, seen.entry.seq);
};

const cancelled = (state: State, seen: SeenFrame): void => {
  if (seen.from !== 'client') return;
  for (const { seq } of seen.turns) state.prompts.add(seq);
  if (seen.turns.length === 0) return;
  for (const request of seen.open.agent.values()) {
    if (request.method === 'session/request_permission' && request.sessionId === seen.sessionId) {
      state.cancelled.set(request.seq, seen.entry.seq);
    }
  }
};

const prompt = ({ prompts }: State, seen: SeenFrame, judge: Judge): void => {
  const { answer, request, message } = seen;
  if (answer === 'first' && request && prompts.delete(request.seq)) judge.exercised('CANCEL-11');
  if (message?.type !== 'request') return;
  const waiting = seen.turns.find(({ seq }) => prompts.has(seq));
  if (!waiting) return;
  judge.violated(
    'CANCEL-11',
    showing(seen, {
      detail: 'A prompt in a session whose cancelled one has no answer yet',
      after: waiting.seq,
    }),
  );
};
