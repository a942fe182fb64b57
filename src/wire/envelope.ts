import { isObject, type Json, type JsonObject } from './json.ts';
import type { EnvelopeFault, Message, RequestId, ValidMessage } from './message.ts';

/**
 * The envelope of a frame. A member counts as present even when it is `null`; members that JSON-RPC does not know are
 * left to the schema. Null ids are legal on requests here, since JSON-RPC only discourages them.
 */
export const readMessage = (frame: JsonObject): Message => {
  const fault = faultOf(frame);
  const meant = reading(frame);
  return fault === undefined && meant !== undefined
    ? meant
    : { type: 'invalid', fault: fault ?? 'no-method-result-or-error', meant };
};

/** The first fault that applies, in the order of `EnvelopeFault`. */
const faultOf = (frame: JsonObject): EnvelopeFault | undefined => {
  const { jsonrpc, method, id, result, error } = frame;
  if (jsonrpc === undefined) return 'jsonrpc-missing';
  if (jsonrpc !== '2.0') return 'jsonrpc-wrong';
  if (method !== undefined && typeof method !== 'string') return 'method-not-string';
  if (id !== undefined && !isId(id)) return 'id-wrong-type';
  if (typeof id === 'number' && !Number.isInteger(id)) return 'id-fractional';
  if (method !== undefined) return undefined;
  if (result !== undefined && error !== undefined) return 'result-and-error';
  if (result === undefined && error === undefined) return 'no-method-result-or-error';
  if (id === undefined) return 'id-missing';
  if (error !== undefined && !isErrorObject(error)) return 'error-malformed';
  return undefined;
};

/** The best reading, faulty or not: an unusable id reads as `null`, an unusable error as an empty one. */
const reading = (frame: JsonObject): ValidMessage | undefined => {
  const { method, params, result, error } = frame;
  const id = isId(frame.id) ? frame.id : null;
  if (typeof method === 'string') {
    return frame.id === undefined
      ? { type: 'notification', method, params }
      : { type: 'request', id, method, params };
  }
  // Old JSON-RPC writes both members and sets the unused one to null.
  if (error !== undefined && (result === undefined || (result === null && error !== null))) {
    return { type: 'error', id, error: isObject(error) ? error : {} };
  }
  if (result !== undefined) return { type: 'result', id, result };
  return undefined;
};

const isId = (value: Json | undefined): value is RequestId =>
  typeof value === 'number' || typeof value === 'string' || value === null;

const isErrorObject = (value: Json): boolean =>
  isObject(value) && Number.isInteger(value.code) && typeof value.message === 'string';
