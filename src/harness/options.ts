/** What a run is given beside the agent and the prompt. */
import type { Clock, Json } from '../wire/index.ts';
import type { HarnessHost } from './folders.ts';
import type { FrameRecord } from './result.ts';
import type { McpServer } from './servers.ts';

/** What the agent asks for, as a handler sees it. */
export interface InteractionRequest {
  readonly kind: 'permission' | 'sampling' | 'filesystem' | 'terminal';
  /** The method that the agent called. */
  readonly method: string;
  /** Title of the tool call, path of the file, command line, or prompt. */
  readonly subject: string;
  readonly params: Json;
}

/** `true` allows; `false`, nothing, or an error denies; a text or value allows and is the answer. */
export type InteractionHandler = (request: InteractionRequest) => Json | Promise<Json>;

/** Default: `deny`. `allow` with a handler asks it too. */
export type InteractionPolicy =
  | 'deny'
  | 'allow'
  | { readonly policy: 'allow' | 'prompt'; readonly handler: InteractionHandler };

export interface HarnessOptions {
  /** The agent's folder and the session's cwd. Default: a temporary one, removed at the end; a given one stays. */
  readonly workspace?: string;
  readonly servers?: readonly McpServer[];
  /** For each start and each turn, in milliseconds. Default: 180,000. */
  readonly timeoutMs?: number;
  readonly permission?: InteractionPolicy;
  readonly sampling?: InteractionPolicy;
  readonly filesystem?: InteractionPolicy;
  readonly terminal?: InteractionPolicy;
  /** Says whether the wanted tool policy is enforced on every connection. Absent: none is wanted. */
  readonly isPolicyEnforced?: () => boolean;
  /** Looked up before the parent's environment where the manifest or a server refers to a variable. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: that of this process. */
  readonly parentEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Cancels what runs; see `Interruption` for the other reason to abort it. */
  readonly signal?: AbortSignal;
  /** Where the journal is written; default: it is kept in memory. */
  readonly journalPath?: string;
  /** Called with each frame as it comes. Secrets are replaced, but for one in pieces, which the result replaces too. */
  readonly onFrame?: (frame: FrameRecord) => void;
  /** Default: one for the session, which ends with it. */
  readonly host?: HarnessHost;
  readonly clock?: Clock;
}
