/**
 * Reading what the client sent. Of params, each reader returns the value or throws -32602 with the name of the member;
 * results are read leniently, since nobody can be told of a bad one.
 */
import { isAbsolute } from 'node:path';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { invalidParams } from './errors.ts';

export type Params = JsonObject;

/** Params are an object by name; absent and `null` stand for an empty one. */
export const readParams = (params: Json | undefined): Params => {
  if (params === undefined || params === null) return {};
  if (isObject(params)) return params;
  throw invalidParams('params must be an object');
};

export const text = (params: Params, name: string): string => {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw invalidParams(`${name} must be a string`);
};

/** As `text`; `undefined` when the member is absent or null. */
export const optionalText = (params: Params, name: string): string | undefined =>
  isMissing(params[name]) ? undefined : text(params, name);

export const absolutePath = (params: Params, name: string): string => {
  const path = text(params, name);
  if (isAbsolute(path)) return path;
  throw invalidParams(`${name} must be an absolute path`, { [name]: path });
};

export const list = (params: Params, name: string): readonly Json[] => {
  const value = params[name];
  if (Array.isArray(value)) return value;
  throw invalidParams(`${name} must be a list`);
};

/** Refuses a request that leaves the member out, even where `null` would do. */
export const present = (params: Params, name: string): void => {
  if (params[name] === undefined) throw invalidParams(`${name} is missing`);
};

/** As `list`; empty when the member is absent or null. */
export const optionalList = (params: Params, name: string): readonly Json[] =>
  isMissing(params[name]) ? [] : list(params, name);

/** Extra roots of a session. A malformed one is refused, never dropped. */
export const additionalDirectories = (params: Params): readonly string[] =>
  optionalList(params, 'additionalDirectories').map(path => {
    if (typeof path === 'string' && isAbsolute(path)) return path;
    throw invalidParams('additionalDirectories must hold absolute paths', { path });
  });

/** A member of a result, where the result may be anything. */
export const member = (result: Json, name: string): Json | undefined =>
  isObject(result) ? result[name] : undefined;

const isMissing = (value: Json | undefined): boolean => value === undefined || value === null;
