import type { JsonObject } from './json.ts';

/** One frame as it goes on the wire: compact JSON, UTF-8, one LF. Members that are `undefined` are left out. */
export const encodeFrame = (value: JsonObject): Uint8Array =>
  Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
