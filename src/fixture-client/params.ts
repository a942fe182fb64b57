/** Reads params and refuses, with -32602, those that do not fit. Optional members may be absent or null. */
import { errorCode, type Json, type JsonObject, ResponseError } from '../wire/index.ts';

export const text = (params: JsonObject, name: string): string => {
  const value = params[name];
  return typeof value === 'string' ? value : unfit(name, 'a string');
};

export const optionalText = (params: JsonObject, name: string): string | undefined =>
  isAbsent(params[name]) ? undefined : text(params, name);

/** A whole number from 0 on. */
export const optionalCount = (params: JsonObject, name: string): number | undefined => {
  const value = params[name];
  if (isAbsent(value)) return undefined;
  return Number.isInteger(value) && (value as number) >= 0
    ? (value as number)
    : unfit(name, 'a whole number from 0 on');
};

/** A list whose items `read` reads; absent is empty. */
export const optionalList = <T>(params: JsonObject, name: string, read: (item: Json) => T): T[] => {
  const value = params[name];
  if (isAbsent(value)) return [];
  return Array.isArray(value) ? value.map(read) : unfit(name, 'an array');
};

export const unfit = (name: string, expected: string): never => {
  throw new ResponseError(errorCode.invalidParams, `${name} must be ${expected}`);
};

const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;
