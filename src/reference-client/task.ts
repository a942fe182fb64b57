/** What a reference client can be told to do. Each task is one method of the agent with the wishes of the user. */
import type { Json, JsonObject } from '../wire/index.ts';

/** Which session a task is about: a name that the user gives it. Default `main`. */
interface InSession {
  readonly session?: string;
}

interface SessionSetup extends InSession {
  /** Absolute path. Default: the client's workspace. */
  readonly cwd?: string;
  /** Left out when the agent does not take them. */
  readonly additionalDirectories?: readonly string[];
  /** Entries as in the protocol; those of a transport that the agent does not take are left out. */
  readonly mcpServers?: readonly JsonObject[];
}

/** Without wishes, the folders that the session had. A session of an earlier connection is named by its id. */
interface SessionReturn extends SessionSetup {
  readonly id?: string;
}

export interface TaskWishes {
  readonly initialize: Record<string, never>;
  /** Default: the first method that the agent handles itself. */
  readonly authenticate: { readonly methodId?: string };
  readonly logout: Record<string, never>;
  readonly 'session/new': SessionSetup;
  readonly 'session/load': SessionReturn;
  readonly 'session/resume': SessionReturn;
  readonly 'session/close': InSession;
  readonly 'session/delete': InSession;
  /** Reads all pages. */
  readonly 'session/list': { readonly cwd?: string };
  /** Default: the first mode that is not current. */
  readonly 'session/set_mode': InSession & { readonly modeId?: string };
  readonly 'session/set_config_option': InSession & {
    readonly configId: string;
    readonly value: string | boolean;
  };
  readonly 'session/prompt': InSession & {
    readonly text?: string;
    /** Instead of `text`: content blocks as in the protocol. */
    readonly content?: readonly JsonObject[];
    /** Cancel the turn after this many updates of it, or when it asks for permission. */
    readonly cancelAfter?: number | 'permission';
  };
}

export type TaskName = keyof TaskWishes;

/** One task: an object with one member, such as `{ 'session/prompt': { text: 'hi' } }`. */
export type Task = { readonly [Name in TaskName]: { readonly [N in Name]: TaskWishes[Name] } }[TaskName];

export type TaskOutcome = { readonly task: Task } & (
  | { readonly status: 'done'; readonly result: Json }
  /** A conforming client must not ask for this here, so it did not. */
  | { readonly status: 'skipped'; readonly reason: string }
  /** The agent answered with an error, or with what cannot be worked with. */
  | { readonly status: 'refused'; readonly reason: string; readonly code?: number }
  /** The agent went away. */
  | { readonly status: 'lost'; readonly reason: string }
);
