/** What the bench must know of an agent beyond its command; the data is `profiles/*.yaml`, or a file of the user. */

export interface Profile {
  /** Name of a shipped profile, or the path that was given. */
  readonly name: string;
  /** The agent's name for people. */
  readonly title: string;
  /** How the agent is started, placeholders resolved; absent when that is the user's to say. */
  readonly command?: readonly string[];
  /** Variables for the agent's process. */
  readonly env: Readonly<Record<string, string>>;
  /** Path below HOME -> text. */
  readonly files: Readonly<Record<string, string>>;
  /** Id of the authentication method to use. */
  readonly auth?: string;
  /** Requests that are sent only when allowed, since they change the world. */
  readonly allow: readonly 'logout'[];
  readonly session: {
    /** Names of the bench's MCP servers that every session gets. */
    readonly mcp: readonly string[];
  };
  /** Sent after each session/new, in order; the bench adds `sessionId`. */
  readonly setup: readonly ProfileRequest[];
  /** Prompt text of an ordinary turn. */
  readonly prompts: { readonly turn?: string };
  /** Trigger of the catalogue (`permission` for `trigger:permission`) -> prompt text that makes the agent do it. */
  readonly triggers: Readonly<Record<string, string>>;
}

export interface ProfileRequest {
  readonly request: string;
  readonly params: Readonly<Record<string, unknown>>;
}
