/**
 * One end of a JSON-RPC conversation, without a transport: requests go out and their answers find them, requests come
 * in and get exactly one answer each, in any order. What fits nowhere is reported, never dropped.
 */
import { type Answer, createCorrelation, type Response } from './correlation.ts';
import { answerTo, type RequestHandler } from './incoming.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Line, MalformedLine } from './line.ts';
import {
  type InvalidMessage,
  idKey,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from './message.ts';
import { ConnectionLost, readError } from './response-error.ts';

export interface EndpointHandlers {
  /** Serves a request. Absent: each is answered with -32601. */
  readonly onRequest?: RequestHandler;
  /** Called in arrival order. Unknown notifications are ignored. */
  readonly onNotification?: (notification: NotificationMessage) => void;
  /** A line that is no message for this conversation. */
  readonly onStray?: (stray: Stray) => void;
}

export type Stray =
  | { readonly type: 'malformed'; readonly line: MalformedLine }
  | { readonly type: 'invalid'; readonly message: InvalidMessage }
  | { readonly type: Exclude<Answer<never>['answer'], 'first'>; readonly response: Response };

export interface Endpoint {
  /** A line from the counterparty; `message` is its envelope, absent for a malformed line. */
  receive(line: Line, message: Message | undefined): void;
  /**
   * Resolves with the result; rejects with `ResponseError`, with `ConnectionLost` when the other side went away, or with
   * the reason of `signal`, which ends the wait and sends nothing: an answer that still comes is reported as `late`.
   * @param answered called when the answer comes, before any later line is looked at
   */
  request(method: string, params?: JsonObject, signal?: AbortSignal, answered?: () => void): Promise<Json>;
  notify(method: string, params?: JsonObject): void;
  /** The other side is gone: rejects all that is open, and each later request. The first reason stays. */
  lose(reason: string): void;
}

interface OpenRequest {
  readonly method: string;
  resolve(result: Json): void;
  reject(error: Error): void;
}

/** @param send writes one frame, in call order */
export const createEndpoint = (
  send: (frame: JsonObject) => void,
  { onRequest, onNotification, onStray }: EndpointHandlers = {},
): Endpoint => {
  const outgoing = createCorrelation<OpenRequest>();
  /** Requests of the counterparty that are being served, by id, so that it can cancel them. */
  const serving = new Map<string, AbortController>();
  let lost: string | undefined;

  return {
    receive(line, message) {
      if (line.kind === 'malformed') onStray?.({ type: 'malformed', line });
      if (message?.type === 'invalid') onStray?.({ type: 'invalid', message });
      const meant = message?.type === 'invalid' ? message.meant : message;
      if (meant?.type === 'result' || meant?.type === 'error') return settle(meant);
      if (meant?.type === 'notification') return notice(meant);
      serve(line, message);
    },

    async request(method, params, signal, answered = () => {}) {
      if (lost !== undefined) throw new ConnectionLost(`no answer to ${method}: ${lost}`);
      signal?.throwIfAborted();
      let giveUp = (): void => {};
      const answer = new Promise<Json>((resolve, reject) => {
        const id = outgoing.open({
          method,
          resolve(result) {
            answered();
            resolve(result);
          },
          reject(error) {
            answered();
            reject(error);
          },
        });
        giveUp = () => {
          outgoing.abandon(id);
          reject(signal?.reason);
        };
        send({ jsonrpc: '2.0', id, method, params });
      });
      signal?.addEventListener('abort', giveUp, { once: true });
      return answer.finally(() => signal?.removeEventListener('abort', giveUp));
    },

    notify(method, params) {
      send({ jsonrpc: '2.0', method, params });
    },

    lose(reason) {
      lost ??= reason;
      for (const { method, reject } of outgoing.drain()) {
        reject(new ConnectionLost(`no answer to ${method}: ${lost}`));
      }
    },
  };

  function settle(response: Response): void {
    const answer = outgoing.answered(response);
    if (answer.answer !== 'first') onStray?.({ type: answer.answer, response });
    else if (response.type === 'result') answer.request.resolve(response.result);
    else answer.request.reject(readError(response.error));
  }

  function notice(notification: NotificationMessage): void {
    const { method, params } = notification;
    if (method === '$/cancel_request' && isObject(params) && params.requestId !== undefined) {
      serving.get(idKey(params.requestId as RequestId))?.abort();
    }
    onNotification?.(notification);
  }

  function serve(line: Line, message: Message | undefined): void {
    const abort = new AbortController();
    const answer = answerTo(line, message, abort.signal, onRequest);
    if (answer instanceof Promise) void serveLater(answer, message as RequestMessage, abort);
    else if (answer) send(answer);
  }

  async function serveLater(
    answer: Promise<JsonObject>,
    { id }: RequestMessage,
    abort: AbortController,
  ): Promise<void> {
    const key = idKey(id);
    serving.set(key, abort);
    const frame = await answer;
    if (serving.get(key) === abort) serving.delete(key);
    send(frame);
  }
};
