/** Errors as they go on the wire. Source: JSON-RPC 2.0, section 5.1; ACP v1 schema, `ErrorCode`. */
import type { Json, JsonObject } from '../wire/index.ts';

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

/** Thrown by a handler, it becomes the error response; the client's own error responses arrive as one. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;

  /** @param message one short sentence; what came from outside belongs into `data` */
  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidRequest = (message: string, data?: Json): RpcError =>
  new RpcError(errorCode.invalidRequest, message, data);

export const invalidParams = (message: string, data?: Json): RpcError =>
  new RpcError(errorCode.invalidParams, message, data);

export const methodNotFound = (method: string): RpcError =>
  new RpcError(errorCode.methodNotFound, 'Method not found', { method });

/** The `error` member of a response. An error that nobody foresaw shows no more than its message. */
export const errorObject = (error: unknown): JsonObject =>
  error instanceof RpcError
    ? { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) }
    : { code: errorCode.internalError, message: 'Internal error', data: { reason: String(error) } };
