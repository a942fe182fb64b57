/** From lines to handlers, and from what handlers return or throw to responses. */
import {
  type ActorHost,
  isObject,
  type Json,
  type JsonObject,
  type Line,
  type LineFault,
  type Message,
  type RequestId,
  type RequestMessage,
  type ValidMessage,
} from '../wire/index.ts';
import { methods, notifications, type Stage } from './methods.ts';
import { readParams } from './params.ts';
import { errorCode, errorObject, invalidRequest, methodNotFound, RpcError } from './rpc-error.ts';
import type { Agent } from './state.ts';

/** What a line demands is done or begun when the function returns; answers follow in their own time. */
export const createDispatcher = (
  agent: Agent,
  send: ActorHost['send'],
): ((line: Line, message: Message | undefined) => void) => {
  const fail = (id: RequestId, error: unknown): void =>
    send({ jsonrpc: '2.0', id, error: errorObject(error) });

  return (line, message) => {
    if (line.kind === 'malformed') {
      const error = unreadable(line.fault);
      if (error) fail(null, error);
      return;
    }
    switch (message?.type) {
      case 'request':
        return void serve(message);
      case 'notification':
        return notice(message.method, message.params);
      case 'result':
      case 'error':
        return agent.client.settle(message);
      case 'invalid':
        return makeBest(line.value, message.meant);
    }
  };

  async function serve({ id, method, params }: RequestMessage): Promise<void> {
    const afterwards: (() => void)[] = [];
    try {
      const { handle } = admit(agent, method);
      const call = { id, afterwards: (act: () => void) => void afterwards.push(act) };
      send({ jsonrpc: '2.0', id, result: await handle(agent, readParams(params), call) });
    } catch (error) {
      fail(id, error);
    }
    for (const act of afterwards) act();
  }

  /** Notifications are never answered, not even malformed ones. */
  function notice(method: string, params: Json | undefined): void {
    if (isObject(params)) notifications.get(method)?.(agent, params);
  }

  /** A faulty envelope: a response is taken for what it meant, a notification ignored, anything else refused. */
  function makeBest({ id }: JsonObject, meant: ValidMessage | undefined): void {
    if (meant?.type === 'result' || meant?.type === 'error') agent.client.settle(meant);
    else if (meant?.type !== 'notification') fail(asId(id), invalidRequest('Invalid request'));
  }
};

/** The method, if it exists here and may be called now. */
const admit = (agent: Agent, name: string) => {
  const method = methods.get(name);
  if (!method || method.isOffered?.(agent.behaviour) === false) throw methodNotFound(name);
  const obstacle = obstacleTo(agent, method.from);
  if (obstacle) throw obstacle;
  return method;
};

const obstacleTo = (
  { behaviour, isInitialized, isAuthenticated }: Agent,
  stage: Stage,
): RpcError | undefined => {
  if (stage === 'start') return undefined;
  if (behaviour.initializeFirst && !isInitialized) return invalidRequest('Call initialize first');
  if (stage === 'authenticated' && behaviour.auth.required && !isAuthenticated) {
    return new RpcError(errorCode.authRequired, 'Authentication required');
  }
  return undefined;
};

/** The error for a line that is no frame; none for lines that nobody waits for. */
const unreadable = (fault: LineFault): RpcError | undefined => {
  switch (fault) {
    case 'blank':
    case 'unterminated':
      return undefined;
    case 'batch':
      return invalidRequest('Batches are not part of ACP');
    case 'not-object':
      return invalidRequest('A message must be an object');
    default:
      return new RpcError(errorCode.parseError, 'Parse error', { fault });
  }
};

const asId = (id: Json | undefined): RequestId =>
  typeof id === 'string' || typeof id === 'number' ? id : null;
