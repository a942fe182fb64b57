import type { Json, JsonObject } from './json.ts';

/** Error codes of JSON-RPC 2.0 and of ACP v1. */
export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
} as const;

/** An error response: one that came, or, thrown by a handler, one to be sent. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly code: number;
  readonly data: Json | undefined;

  /** @param message one short sentence; details belong in `data` */
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The `error` member of the frame. */
  toObject(): JsonObject {
    return {
      code: this.code,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

/** What came as the `error` member of a response, however malformed. */
export const readError = ({ code, message, data }: JsonObject): ResponseError =>
  new ResponseError(
    typeof code === 'number' ? code : Number.NaN,
    typeof message === 'string' ? message : 'the error response has no message',
    data,
  );

/** The other side went away, so that a request gets no answer. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}
