/** A client that keeps every requirement on clients: the fixture client's services, and a driver that does its tasks. */
import { benchVersion } from '../base/index.ts';
import { createClientServices, type PermissionPolicy } from '../fixture-client/index.ts';
import {
  type ActorFactory,
  ConnectionLost,
  createEndpoint,
  isObject,
  type Json,
  type JsonObject,
  ResponseError,
} from '../wire/index.ts';
import { createAgentView, learnUpdate, sessionById } from './agent-view.ts';
import { type Call, calls, type Self } from './calls.ts';
import type { Task, TaskName, TaskOutcome, TaskWishes } from './task.ts';
import { createTurns } from './turns.ts';

export interface ReferenceClientOptions {
  /** Absolute path: the cwd of sessions that name none. */
  readonly workspace: string;
  /** Done one after the other. A task that the agent's capabilities forbid is skipped. */
  readonly tasks: readonly Task[];
  /** Default: files and terminal. */
  readonly capabilities?: JsonObject;
  /** Default `reject`. */
  readonly permission?: PermissionPolicy;
  /** Environment of terminal commands; see the fixture client. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default true: config options are used where offered, and modes ignored then. */
  readonly usesConfigOptions?: boolean;
  /** Told of each task when it is over. */
  readonly onOutcome?: (outcome: TaskOutcome) => void;
}

/**
 * After its last task the client exits with 0; with 1 as soon as `initialize` failed or the agent went away.
 */
export const referenceClient =
  (options: ReferenceClientOptions): ActorFactory =>
  host => {
    const { workspace, tasks, permission, environment, onOutcome } = options;
    const self: Self = {
      workspace,
      capabilities: options.capabilities ?? {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
      },
      clientInfo: { name: 'acp-testbench-reference-client', version: benchVersion() },
      usesConfigOptions: options.usesConfigOptions ?? true,
    };
    const view = createAgentView();
    const services = createClientServices({
      clock: host.clock,
      rootsOf: sessionId => sessionById(view, sessionId)?.roots,
      ...(permission && { permission }),
      ...(environment && { environment }),
    });
    const send = (frame: JsonObject): void => {
      services.sent(frame);
      host.send(frame);
    };
    const turns = createTurns(sessionId => endpoint.notify('session/cancel', { sessionId }));
    const endpoint = createEndpoint(send, {
      onRequest(request, signal) {
        // The cancel goes out first, so that this very request is answered as cancelled.
        if (request.method === 'session/request_permission') turns.asked(sessionIdOf(request.params));
        return services.serve(request, signal);
      },
      onNotification({ method, params }) {
        if (method !== 'session/update' || !isObject(params)) return;
        learnUpdate(view, params);
        turns.updated(sessionIdOf(params));
      },
    });

    // Not before the host has its actor.
    queueMicrotask(() => void drive());

    return {
      receive: endpoint.receive,
      ended: () => endpoint.lose('the agent closed its output'),
      async dispose() {
        endpoint.lose('the client was disposed of');
        await services.dispose();
      },
    };

    async function drive(): Promise<void> {
      let code = 0;
      for (const task of tasks) {
        const outcome = await perform(task);
        onOutcome?.(outcome);
        if (outcome.status === 'lost' || (outcome.status === 'refused' && 'initialize' in task)) {
          code = 1;
          break;
        }
      }
      await services.dispose();
      host.exit(code);
    }

    async function perform(task: Task): Promise<TaskOutcome> {
      const [[method, wishes]] = Object.entries(task) as [[TaskName, TaskWishes[TaskName]]];
      const call = calls[method](wishes as never, view, self);
      if (typeof call === 'string') return { task, status: 'skipped', reason: call };
      try {
        const result = await (method === 'session/prompt'
          ? turn(call, wishes as TaskWishes['session/prompt'])
          : conclude(method, call));
        return { task, status: 'done', result };
      } catch (error) {
        const reason = (error as Error).message;
        if (error instanceof ConnectionLost) return { task, status: 'lost', reason };
        return {
          task,
          status: 'refused',
          reason,
          ...(error instanceof ResponseError && { code: error.code }),
        };
      }
    }

    /** Makes the call, and those that follow from its results; gives the last result. */
    async function conclude(method: TaskName, { params, learn }: Call): Promise<Json> {
      for (let next: JsonObject = params; ; ) {
        const result = await endpoint.request(method, next);
        // Agents answer null where an empty object is due.
        const follow = learn?.(isObject(result) ? result : {});
        if (typeof follow === 'string') throw new Error(follow);
        if (follow === undefined) return result;
        next = follow;
      }
    }

    /** Waits for the answer also when the turn was cancelled: it alone ends the turn. */
    async function turn(call: Call, { cancelAfter }: TaskWishes['session/prompt']): Promise<Json> {
      const answered = conclude('session/prompt', call);
      const sessionId = sessionIdOf(call.params);
      turns.began(sessionId, cancelAfter);
      return answered.finally(() => turns.ended(sessionId));
    }
  };

const sessionIdOf = (params: Json | undefined): string =>
  isObject(params) && typeof params.sessionId === 'string' ? params.sessionId : '';
