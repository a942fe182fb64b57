/** The client as the agent sees it: notifications and requests out, responses back to whoever waits for them. */
import {
  type ActorHost,
  type ErrorMessage,
  idKey,
  isObject,
  type Json,
  type JsonObject,
  type ResultMessage,
} from '../wire/index.ts';
import { errorCode, RpcError } from './rpc-error.ts';

export interface Client {
  notify(method: string, params: JsonObject): void;
  /** Resolves with the result. Rejects with RpcError for an error response and when the client went away. */
  request(method: string, params: JsonObject): Promise<Json>;
  /** Hands in a response; one that answers nothing is ignored. */
  settle(response: ResultMessage | ErrorMessage): void;
  /** The client went away: rejects all that is pending. */
  end(): void;
}

interface Waiting {
  resolve(result: Json): void;
  reject(error: RpcError): void;
}

export const createClient = (send: ActorHost['send']): Client => {
  const waiting = new Map<string, Waiting>();
  let lastId = 0;
  let hasEnded = false;

  return {
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),

    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(clientGone());
        const id = ++lastId;
        waiting.set(idKey(id), { resolve, reject });
        send({ jsonrpc: '2.0', id, method, params });
      }),

    settle(response) {
      const key = idKey(response.id);
      const waiter = waiting.get(key);
      if (!waiter) return;
      waiting.delete(key);
      if (response.type === 'result') waiter.resolve(response.result);
      else waiter.reject(asRpcError(response.error));
    },

    end() {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(clientGone());
      waiting.clear();
    },
  };
};

/** A malformed error is still an error. */
const asRpcError = ({ code, message, data }: JsonObject): RpcError =>
  new RpcError(
    typeof code === 'number' ? code : errorCode.internalError,
    typeof message === 'string' ? message : 'The client reported an error',
    data,
  );

const clientGone = (): RpcError => new RpcError(errorCode.internalError, 'The client went away');

/** A member of a result, where the result may be anything. */
export const member = (result: Json, name: string): Json | undefined =>
  isObject(result) ? result[name] : undefined;
