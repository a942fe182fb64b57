/**
 * Which request a response answers, in both directions, by typed id. State: the open requests, and a 64-bit hash of
 * each id that was answered.
 */
import { type ErrorMessage, idKey, otherParty, type Party, type ResultMessage } from '../wire/index.ts';
import { createHashMap } from './hash-map.ts';
import type { OpenRequest, OpenRequests, SeenFrame } from './seen.ts';

export interface RequestTable {
  readonly open: OpenRequests;
  /** Notes a request; returns the one with the same id that is still open. */
  ask(request: OpenRequest): OpenRequest | undefined;
  /** Closes the request that `from` answers. */
  answer(from: Party, response: ResultMessage | ErrorMessage): Answered;
}

export interface Answered {
  readonly answer: NonNullable<SeenFrame['answer']>;
  readonly request: OpenRequest | undefined;
}

export const createRequestTable = (): RequestTable => {
  const open = { client: new Map<string, OpenRequest>(), agent: new Map<string, OpenRequest>() };
  /** Requests whose id another open request had already, oldest first. */
  const shadowed = { client: new Map<string, OpenRequest[]>(), agent: new Map<string, OpenRequest[]>() };
  const answered = { client: createHashMap(), agent: createHashMap() };

  return {
    open,
    ask(request) {
      const key = idKey(request.id);
      const clash = open[request.from].get(key);
      if (clash) {
        const later = shadowed[request.from].get(key);
        if (later) later.push(request);
        else shadowed[request.from].set(key, [request]);
      } else {
        open[request.from].set(key, request);
      }
      return clash;
    },
    answer(from, response) {
      const asker = otherParty(from);
      const key = idKey(response.id);
      const request = open[asker].get(key);
      if (request) {
        open[asker].delete(key);
        answered[asker].set(key, 1);
        const next = shadowed[asker].get(key)?.shift();
        if (next) open[asker].set(key, next);
        else shadowed[asker].delete(key);
        return { answer: 'first', request };
      }
      // Such an error may come for each line that could not be read.
      if (response.id === null && response.type === 'error') return unaddressed;
      return answered[asker].get(key) !== 0 ? duplicate : unsolicited;
    },
  };
};

const duplicate: Answered = { answer: 'duplicate', request: undefined };
const unsolicited: Answered = { answer: 'unsolicited', request: undefined };
const unaddressed: Answered = { answer: 'unaddressed', request: undefined };
