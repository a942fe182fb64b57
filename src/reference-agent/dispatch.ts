/** From a request to its handler, past everything that may stand between them. */
import {
  errorCode,
  isObject,
  type NotificationMessage,
  type RequestMessage,
  ResponseError,
} from '../wire/index.ts';
import { invalidRequest, methodNotFound } from './errors.ts';
import { type Method, methods, notifications, type Stage } from './methods.ts';
import { readParams } from './params.ts';
import type { Agent, Call, Handler } from './state.ts';

/** Serves a request: its result, or a thrown ResponseError. */
export const serve = (agent: Agent, request: RequestMessage, call: Call): ReturnType<Handler> =>
  admit(agent, request.method).handle(agent, readParams(request.params), call);

/** Notifications are never answered, not even malformed or unknown ones. */
export const take = (agent: Agent, { method, params }: NotificationMessage): void => {
  if (isObject(params)) notifications.get(method)?.(agent, params);
};

/** The method, if it exists here and may be called now. */
const admit = (agent: Agent, name: string): Method => {
  const method = methods.get(name);
  if (!method || method.isOffered?.(agent.behaviour) === false) throw methodNotFound(name);
  const obstacle = obstacleTo(agent, method.from);
  if (obstacle) throw obstacle;
  return method;
};

const obstacleTo = (agent: Agent, stage: Stage): ResponseError | undefined => {
  if (stage === 'start') return undefined;
  if (!agent.isInitialized) return invalidRequest('Call initialize first');
  if (stage === 'authenticated' && agent.behaviour.auth.required && !agent.isAuthenticated) {
    return new ResponseError(errorCode.authRequired, 'Authentication required');
  }
  return undefined;
};
