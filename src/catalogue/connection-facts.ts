/** What a connection is known to be, gathered by rules from its entries. Applicability and `requires` follow from it. */
import type { JsonObject } from '../wire/index.ts';

export interface ConnectionFacts {
  readonly connection: number;
  /** Params of the first initialize request; undefined before it. */
  readonly initializeParams: JsonObject | undefined;
  /** Result of the first initialize response; undefined before it and after an error. */
  readonly initializeResult: JsonObject | undefined;
  /** Names of the catalogue's `requires` vocabulary that hold on this connection, such as `modes-returned`. */
  readonly situations: ReadonlySet<string>;
  /** A session/new or a session/prompt succeeded. */
  readonly established: boolean;
}
