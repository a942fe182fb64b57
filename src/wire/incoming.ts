/** The one answer that an incoming line gets, also when it is no request at all. Source: JSON-RPC 2.0, section 5.1. */
import type { Json, JsonObject } from './json.ts';
import type { Line } from './line.ts';
import type { InvalidMessage, Message, RequestId, RequestMessage } from './message.ts';
import { errorCode, ResponseError } from './response-error.ts';

/**
 * Serves a request of the counterparty: returns its result, or throws a `ResponseError`; anything else that it throws
 * becomes -32603. `signal` aborts when the counterparty cancels the request with `$/cancel_request`, which may be ignored.
 */
export type RequestHandler = (request: RequestMessage, signal: AbortSignal) => Json | Promise<Json>;

/**
 * The frame to answer with; undefined where no answer is due: to notifications and responses, and to blank lines. Comes
 * at once when the handler decides at once, so that nothing sent later can overtake it.
 */
export const answerTo = (
  line: Line,
  message: Message | undefined,
  signal: AbortSignal,
  handler: RequestHandler = methodNotFound,
): JsonObject | undefined | Promise<JsonObject> => {
  if (line.kind === 'malformed') return answerToMalformed(line);
  if (message?.type === 'invalid') return answerToInvalid(message, line.value.id);
  if (message?.type !== 'request') return undefined;
  const { id } = message;
  const success = (result: Json): JsonObject => ({ jsonrpc: '2.0', id, result });
  try {
    const result = handler(message, signal);
    return result instanceof Promise
      ? result.then(success).catch(error => failure(id, asResponseError(error)))
      : success(result);
  } catch (error) {
    return failure(id, asResponseError(error));
  }
};

/** What to throw for a method that is not served. */
export const methodNotFound = ({ method }: RequestMessage): never => {
  throw new ResponseError(errorCode.methodNotFound, `method ${method} is not available`);
};

const answerToMalformed = ({ fault, continues }: Line & { kind: 'malformed' }): JsonObject | undefined => {
  if (fault === 'blank' || continues) return undefined;
  const isJson = fault === 'batch' || fault === 'not-object';
  return failure(
    null,
    isJson
      ? new ResponseError(errorCode.invalidRequest, 'the line is not a JSON object')
      : new ResponseError(errorCode.parseError, 'the line is not JSON'),
  );
};

/** An invalid answer or notification gets none, and an id that cannot be repeated lawfully is answered as null. */
const answerToInvalid = ({ fault, meant }: InvalidMessage, id: Json | undefined): JsonObject | undefined => {
  if (meant !== undefined && meant.type !== 'request') return undefined;
  const lawful = typeof id === 'string' || Number.isInteger(id) ? (id as RequestId) : null;
  return failure(lawful, new ResponseError(errorCode.invalidRequest, `the request is invalid: ${fault}`));
};

const failure = (id: RequestId, error: ResponseError): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: error.toObject(),
});

const asResponseError = (error: unknown): ResponseError =>
  error instanceof ResponseError
    ? error
    : new ResponseError(errorCode.internalError, error instanceof Error ? error.message : String(error));
