/** Frames of a session, held against the patterns of a case. */
import type { FrameRecord } from '../harness/index.ts';
import { matches, type SchemaTest } from '../script/index.ts';
import { idKey, isObject, type Json, type JsonObject, type RequestId } from '../wire/index.ts';
import type { FramePattern } from './case.ts';

/** Takes frames one after the other and says of each whether it is the one that the pattern means. */
export const createFrameMatcher = (
  pattern: FramePattern,
  fits: SchemaTest,
): ((frame: FrameRecord) => boolean) => {
  const [side, shape] =
    'sent' in pattern ? (['outbound', pattern.sent] as const) : (['inbound', pattern.received] as const);
  const { responseTo, ...members } = typeof shape === 'string' ? { method: shape } : shape;
  const asked = new Map<string, Json | undefined>();
  let count = 0;
  return ({ direction, payload }) => {
    const { id, method } = isObject(payload) ? payload : {};
    const key = (of: string) => `${of} ${idKey((id ?? null) as RequestId)}`;
    if (id !== undefined && method !== undefined) asked.set(key(direction), method);
    if (direction !== side) return false;
    const answered = method === undefined ? asked.get(key(other[direction])) : undefined;
    if (responseTo !== undefined && answered !== responseTo) return false;
    if (!matches(members as JsonObject, payload, fits)) return false;
    count += 1;
    return pattern.nth === undefined || pattern.nth === count;
  };
};

/** The first of the patterns that has no frame after that of the one before it. */
export const firstMissing = (
  patterns: readonly FramePattern[],
  frames: readonly FrameRecord[],
  fits: SchemaTest,
): FramePattern | undefined => {
  let from = 0;
  for (const pattern of patterns) {
    // A response is known by a request that came before, so each matcher sees all frames.
    const isMatch = createFrameMatcher(pattern, fits);
    const found = frames.map(isMatch).findIndex((isOne, index) => isOne && index >= from);
    if (found === -1) return pattern;
    from = found + 1;
  }
  return undefined;
};

const other = { inbound: 'outbound', outbound: 'inbound' } as const;
