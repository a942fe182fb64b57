/**
 * A regression case of the harness as data: what is selected, which agent plays, and what must come of it. One file under
 * `cases/harness/` holds the cases of a section; schemas/case.schema.json describes it for editors and for validation.
 *
 * In every text but those of a case about manifests, `%folder%` is the case's own temporary folder, `%workspace%` the
 * workspace below it, `%node%` the Node that runs the bench, `%version%` the bench's version.
 *
 * Patterns are those of scripts: an object matches when each named member does, a list item by item,
 * `{$match: <JSON Schema>}` by the schema, anything else when it is equal.
 */
import type { HttpServer, StdioServer } from '../harness/index.ts';
import type { Script } from '../script/index.ts';
import type { Json } from '../wire/index.ts';

export interface CaseFile {
  /** What the cases of the section are about. */
  readonly title: string;
  readonly cases: readonly Case[];
}

export interface Case {
  /** The id is `harness/<file>/<name>`. */
  readonly name: string;
  /** Number in the description of the harness, such as `T2`. */
  readonly case: string;
  readonly title: string;
  /** The patch under test/regress/patches/ that makes this case fail. */
  readonly patch: string;
  /** Who plays the agent; default: the reference agent. */
  readonly agent?: AgentPart;
  readonly do: Action;
  readonly expect: Expectation;
}

/** A script over the reference agent, and what the process does that no script can. */
export interface AgentPart extends Pick<Script, 'behaviour' | 'handlers' | 'mutate' | 'steps' | 'extends'> {
  /** Id of a mock agent that ships, in place of a script. */
  readonly mock?: string;
  /** Further arguments of the process. */
  readonly args?: readonly string[];
  readonly ignoreSigterm?: boolean;
  /** A child that sleeps, and holds standard error open. */
  readonly grandchild?: boolean;
  /** So much is written to standard error before anything else. */
  readonly stderrBytes?: number;
  /** Path in the folder of the process -> text. */
  readonly writes?: Readonly<Record<string, string>>;
}

/** What is done: exactly one of them. */
export type Action =
  | { readonly run: RunPart }
  | { readonly session: RunPart; readonly calls: readonly Call[] }
  | { readonly ready: RunPart }
  | { readonly select: Json }
  /** An environment that is given may be looked at with `checkLocal` only. */
  | { readonly validate: Json; readonly checkLocal?: boolean; readonly environment?: Record<string, string> }
  | { readonly export: Json }
  /** The text of a manifest file; null for a file that is not there. */
  | { readonly load: string | null };

export interface RunPart {
  /** Replaces members of the manifest that starts the case's agent. */
  readonly manifest?: Readonly<Record<string, Json>>;
  readonly mode?: string;
  readonly config?: Readonly<Record<string, string | boolean>>;
  readonly model?: string;
  /** Default: one that says hello. A list of blocks is one prompt. */
  readonly prompts?: readonly (string | readonly Json[])[];
  /** Files of a workspace that is given; without it the workspace is temporary. */
  readonly workspace?: Readonly<Record<string, string>>;
  /** Path below the case's folder -> text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly servers?: readonly (StdioServer | HttpServer)[];
  readonly permission?: Answer;
  readonly sampling?: Answer;
  readonly filesystem?: Answer;
  readonly terminal?: Answer;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** The time limit is reached when this frame has been recorded. */
  readonly expires?: FramePattern;
  /** The user cancels when this frame has been recorded, or before the start. */
  readonly cancels?: FramePattern | 'before';
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: PATH alone. */
  readonly parentEnvironment?: Readonly<Record<string, string>>;
}

/** A policy, or a handler: what it answers, or that it throws. */
export type Answer = 'deny' | 'allow' | { readonly answer: Json } | { readonly throws: true };

export type Call =
  | { readonly send: string }
  /** The second before the first is answered. */
  | { readonly together: readonly [string, string] }
  | { readonly close: true };

/** A frame of the harness, or one of the agent. */
export type FramePattern = { readonly nth?: number } & (
  | { readonly sent: FrameShape }
  | { readonly received: FrameShape }
);

/** A method, or members of the frame. `responseTo` is the method of the request that it answers. */
export type FrameShape = string | (Readonly<Record<string, Json>> & { readonly responseTo?: string });

export interface Expectation {
  /** Of what came of it; see `Outcome`. */
  readonly outcome?: Json;
  /** JSON pointers into the outcome that lead nowhere. */
  readonly absent?: readonly string[];
  /** These frames, in this order, whatever stands between them. */
  readonly frames?: readonly FramePattern[];
  /** No such frame. */
  readonly never?: readonly FramePattern[];
  /** Texts that stand nowhere in the result or in the journal. */
  readonly nowhere?: readonly string[];
}

/**
 * What came of a case.
 * - `run`: the members of RunResult but frames and observations of frames, plus `agent` and `after`
 * - `session`: `calls` with a result or an error each, `startup` with the error of a start that failed, `agent`, `after`
 * - `ready`: the readiness, `agent`, and `leftovers`, the names of what was left in the temporary folder
 * - others: `value`, or `error` with `name` and `message`
 */
export type Outcome = { readonly [name: string]: Json };

/** What the agent's process wrote down when it began. */
export interface AgentNotes {
  readonly pid: number;
  readonly grandchild?: number;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly homeExists: boolean;
}
