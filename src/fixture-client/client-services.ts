/** What a client owes its agent, as a table of methods. Which of them are open follows from what was advertised. */
import {
  type Clock,
  errorCode,
  isObject,
  type Json,
  type JsonObject,
  methodNotFound,
  type RequestHandler,
  ResponseError,
} from '../wire/index.ts';
import { declineElicitation } from './elicitation.ts';
import { readTextFile, writeTextFile } from './files.ts';
import { text } from './params.ts';
import { createPermissions, type PermissionPolicy } from './permissions.ts';
import { createTerminals } from './terminals.ts';

export interface ClientServicesOptions {
  readonly clock: Clock;
  /** Absolute folders in which a session may read, write and run; the first is its cwd. Undefined: no such session. */
  readonly rootsOf: (sessionId: string) => readonly string[] | undefined;
  readonly permission?: PermissionPolicy;
  /** What is advertised as long as no initialize request was sent. */
  readonly capabilities?: JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ClientServices {
  /** Answers one request of the agent, or throws the error response that it gets. */
  readonly serve: RequestHandler;
  /** A frame that this client sent: what it advertised, which turn it began or cancelled. */
  sent(frame: JsonObject): void;
  /** Ends terminals and open permission requests. */
  dispose(): Promise<void>;
}

type Service = (params: JsonObject, signal: AbortSignal) => Json | Promise<Json>;

export const createClientServices = (options: ClientServicesOptions): ClientServices => {
  const permissions = createPermissions(options.permission);
  const terminals = createTerminals(options.clock, options.environment);
  let advertised = options.capabilities ?? {};

  const inSession =
    (
      serve: (params: JsonObject, roots: readonly string[], signal: AbortSignal) => Json | Promise<Json>,
    ): Service =>
    (params, signal) => {
      const sessionId = text(params, 'sessionId');
      const roots = options.rootsOf(sessionId);
      if (!roots) throw new ResponseError(errorCode.invalidParams, `there is no session ${sessionId}`);
      return serve(params, roots, signal);
    };

  const services: Readonly<Record<string, { isOpen: () => boolean; serve: Service }>> = {
    'session/request_permission': {
      isOpen: () => true,
      serve: inSession((params, _roots, signal) => permissions.answer(params, signal)),
    },
    'fs/read_text_file': { isOpen: () => offersFile('readTextFile'), serve: inSession(readTextFile) },
    'fs/write_text_file': { isOpen: () => offersFile('writeTextFile'), serve: inSession(writeTextFile) },
    'terminal/create': { isOpen: offersTerminal, serve: inSession(terminals.create) },
    'terminal/output': { isOpen: offersTerminal, serve: inSession(terminals.output) },
    'terminal/wait_for_exit': { isOpen: offersTerminal, serve: inSession(terminals.waitForExit) },
    'terminal/kill': { isOpen: offersTerminal, serve: inSession(terminals.kill) },
    'terminal/release': { isOpen: offersTerminal, serve: inSession(terminals.release) },
    'elicitation/create': {
      isOpen: () => isObject(advertised.elicitation),
      serve: params => declineElicitation(params, advertised.elicitation),
    },
  };

  return {
    serve(request, signal) {
      const service = Object.hasOwn(services, request.method) ? services[request.method] : undefined;
      if (!service?.isOpen()) return methodNotFound(request);
      if (!isObject(request.params)) {
        throw new ResponseError(errorCode.invalidParams, 'params must be an object');
      }
      return service.serve(request.params, signal);
    },

    sent({ method, params }) {
      if (!isObject(params)) return;
      if (method === 'initialize') {
        advertised = isObject(params.clientCapabilities) ? params.clientCapabilities : {};
      }
      if (typeof params.sessionId !== 'string') return;
      if (method === 'session/prompt') permissions.turnBegan(params.sessionId);
      if (method === 'session/cancel') permissions.turnCancelled(params.sessionId);
    },

    async dispose() {
      permissions.dispose();
      await terminals.dispose();
    },
  };

  function offersFile(operation: 'readTextFile' | 'writeTextFile'): boolean {
    return isObject(advertised.fs) && advertised.fs[operation] === true;
  }

  function offersTerminal(): boolean {
    return advertised.terminal === true;
  }
};
