/** The JSON-RPC 2.0 envelope of a frame. Source: JSON-RPC 2.0, sections 4 and 5; ACP v1, Transports. */
import type { Json, JsonObject } from './json.ts';

/** An id as it stands on the wire. `7` and `"7"` are different ids. */
export type RequestId = string | number | null;

export interface RequestMessage {
  readonly type: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Json | undefined;
}

export interface NotificationMessage {
  readonly type: 'notification';
  readonly method: string;
  readonly params: Json | undefined;
}

export interface ResultMessage {
  readonly type: 'result';
  readonly id: RequestId;
  readonly result: Json;
}

export interface ErrorMessage {
  readonly type: 'error';
  readonly id: RequestId;
  readonly error: JsonObject;
}

/** What is wrong with an envelope; the first that applies, in this order. */
export type EnvelopeFault =
  | 'jsonrpc-missing'
  | 'jsonrpc-wrong'
  | 'method-not-string'
  | 'id-wrong-type'
  | 'id-fractional'
  | 'result-and-error'
  | 'id-missing'
  | 'error-malformed'
  | 'no-method-result-or-error';

/**
 * A frame that is no well-formed message. `meant` is the best reading of it in spite of the fault, so that an answer
 * with a wrong `jsonrpc` still counts as that answer; absent where there is no reading.
 */
export interface InvalidMessage {
  readonly type: 'invalid';
  readonly fault: EnvelopeFault;
  readonly meant: ValidMessage | undefined;
}

export type ValidMessage = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;
export type Message = ValidMessage | InvalidMessage;

/** Key of an id in maps: keeps number, string and null apart. */
export const idKey = (id: RequestId): string =>
  typeof id === 'string' ? `s${id}` : id === null ? 'null' : `n${id}`;
