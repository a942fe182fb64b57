/** The part of JSON Schema 2020-12 that the upstream schemas use. */
export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
  unevaluatedProperties?: boolean;
  items?: SchemaNode;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  not?: SchemaNode;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  [keyword: string]: unknown;
}

/** A whole schema file. */
export interface SchemaFile extends SchemaNode {
  $defs: Record<string, SchemaNode>;
}

/** `Name` of a reference to `#/$defs/Name`. */
export const definitionOf = (ref: string): string => ref.slice('#/$defs/'.length);
