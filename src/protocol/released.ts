/** What the build writes beside the gate of a release: `dist/generated/acp/<release>.json`. */
import type { Method } from './protocol.ts';
import type { Shapes } from './shape.ts';

/** Where a name is known that the release itself does not know. */
export type Known = { readonly stableSince: string } | { readonly unstableIn: string };

export interface ReleaseData {
  readonly methods: readonly Method[];
  /** Shapes of the definitions that messages reach. */
  readonly shapes: Shapes;
  /** `ToolCall.name` for a member, `SessionUpdate=notice` for a value, `session/fork` for a method. */
  readonly known: Readonly<Record<string, Known>>;
}

/** The gate of a release: whether a value fits a definition without any fault. */
export type Gate = Readonly<Record<string, (value: unknown) => boolean>>;
