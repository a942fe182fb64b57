/** Decides who gets what was received: the steps that name it, else a handler, else the actor behind the script. */
import type { Json } from '../wire/index.ts';
import type { Mailbox } from './mailbox.ts';
import { alternativesOf, type MatchContext, matchesEvent } from './match.ts';
import { type Named, namedFrom } from './names.ts';
import { isRequest, isResponse, type Received, type ReceivedFrame } from './received.ts';
import type { Thread } from './run-context.ts';
import type { EventPattern, Handler } from './script.ts';
import { fillLoosely, type Resolve } from './values.ts';

export interface Dispatch {
  /** Finds a place for what has just been put into the mailbox. */
  route(item: Received): void;
  /** Looks again at requests that were kept for steps which have meanwhile run. */
  reconsider(): void;
  /** Whether some step may still take the item or look for it. */
  isWanted(item: Received): boolean;
  /** Keeps requests of these methods unanswered from now on. */
  hold(methods: readonly string[]): void;
  /** Forgets what was kept. */
  clear(): void;
}

export interface DispatchOptions {
  readonly handlers: readonly Handler[];
  readonly threads: Iterable<Thread>;
  readonly mailbox: Mailbox;
  context(thread: Thread | undefined): MatchContext;
  resolve(thread: Thread | undefined): Resolve;
  sees(thread: Thread, item: Received): boolean;
  startHandler(handler: Handler, name: string, item: ReceivedFrame): void;
  passToActor(item: Received): void;
}

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const { mailbox } = options;
  const handlers = options.handlers.map(handler => ({
    handler,
    taken: 0,
    seen: new Map<EventPattern, number>(),
    isOpen: handler.after === undefined,
  }));
  const held: string[] = [];
  let kept = new Set<ReceivedFrame>();

  const test = (thread: Thread | undefined, pattern: EventPattern, item: Received): boolean => {
    if (item.kind === 'frame' ? pattern.event !== undefined : pattern.event !== item.kind) return false;
    if (typeof pattern.method === 'string' && !mayBe(pattern.method, item)) return false;
    const filled = fillLoosely(pattern as Json, options.resolve(thread)) as EventPattern;
    return matchesEvent(filled, item, options.context(thread));
  };
  const someStep = (item: Received, suits: (named: Named, thread: Thread) => boolean): boolean => {
    for (const thread of options.threads) {
      if (!options.sees(thread, item)) continue;
      for (const { steps, index } of thread.levels) {
        if (namedFrom(steps, index).some(named => suits(named, thread))) return true;
      }
    }
    return false;
  };

  /** A step names a frame by its method; what fits a pattern without one is seen by it and answered all the same. */
  const isNamed = (item: Received): boolean =>
    (item.kind === 'frame' && held.includes(String(item.frame.method))) ||
    someStep(
      item,
      ({ pattern, takes }, thread) =>
        takes && (item.kind !== 'frame' || pattern.method !== undefined) && test(thread, pattern, item),
    );

  const handlerFor = (item: ReceivedFrame) =>
    handlers.find(entry => {
      const { handler, taken, seen, isOpen } = entry;
      if (!isOpen || taken >= (handler.times ?? Number.POSITIVE_INFINITY)) return false;
      return alternativesOf(handler.match).some(pattern => {
        if (!test(undefined, pattern, item)) return false;
        const count = (seen.get(pattern) ?? 0) + 1;
        seen.set(pattern, count);
        return pattern.nth === undefined || Number(pattern.nth) === count;
      });
    });

  const handOver = (item: Received): void => {
    const isAsked = item.kind === 'frame' && !isResponse(item);
    const entry = isAsked ? handlerFor(item) : undefined;
    if (entry && isAsked) {
      entry.taken += 1;
      mailbox.passOn(item);
      const name = `handlers[${handlers.indexOf(entry)}]#${entry.taken}`;
      options.startHandler(entry.handler, name, item);
      return;
    }
    if (isRequest(item)) mailbox.passOn(item);
    if (!isAnswerToScript(item)) options.passToActor(item);
  };

  const openHandlers = (item: Received): void => {
    for (const entry of handlers) {
      entry.isOpen ||= alternativesOf(entry.handler.after ?? []).some(each => test(undefined, each, item));
    }
  };

  return {
    route(item) {
      if (!isNamed(item)) handOver(item);
      else if (isResponse(item)) {
        if (!isAnswerToScript(item)) options.passToActor(item);
      } else if (isRequest(item)) kept.add(item);
      openHandlers(item);
    },
    reconsider() {
      for (const item of kept) {
        if (mailbox.isOpen(item) && isNamed(item)) continue;
        kept.delete(item);
        if (mailbox.isOpen(item)) handOver(item);
      }
    },
    isWanted: item =>
      someStep(
        item,
        ({ pattern }, thread) =>
          looksFor(pattern, item, options.context(thread)) || test(thread, pattern, item),
      ) ||
      handlers.some(({ handler }) =>
        namedFrom(handler.steps, 0).some(({ pattern }) => test(undefined, pattern, item)),
      ),
    hold: methods => void held.push(...methods),
    clear() {
      kept = new Set();
    },
  };
};

/** The actor must not see answers to requests that it did not send. */
const isAnswerToScript = (item: Received): boolean => item.kind === 'frame' && item.request?.by === 'script';

/** A response is wanted by who waits for it, whatever its content. */
const looksFor = ({ response }: EventPattern, item: Received, context: MatchContext): boolean =>
  response !== undefined &&
  item.kind === 'frame' &&
  item.request !== undefined &&
  item.request === context.exchange(response);

/** Most patterns are ruled out by their method alone. */
const mayBe = (method: string, item: Received): boolean =>
  method.includes('$') || (item.kind === 'frame' && item.frame.method === method);
