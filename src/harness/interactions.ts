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
import { type Decision, decide, denied } from './decide.ts';
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
  /** Why permissions were denied since the session began, each reason once; not those that were cancelled. */
  deniedPermissions(): readonly Decision['reason'][];
  /** A turn begins: from now on `cancelTurn` is about this one. */
  beginTurn(): void;
  /** The turn was cancelled: what is open, and what still comes, is answered so. */
  cancelTurn(): void;
}

type Policies = Pick<HarnessOptions, 'permission' | 'sampling' | 'filesystem' | 'terminal'>;

export const createInteractions = (policies: Policies): Interactions => {
  let receipts: Receipt[] = [];
  let count = 0;
  const deniedBy = new Set<Decision['reason']>();
  const terminals = createTerminals();
  let turn = new AbortController();

  /**
   * @param signal aborts when the agent takes its question back
   * @param canGive whether there is something to answer with when it is allowed
   */
  const ask = async (
    kind: InteractionRequest['kind'],
    { method, params }: RequestMessage,
    signal: AbortSignal,
    subject: string,
    canGive: (decision: Decision) => boolean = ({ answer }) => answer !== undefined,
  ): Promise<Decision> => {
    const request: InteractionRequest = { kind, method, subject, params: (params ?? {}) as Json };
    const decided = await decide(policies[kind], request, [turn.signal, signal]);
    const decision = decided.allowed && !canGive(decided) ? denied('nothing_to_give') : decided;
    count += 1;
    if (kind === 'permission' && !decision.allowed && decision.reason !== 'cancelled')
      deniedBy.add(decision.reason);
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

  const permission = async (request: RequestMessage, signal: AbortSignal): Promise<Json> => {
    const { options, toolCall } = paramsOf(request);
    if (!Array.isArray(options)) throw unfit('options must be a list');
    if (!isObject(toolCall)) throw unfit('toolCall must be an object');
    const title = typeof toolCall.title === 'string' ? toolCall.title : '';
    const option = options.find(isAllowing);
    // Nobody can choose what was not offered.
    const { allowed } = await ask('permission', request, signal, title, () => option !== undefined);
    if (!allowed || option === undefined) return { outcome: { outcome: 'cancelled' } };
    return { outcome: { outcome: 'selected', optionId: option.optionId } };
  };

  const sampling = async (request: RequestMessage, signal: AbortSignal): Promise<Json> => {
    const { prompt, message } = isObject(request.params) ? request.params : {};
    const asked = prompt ?? message ?? '';
    const subject = typeof asked === 'string' ? asked : JSON.stringify(asked);
    const { allowed, answer } = await ask('sampling', request, signal, subject);
    if (!allowed) throw required('sampling');
    return { content: [{ type: 'text', text: typeof answer === 'string' ? answer : '' }] };
  };

  const file = async (request: RequestMessage, signal: AbortSignal): Promise<Json> => {
    const { path, content } = paramsOf(request);
    const isWrite = request.method === 'fs/write_text_file';
    if (typeof path !== 'string') throw unfit('path must be a text');
    if (isWrite && typeof content !== 'string') throw unfit('content must be a text');
    const { allowed, answer } = await ask('filesystem', request, signal, path);
    if (!allowed) throw required('filesystem');
    return isWrite ? {} : { content: typeof answer === 'string' ? answer : '' };
  };

  const createTerminal = async (request: RequestMessage, signal: AbortSignal): Promise<Json> => {
    const { command, args } = paramsOf(request);
    if (typeof command !== 'string') throw unfit('command must be a text');
    const words = [command, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string');
    const { allowed, answer } = await ask('terminal', request, signal, words.join(' '));
    if (!allowed || answer === undefined) throw required('terminal');
    return terminals.create(answer);
  };

  return {
    takeReceipts() {
      const taken = receipts;
      receipts = [];
      return taken;
    },
    deniedPermissions: () => [...deniedBy],
    beginTurn() {
      turn = new AbortController();
    },
    cancelTurn: () => turn.abort(),
    serve(request, signal) {
      const { method } = request;
      switch (method) {
        case 'session/request_permission':
          return permission(request, signal);
        case 'fs/read_text_file':
        case 'fs/write_text_file':
          return file(request, signal);
        case 'terminal/create':
          return createTerminal(request, signal);
        case 'terminal/output':
        case 'terminal/wait_for_exit':
          return terminals.show(method, paramsOf(request).terminalId) ?? refuse(required('terminal'));
        case 'terminal/release':
        case 'terminal/kill':
          return terminals.release(method, paramsOf(request).terminalId);
      }
      if (!method.startsWith('_')) return methodNotFound(request);
      return method.toLowerCase().includes('sampling') ? sampling(request, signal) : {};
    },
  };
};

const paramsOf = ({ params }: RequestMessage): JsonObject => {
  if (isObject(params)) return params;
  throw unfit('params must be an object');
};

const isAllowing = (option: Json): option is { readonly optionId: string; readonly kind: string } =>
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
