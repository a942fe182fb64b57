/**
 * Answers what the agent asks of the client. Nothing is offered: files and terminals are advertised as off, and whoever
 * asks all the same gets what a handler gives. Source: the harness reference, "Capability and compatibility limits".
 */
import {
  errorCode,
  isObject,
  type Json,
  type JsonObject,
  methodNotFound,
  type RequestHandler,
  type RequestMessage,
  ResponseError,
} from '../wire/index.ts';
import { type Decision, decide } from './decide.ts';
import type { HarnessOptions, InteractionRequest } from './options.ts';
import { createTerminals } from './terminals.ts';

/** One question of the agent and what became of it; without prompts or contents. */
export interface Receipt {
  readonly id: string;
  readonly kind: InteractionRequest['kind'];
  readonly method: string;
  readonly decision: 'allowed' | 'denied';
  readonly reason: Decision['reason'];
  /** UTC, ISO 8601. */
  readonly at: string;
}

export interface Interactions {
  readonly serve: RequestHandler;
  /** Those since the last call. */
  takeReceipts(): readonly Receipt[];
  /** A permission was denied since the session began. */
  hasDeniedPermission(): boolean;
  /** A turn begins: from now on `cancelTurn` is about this one. */
  beginTurn(): void;
  /** The turn was cancelled: what is open, and what still comes, is answered so. */
  cancelTurn(): void;
}

type Policies = Pick<HarnessOptions, 'permission' | 'sampling' | 'filesystem' | 'terminal'>;

export const createInteractions = (policies: Policies): Interactions => {
  let receipts: Receipt[] = [];
  let count = 0;
  let hasDenied = false;
  const terminals = createTerminals();
  let turn = new AbortController();

  const ask = async (
    kind: InteractionRequest['kind'],
    { method, params }: RequestMessage,
    subject: string,
  ): Promise<Decision> => {
    const request: InteractionRequest = { kind, method, subject, params: (params ?? {}) as Json };
    const decision = await decide(policies[kind], request, turn.signal);
    count += 1;
    hasDenied ||= kind === 'permission' && !decision.allowed;
    receipts.push({
      id: `interaction-${count}`,
      kind,
      method,
      decision: decision.allowed ? 'allowed' : 'denied',
      reason: decision.reason,
      at: new Date().toISOString(),
    });
    return decision;
  };

  const permission = async (request: RequestMessage): Promise<Json> => {
    const { options, toolCall } = paramsOf(request);
    if (!Array.isArray(options)) throw unfit('options must be a list');
    if (!isObject(toolCall)) throw unfit('toolCall must be an object');
    const { allowed } = await ask(
      'permission',
      request,
      typeof toolCall.title === 'string' ? toolCall.title : '',
    );
    const option = allowed ? options.find(isAllowing) : undefined;
    // Nobody can choose what was not offered.
    if (!isObject(option)) return { outcome: { outcome: 'cancelled' } };
    return { outcome: { outcome: 'selected', optionId: option.optionId as Json } };
  };

  const sampling = async (request: RequestMessage): Promise<Json> => {
    const { prompt, message } = isObject(request.params) ? request.params : {};
    const subject = String(prompt ?? message ?? '');
    const { allowed, answer } = await ask('sampling', request, subject);
    if (!allowed || answer === undefined) throw required('sampling');
    return { content: [{ type: 'text', text: typeof answer === 'string' ? answer : '' }] };
  };

  const file = async (request: RequestMessage): Promise<Json> => {
    const { path } = paramsOf(request);
    const { allowed, answer } = await ask('filesystem', request, typeof path === 'string' ? path : '');
    if (!allowed || answer === undefined) throw required('filesystem');
    return request.method === 'fs/write_text_file'
      ? {}
      : { content: typeof answer === 'string' ? answer : '' };
  };

  const createTerminal = async (request: RequestMessage): Promise<Json> => {
    const { command, args } = paramsOf(request);
    const words = [command, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string');
    const { allowed, answer } = await ask('terminal', request, words.join(' '));
    if (!allowed || answer === undefined) throw required('terminal');
    return terminals.create(answer);
  };

  return {
    takeReceipts() {
      const taken = receipts;
      receipts = [];
      return taken;
    },
    hasDeniedPermission: () => hasDenied,
    beginTurn() {
      turn = new AbortController();
    },
    cancelTurn: () => turn.abort(),
    serve(request) {
      const { method } = request;
      switch (method) {
        case 'session/request_permission':
          return permission(request);
        case 'fs/read_text_file':
        case 'fs/write_text_file':
          return file(request);
        case 'terminal/create':
          return createTerminal(request);
        case 'terminal/output':
        case 'terminal/wait_for_exit':
          return terminals.show(method, paramsOf(request).terminalId) ?? refuse(required('terminal'));
        case 'terminal/release':
        case 'terminal/kill':
          return terminals.release(method, paramsOf(request).terminalId);
      }
      if (!method.startsWith('_')) return methodNotFound(request);
      return method.toLowerCase().includes('sampling') ? sampling(request) : {};
    },
  };
};

const paramsOf = ({ params }: RequestMessage): JsonObject => {
  if (isObject(params)) return params;
  throw unfit('params must be an object');
};

const isAllowing = (option: Json): boolean =>
  isObject(option) &&
  typeof option.optionId === 'string' &&
  typeof option.kind === 'string' &&
  option.kind.startsWith('allow_');

const unfit = (what: string): ResponseError =>
  new ResponseError(errorCode.invalidParams, `Invalid params: ${what}`);

/** What an agent is told that asks for what nobody configured. */
const required = (what: string): ResponseError =>
  new ResponseError(errorCode.internalError, 'Internal error', {
    details: `acp_interaction_required: ${what}`,
  });

const refuse = (error: ResponseError): never => {
  throw error;
};
