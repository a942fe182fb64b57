/** What a connection is known to be, gathered from its entries. Applicability and `requires` are computed from it. */
import { isObject, type Json, type JsonObject } from '../wire/json.ts';

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

/** Value at a dotted path such as `agentCapabilities.auth.logout`, or undefined. */
export const valueAt = (root: Json | undefined, path: string): Json | undefined => {
  let value: Json | undefined = root;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
};

/** Whether capabilities advertise an extension: an object with a `_meta` that says something, at any depth. */
export const hasExtensions = (capabilities: Json | undefined): boolean =>
  isObject(capabilities) &&
  Object.entries(capabilities).some(([name, member]) =>
    name === '_meta' ? isObject(member) && Object.keys(member).length > 0 : hasExtensions(member),
  );
