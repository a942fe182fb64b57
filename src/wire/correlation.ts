/** Which response belongs to which request, by typed id. */
import type { ErrorMessage, RequestId, ResultMessage } from './message.ts';

export type Response = ResultMessage | ErrorMessage;

/** What a response is to the requests that were sent; all but `first` answer nothing that is open. */
export type Answer<T> =
  | { readonly answer: 'first'; readonly request: T }
  /** The request was answered before. */
  | { readonly answer: 'duplicate' }
  /** Nobody waits any more: the request was given up before its answer came. */
  | { readonly answer: 'late' }
  /** No request with this id was ever sent. */
  | { readonly answer: 'unsolicited' }
  /** An error with id `null`: the counterparty could not read some frame. Not a fault of its own. */
  | { readonly answer: 'unaddressed' };

export interface Correlation<T> {
  /** Mints the id of a new request: 0, 1, 2, … */
  open(request: T): number;
  /** Stops waiting for the answer. */
  abandon(id: number): void;
  answered(response: Response): Answer<T>;
  /** Empties the table: the requests that are still open. */
  drain(): T[];
}

/**
 * Ids are minted in order, so a number below the next one that is not open was answered: nothing is kept of finished
 * requests, however many there were.
 */
export const createCorrelation = <T>(): Correlation<T> => {
  const open = new Map<RequestId, T>();
  const abandoned = new Set<RequestId>();
  let next = 0;

  const isMinted = (id: RequestId): boolean =>
    typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < next;

  return {
    open(request) {
      open.set(next, request);
      return next++;
    },
    abandon(id) {
      if (open.delete(id)) abandoned.add(id);
    },
    answered({ id, type }) {
      const request = open.get(id);
      if (open.delete(id)) return { answer: 'first', request: request as T };
      if (abandoned.delete(id)) return { answer: 'late' };
      if (isMinted(id)) return { answer: 'duplicate' };
      return { answer: id === null && type === 'error' ? 'unaddressed' : 'unsolicited' };
    },
    drain() {
      const requests = [...open.values()];
      for (const id of open.keys()) abandoned.add(id);
      open.clear();
      return requests;
    },
  };
};
