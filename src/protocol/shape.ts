/**
 * A schema in the few forms that ACP uses, written by the build beside each release. References are by definition
 * name, unions are resolved to their tag, and objects are closed: what is not a member is unknown.
 */
import type { Json } from '../wire/index.ts';

/** Checks that a schema keyword cannot state, or that the upstream schema leaves out. */
export type TextCheck = 'absolute-path' | 'line-from-1' | 'base64' | 'iso-timestamp';

export interface AnyShape {
  readonly is: 'any';
}

/** A definition that is an object, a tagged union or a choice; scalars are inlined. */
export interface ReferenceShape {
  readonly is: 'reference';
  readonly to: string;
}

export interface ScalarShape {
  readonly is: 'scalar';
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'null';
  /** JSON Schema format, such as `uint32`. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly check?: TextCheck;
}

export interface EnumShape {
  readonly is: 'enum';
  /** Definition that lists the values; absent for a tag. */
  readonly of?: string;
  readonly values: readonly Json[];
}

export interface ListShape {
  readonly is: 'list';
  readonly items: Shape;
}

/** An object whose keys are data. */
export interface MapShape {
  readonly is: 'map';
  readonly values: Shape;
}

export interface ObjectShape {
  readonly is: 'object';
  /** Definitions that the members come from, the most specific first. */
  readonly of: readonly [string, ...string[]];
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** Takes any further member. */
  readonly open?: true;
}

/** A union whose variants differ in the value of one member. */
export interface TaggedShape {
  readonly is: 'tagged';
  readonly of: string;
  readonly tag: string;
  readonly variants: Readonly<Record<string, Shape>>;
  /** Variant without the tag. */
  readonly untagged?: Shape;
  /** Variant for any tag that is not listed. */
  readonly other?: Shape;
  /** What all variants have in common: what a value with an unknown tag is held to. */
  readonly shared: ObjectShape;
}

/** A union without a tag. */
export interface ChoiceShape {
  readonly is: 'choice';
  readonly options: readonly Shape[];
}

export interface NullableShape {
  readonly is: 'nullable';
  readonly shape: Shape;
}

export type Shape =
  | AnyShape
  | ReferenceShape
  | ScalarShape
  | EnumShape
  | ListShape
  | MapShape
  | ObjectShape
  | TaggedShape
  | ChoiceShape
  | NullableShape;

/** Shapes by definition name. */
export type Shapes = Readonly<Record<string, Shape>>;
