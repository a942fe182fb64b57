/** The protocol as one release of its schema describes it: methods, sides, definitions, and the check of one message. */
import type { Json, Party, ValidMessage } from '../wire/index.ts';

export const releases = ['0.12.1', '1.19.0', '1.21.0', 'latest'] as const;
export type Release = (typeof releases)[number];

/** The release to judge by where the user names none. */
export const defaultRelease: Release = '0.12.1';

export interface Method {
  readonly name: string;
  /** Who serves the method; `protocol` methods go both ways. */
  readonly side: Party | 'protocol';
  readonly kind: 'request' | 'notification';
  /** Definition of the params, such as `PromptRequest`. */
  readonly params: string;
  /** Definition of the result; absent for a notification. */
  readonly result?: string;
  /** Capability path of the serving side that gates the method, such as `agentCapabilities.loadSession`. */
  readonly gate?: string;
  /** First stable release of the schema, such as `v0.13.6`; `v0.12.1` stands for that and all before. */
  readonly since: string;
}

export type FaultKind =
  /** Does not fit the definition in any release. */
  | 'invalid'
  /** A member at the root of a spec-defined type that the selected release does not know. */
  | 'unknown-member'
  /** A tag or enum value that the selected release does not know. */
  | 'unknown-value'
  /** `null` where the definition is an object without required members. */
  | 'null-result'
  /** The method itself is unknown to the selected release. */
  | 'unknown-method'
  /** Valid by the schema, wrong by the text: relative path, line 0, and so on. */
  | 'text';

/** One fault of one message. One per mistake, never the cascade of a union. */
export interface SchemaFault {
  readonly kind: FaultKind;
  /** Definition that it was checked against, such as `ToolCallUpdate`. */
  readonly definition: string;
  /** JSON pointer from the root of the frame, such as `/params/update/status`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: Json | undefined;
  /**
   * Set when a later stable release, or only an unstable schema, knows the member, value or method; in the words of
   * the catalogue, such as `v0.13.6` or `sdk-2.0.0`.
   */
  readonly known?: { readonly stableSince: string } | { readonly unstableIn: string };
  /**
   * Which hand check found a `text` fault: `absolute-path`, `line-from-1`, `base64`, `iso-timestamp`, `uri`,
   * `both-variants`, or a number format such as `uint32`. For other kinds, what is special about the fault:
   * `meta-object`, `stdio-type`, `doc-example-mode-id`, `doc-example-bare-block`, `wrong-direction`, `wrong-kind`.
   */
  readonly check?: string;
}

export interface Protocol {
  readonly release: Release;
  /** Methods of this release by name. */
  readonly methods: ReadonlyMap<string, Method>;
  /**
   * Faults of one message that `from` sent; for a response, `method` is that of its request.
   * The empty result is one shared frozen array, so the good path allocates nothing.
   */
  check(from: Party, message: ValidMessage, method?: string): readonly SchemaFault[];
}
