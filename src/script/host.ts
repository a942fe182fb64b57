/** What a script needs of the world, and what it gives back. */
import type { Evidence, Judge, RequirementId } from '../catalogue/index.ts';
import type { BenchEvent } from '../journal/index.ts';
import type { ActorFactory, Clock, Json, JsonObject, Port } from '../wire/index.ts';
import type { SchemaTest } from './match.ts';
import type { Step, Verdict } from './script.ts';

/** Everything that differs from run to run and that a replay needs again; it stands in the journal's header. */
export type ScriptBindings = {
  /** Version of the bench that `initialize` names. Default: this one's. */
  readonly bench?: string;
  /** Absolute path; `$workspace`. */
  readonly workspace: string;
  /** `$home` */
  readonly home?: string;
  /** Text of an ordinary prompt; `$prompt`. */
  readonly prompt?: string;
  /** What to send so that the agent does a given thing; `$trigger.name`. */
  readonly triggers?: Readonly<Record<string, string>>;
  /** MCP servers by the name that `new-session: {mcp: [name]}` uses, each as it stands in `mcpServers`. */
  readonly mcp?: Readonly<Record<string, JsonObject>>;
  /** MCP servers of a session that names none. */
  readonly sessionMcp?: readonly string[];
  /** Id of the authentication method that the user has credentials for; `$auth`. */
  readonly auth?: string;
  /** What the agent needs after each `initialize` (authentication) and each `new-session` (a mode; has `$session`). */
  readonly setUp?: { readonly initialize?: readonly Step[]; readonly 'new-session'?: readonly Step[] };
};

export interface ScriptHost {
  /**
   * The first connection, called without argument, and after that the one of each restart: end the present process
   * so, then start the next.
   */
  connect(restart?: 'eof' | 'kill'): Promise<Port>;
  readonly clock: Clock;
  readonly judge: Judge;
  readonly bindings: ScriptBindings;
  /** Default of `within`, in milliseconds. */
  readonly timeoutMs: number;
  /** Writes into the journal. */
  note(event: BenchEvent): void;
  /** The counterparty behind the script, which gets every line that the script leaves; see `standsOn`. */
  readonly actor?: ActorFactory;
  /** Tests `{$match: schema}` leaves. Default: one made for the script's own leaves. */
  readonly fits?: SchemaTest;
  /** Milliseconds to listen on between two scripts that share a connection, after one that sent prompts. Default: 0. */
  readonly settleMs?: number;
  /** Bytes; a client script over whose connection more goes is blocked. Default: `trafficLimit`. */
  readonly maxTraffic?: number;
  /** Agent scripts: writes to standard error. */
  stderr?(text: string): void;
  /** The script or the actor behind it ends its process with this code. */
  exit?(code: number): void;
  /** Stops reading what the counterparty sends. */
  stopReading?(): void;
}

export interface Decision {
  readonly requirement: RequirementId;
  readonly outcome: 'pass' | 'fail';
  /** Of a failure. */
  readonly evidence?: Evidence;
}

export interface ScriptResult {
  /** `done`: the verdict follows from what was decided. `bench-error`: the script itself is broken. */
  readonly verdict: 'done' | Verdict | 'bench-error';
  /** One sentence: why it is not `done`, or what ended it early. */
  readonly reason?: string;
  /** The requirement that the agent did not keep when the script leaned on it. */
  readonly blockedBy?: RequirementId;
  /** A wait of the set-up ended without what it waited for. */
  readonly timedOut?: true;
  /** In the order in which they were decided. */
  readonly decided: readonly Decision[];
  /** Values by the names that the script gave them. */
  readonly saved: Readonly<Record<string, Json>>;
}
