/** What handlers throw: the error response, ready to be sent. The message is one short sentence, the rest is data. */
import { errorCode, type Json, ResponseError } from '../wire/index.ts';

export const invalidRequest = (message: string, data?: Json): ResponseError =>
  new ResponseError(errorCode.invalidRequest, message, data);

export const invalidParams = (message: string, data?: Json): ResponseError =>
  new ResponseError(errorCode.invalidParams, message, data);

export const methodNotFound = (method: string): ResponseError =>
  new ResponseError(errorCode.methodNotFound, 'Method not found', { method });
