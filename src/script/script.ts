/**
 * The script language. A scenario is a script with role `client`, a mock agent one with role `agent`; both are run by
 * the same interpreter. YAML files and `defineScript()` yield this one shape; schemas/script.schema.json describes it
 * for editors and for validation.
 *
 * Values: a string that begins with `$` names a saved value (`$turn.response.result.stopReason`), `${…}` does so inside
 * text (in that of `raw` as it stands within a JSON string), `$$` is a dollar, `$/…` is never a variable. `request … as
 * x` saves an exchange (`$x.request` and `$x.response` are its frames, and `of: x` is its response), `expect … as` a
 * frame, `collect` and `expect` with `count` a list of frames, `new-session … as` the result plus `cwd`. Built in:
 * `$param.*`, `$trigger.*`, `$prompt`, `$workspace`, `$workspaceUri` (`file://…`), `$home`, `$auth` (id of
 * the method to log in with), `$agent` (initialize result), `$client` (initialize params), `$repeat`, in a handler
 * `$request` and `$session` (`cwd` and `mcpServers`), in a mutation `$frame`.
 */
import type { RequirementId, Situation } from '../catalogue/index.ts';
import type { Json } from '../wire/index.ts';

/** JSON in which strings may name saved values. */
export type Template = Json;

/** A number, or a parameter that holds one. */
export type Count = number | `$param.${string}`;

/**
 * Partial equality: an object matches when each named member does; a list has the same length and matches item by
 * item; `{$match: <JSON Schema>}` hands a leaf to the schema validator; anything else must be equal.
 */
export type ValuePattern = Json;

/** Matches one event from the counterparty. A list of patterns is a set of alternatives. */
export interface EventPattern {
  readonly method?: string;
  readonly id?: ValuePattern;
  readonly params?: ValuePattern;
  readonly result?: ValuePattern;
  readonly error?: ValuePattern;
  /** The response to a saved exchange: its name. */
  readonly response?: string;
  /** Any response to a request of this method. */
  readonly responseTo?: string;
  /** The n-th match, counted from 1. */
  readonly nth?: Count;
  /** Not a frame: end of output, end of the process, or a line that is no frame. */
  readonly event?: 'eof' | 'exit' | 'malformed';
  readonly code?: ValuePattern;
  readonly signal?: ValuePattern;
  readonly fault?: string;
}

export type Match = EventPattern | readonly EventPattern[];

/** Options of every verb that sends. */
export interface Sending {
  /** Wait this long first. */
  readonly delay?: string;
  /** Write in pieces of this many bytes. */
  readonly chunk?: Count;
  /** Write it this many times; `$repeat` is the count from 0. Requests get an id each; `as` names the last. */
  readonly repeat?: Count;
  /** Send once n frames of that exchange were received, handled or not. Inconclusive if it is answered before. */
  readonly at?: { readonly frames: Count; readonly of: string };
  /** The attempt is inconclusive if the response to that exchange was read before the write ended. */
  readonly guard?: { readonly unanswered: string };
  /** The frame is faulty on purpose and not held against the bench. */
  readonly fault?: true;
}

/** Verdict of a scenario in which no requirement was decided. */
export type Verdict = 'blocked' | 'inconclusive' | 'not-exercised';

export interface Branch {
  readonly when?:
    | { readonly of: string; readonly is: ValuePattern }
    | { readonly received: Match; readonly as?: string };
  readonly else?: true;
  readonly passes?: readonly RequirementId[];
  readonly fails?: readonly RequirementId[];
  /** Names the situation of the catalogue's verdict cases. */
  readonly situation?: string;
  /** Verdict of the scenario in this branch where no requirement decides it: set-up refused, race lost. */
  readonly verdict?: Verdict;
  readonly steps?: readonly Step[];
}

export interface Unless {
  readonly match: Match;
  readonly verdict?: Verdict;
  readonly fails?: readonly RequirementId[];
  readonly situation?: string;
}

export type Step =
  | {
      readonly initialize: {
        readonly capabilities?: Template;
        readonly version?: Template;
        readonly params?: Template;
      };
      /** Name of the exchange. */
      readonly as?: string;
      readonly within?: string;
    }
  | {
      readonly 'new-session': {
        readonly as: string;
        readonly cwd?: Template;
        readonly mcp?: readonly string[];
      };
      readonly within?: string;
    }
  | ({
      readonly request: string;
      readonly params?: Template;
      readonly as?: string;
      readonly id?: Template;
    } & Sending)
  | ({ readonly notify: string; readonly params?: Template } & Sending)
  | ({ readonly respond: Template; readonly result?: Template; readonly error?: Template } & Sending)
  | ({
      readonly raw: {
        readonly text?: string;
        readonly hex?: string;
        readonly file?: string;
        readonly fill?: { readonly bytes: Count; readonly with?: string };
        readonly terminator?: string;
      };
      /** The exchange that the raw bytes begin, with the id that they carry. */
      readonly as?: string;
      readonly id?: Template;
    } & Sending)
  | {
      readonly expect: Match;
      readonly as?: string;
      readonly count?: Count;
      readonly within?: string;
      /** What ends the wait at once, beside end of output, exit, and the expected response with other content. */
      readonly unless?: readonly Unless[];
      readonly checks?: readonly RequirementId[];
    }
  | {
      readonly assert: {
        readonly of: string;
        readonly is: ValuePattern;
        readonly checks?: readonly RequirementId[];
      };
    }
  | { readonly either: readonly Branch[]; readonly within?: string }
  | {
      readonly collect: { readonly as: string; readonly match: Match; readonly until: Match };
      readonly within?: string;
      readonly checks?: readonly RequirementId[];
    }
  | { readonly hold: readonly string[] }
  | {
      readonly quiet: { readonly match: Match; readonly for: string };
      readonly checks?: readonly RequirementId[];
    }
  /** Leaves what the agent writes unread for this long, as a client does that is busy; the script goes on. */
  | { readonly 'pause-reading': string }
  | {
      readonly stderr: { readonly write: string } | { readonly expect: string };
      readonly within?: string;
      readonly checks?: readonly RequirementId[];
    }
  /** Signals are counted and never taken back. */
  | { readonly signal: string }
  /** Waits until that signal was given `count` times in all. */
  | { readonly await: string; readonly count?: Count; readonly within?: string }
  /** Standard input or output of the agent, whichever role the script has. */
  | { readonly close: 'input' | 'output' }
  /** A new process with the same HOME and workspace; saved values stay, unread frames go. */
  | { readonly restart: { readonly stop: 'eof' | 'kill' } }
  | { readonly exit: number };

export interface Handler {
  readonly match: Match;
  /** How often it takes a request; without it, always. */
  readonly times?: number;
  /** Takes none before the counterparty has sent a frame that matches this, nor that frame itself. */
  readonly after?: Match;
  readonly steps: readonly Step[];
}

/** An edit of a frame of the underlying agent or client on its way out. */
export interface Mutation {
  readonly match: Match;
  /** Edits none before the counterparty has sent a frame that matches this. */
  readonly after?: Match;
  readonly drop?: true;
  /** Send it again: at once, or after the next frame that matches. */
  readonly duplicate?: true | { readonly after: Match };
  /** Hold it back until a frame that matches has been sent, or until the counterparty sent one. */
  readonly delay?: { readonly until: Match };
  /** JSON pointers and their new values. */
  readonly set?: Readonly<Record<string, Template>>;
  /** JSON pointers of members to remove. */
  readonly unset?: readonly string[];
}

export interface Script {
  /** `area/name`; unique. */
  readonly id: string;
  readonly title: string;
  readonly role: 'client' | 'agent';
  /** Why anyone cares: one or two sentences. */
  readonly story?: string;
  /** Conditions of the catalogue's vocabulary, and capability paths. Not met: not-exercised or not-applicable. */
  readonly requires?: readonly string[];
  /** Path in the workspace -> text. */
  readonly files?: Readonly<Record<string, string>>;
  /** One instance per value; `$param.name`. Several parameters multiply. */
  readonly parameters?: Readonly<Record<string, readonly Json[]>>;
  /** How often a lost race is tried again in all. Default 3. */
  readonly attempts?: number;
  readonly handlers?: readonly Handler[];
  readonly mutate?: readonly Mutation[];
  readonly steps?: readonly Step[];
  /** Agent scripts: behaviour of the reference agent that the script stands on. */
  readonly behaviour?: Template;
  /** Who serves what the script leaves. Default: `standsOn`. */
  readonly extends?: Underlying;
  /** For mutants: the requirements that it violates, written from their text before its first run. */
  readonly breaks?: readonly RequirementId[];
  /** For mutants: of a requirement in `breaks`, the catalogue's case that sets the verdict. Default: none does. */
  readonly situations?: Readonly<Record<RequirementId, Situation>>;
  /** For mutants: what else they get, with the reason. */
  readonly collateral?: Readonly<Record<RequirementId, string>>;
  /** Release of the bench that introduced or last tightened the script. */
  readonly bench?: string;
}

/** The counterparties in this process that a script can stand on. */
export type Underlying = 'reference-agent' | 'reference-client' | 'fixture-client' | 'nothing';

/** Agents stand on the reference agent, mutant clients on the reference client, scenarios on the fixture client. */
export const standsOn = ({ extends: named, role, breaks }: Script): Underlying =>
  named ?? (role === 'agent' ? 'reference-agent' : breaks ? 'reference-client' : 'fixture-client');

/** Scenarios end with their last step; steps of a mock agent or a mutant client run beside it and end nothing. */
export const endsWithSteps = (script: Script): boolean =>
  script.role === 'client' && standsOn(script) !== 'reference-client';

/** Types a script written in TypeScript. */
export const defineScript = (script: Script): Script => script;
