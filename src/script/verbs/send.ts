/** Verbs that send. */
import { encodeFrame, isObject, type Json, type JsonObject, type RequestId } from '../../wire/index.ts';
import type { SentRequest } from '../received.ts';
import { counterparty, Ending, type Run, type Saved, type Thread } from '../run-context.ts';
import type { Running } from '../scheduler.ts';
import type { Sending } from '../script.ts';
import { namesIn } from '../values.ts';
import { awaitFrames } from './receive.ts';
import { exchangeOf, filled, pause, type StepOf, savedValue, settle } from './waiting.ts';

export function* request(run: Run, thread: Thread, step: StepOf<'request'>): Running {
  yield* send(run, thread, step, () => {
    noteTrigger(run, step.params);
    const id = step.id === undefined ? undefined : filled(run, thread, step.id);
    const { params } = paramsOf(run, thread, step.params);
    const frame = requestFrame(run, filled(run, thread, step.request), params, id);
    const exchange = run.traffic.sentRequest(frame, 'script');
    thread.requests.add(exchange);
    if (step.as) run.save(thread, step.as, savedExchange(exchange));
    return { bytes: encodeFrame(frame), exchange };
  });
}

export function* notify(run: Run, thread: Thread, step: StepOf<'notify'>): Running {
  yield* send(run, thread, step, () => {
    noteTrigger(run, step.params);
    const method = filled(run, thread, step.notify);
    const frame = { jsonrpc: '2.0', method, ...paramsOf(run, thread, step.params) };
    run.traffic.sent(frame, 'script');
    return { bytes: encodeFrame(frame) };
  });
}

export function* respond(run: Run, thread: Thread, step: StepOf<'respond'>): Running {
  yield* send(run, thread, step, () => {
    const frame = {
      jsonrpc: '2.0',
      id: filled(run, thread, step.respond),
      ...(step.result !== undefined && { result: filled(run, thread, step.result) }),
      ...(step.error !== undefined && { error: filled(run, thread, step.error) }),
    };
    run.traffic.sent(frame, 'script');
    return { bytes: encodeFrame(frame) };
  });
}

export function* raw(run: Run, thread: Thread, step: StepOf<'raw'>): Running {
  yield* send(run, thread, step, () => {
    const bytes = rawBytes(run, thread, step.raw);
    if (step.as === undefined) return { bytes };
    const frame = { id: filled(run, thread, step.id ?? null), ...frameIn(bytes) };
    const exchange = run.traffic.sentRequest(frame, 'script');
    thread.requests.add(exchange);
    run.save(thread, step.as, savedExchange(exchange));
    return { bytes, exchange };
  });
}

/** A request with the next id of the script, unless it brings its own. */
export const requestFrame = (
  run: Run,
  method: string,
  params: Json | undefined,
  id: Json = nextId(run),
): JsonObject => ({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });

export const savedExchange = (exchange: SentRequest): Saved => ({
  exchange,
  item: () => exchange.response,
  value: () => ({
    request: exchange.frame,
    ...(exchange.response && { response: exchange.response.frame }),
  }),
});

interface Outgoing {
  readonly bytes: Uint8Array;
  readonly exchange?: SentRequest;
}

/** @param build makes the bytes of one repetition, and notes what they mean */
function* send(run: Run, thread: Thread, step: Sending, build: () => Outgoing): Running {
  if (step.delay) yield* pause(run, step.delay);
  if (step.at) yield* awaitFrames(run, thread, step.at, undefined);
  const guarded = step.guard && exchangeOf(run, thread, step.guard.unanswered);
  if (guarded) mustBeUnanswered(guarded, step);

  const sent: Outgoing[] = [];
  for (let index = 0; index < Number(step.repeat ?? 1); index += 1) {
    thread.locals.set('repeat', savedValue(index));
    sent.push(build());
  }
  const pieces = sent.flatMap(({ bytes }) => inPieces(bytes, step.chunk));
  const exchanges = sent.map(({ exchange }) => exchange);
  const written = run.send(pieces, {
    by: 'script',
    ...(step.fault && { declaredFault: true }),
    recorded(seq) {
      run.state.lastSent = seq;
      const exchange = exchanges.shift();
      if (exchange) exchange.seq = seq;
    },
  });
  if (pieces.length === 1 && !guarded) return;
  if ((yield* settle(run, written)) === 'timeout') {
    const reason = `the ${counterparty(run)} does not read its input`;
    throw new Ending({ verdict: 'blocked', reason, timedOut: true });
  }
  if (guarded) mustBeUnanswered(guarded, step);
}

const mustBeUnanswered = (exchange: SentRequest, step: Sending): void => {
  if (!exchange.response) return;
  const reason = `the race was lost: "${step.guard?.unanswered}" was answered before this was written`;
  throw new Ending({ verdict: 'inconclusive', reason });
};

/** The reference agent numbers its requests, so those of a script before it are texts. */
const nextId = (run: Run): RequestId => {
  const number = run.state.nextId;
  run.state.nextId += 1;
  return run.instance.script.role === 'client' ? number : `script-${number + 1}`;
};

const paramsOf = (run: Run, thread: Thread, params: Json | undefined): { params?: Json } =>
  params === undefined ? {} : { params: filled(run, thread, params) };

/** What comes after a trigger is judged by whether it fired. */
const noteTrigger = (run: Run, params: Json | undefined): void => {
  const named = namesIn(params).find(({ path }) => path[0] === 'trigger');
  if (named) run.state.trigger = named.path[1];
};

const rawBytes = (
  run: Run,
  thread: Thread,
  { text, hex, fill, terminator = '\n' }: StepOf<'raw'>['raw'],
): Buffer => {
  const body =
    text !== undefined
      ? Buffer.from(filled(run, thread, text, withinJson), 'utf8')
      : hex !== undefined
        ? Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
        : Buffer.alloc(Number(fill?.bytes ?? 0), fill?.with ?? 'x');
  return Buffer.concat([body, Buffer.from(terminator, 'utf8')]);
};

/** Raw text is mostly JSON, and a value from outside must not end the string that it stands in. */
const withinJson = (value: Json): string => {
  const text = JSON.stringify(value);
  return typeof value === 'string' ? text.slice(1, -1) : text;
};

const frameIn = (bytes: Buffer): JsonObject => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const inPieces = (bytes: Uint8Array, chunk: number | string | undefined): Uint8Array[] => {
  if (chunk === undefined) return [bytes];
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += Number(chunk)) {
    pieces.push(bytes.subarray(start, start + Number(chunk)));
  }
  return pieces;
};
