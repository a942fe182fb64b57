/** Words for a wait that failed: what would have been accepted, and what came closest to it. */
import type { Json } from '../wire/index.ts';
import {
  alternativesOf,
  answersAs,
  compare,
  type Difference,
  frameMembers,
  type MatchContext,
} from './match.ts';
import { asValue, type Received } from './received.ts';
import type { EventPattern, Match } from './script.ts';

export interface NearestMiss {
  readonly item: Received;
  /** The first member that differs, from the root of the frame. */
  readonly differs: Difference;
}

/** The received item that meets most members of a pattern without matching; of equals the latest. */
export const nearestMiss = (
  match: Match,
  items: Iterable<Received>,
  context: MatchContext,
): NearestMiss | undefined => {
  let best: (NearestMiss & { met: number }) | undefined;
  for (const item of items) {
    for (const pattern of alternativesOf(match)) {
      const miss = compareEvent(pattern, item, context);
      if (miss && miss.met > 0 && miss.met >= (best?.met ?? 0)) best = { item, ...miss };
    }
  }
  return best;
};

/** A pattern as one line of JSON. */
export const describe = (match: Match): string => cut(JSON.stringify(match));

/** `closest was #44 {…}: /result/stopReason is "end_turn", expected "cancelled"` */
export const describeMiss = ({ item, differs }: NearestMiss): string => {
  const place = item.seq === undefined ? '' : `#${item.seq} `;
  const actual = differs.actual === undefined ? 'missing' : cut(JSON.stringify(differs.actual), 200);
  const expected = cut(JSON.stringify(differs.expected), 200);
  return cut(
    `closest was ${place}${cut(JSON.stringify(asValue(item)), 1400)}: ${differs.pointer} is ${actual}, expected ${expected}`,
  );
};

/** Reports show at most 2 kB of a frame. */
export const cut = (text: string, length = 2048): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** A value for a report: itself, or its text where that would be too long. */
export const cutValue = (value: Json): Json => {
  const text = JSON.stringify(value);
  return text.length <= 2048 ? value : cut(text);
};

/** A wrong response of the right request, or a frame that carries the right method, is near; other events are not. */
const compareEvent = (
  pattern: EventPattern,
  item: Received,
  context: MatchContext,
): { met: number; differs: Difference } | undefined => {
  if (pattern.event !== undefined) {
    if (pattern.event !== item.kind) return undefined;
    const { event, nth, ...members } = pattern;
    const { differs } = compare(members as Json, asValue(item), context.fits);
    return differs && { met: 1, differs };
  }
  if (item.kind !== 'frame' || !answersAs(pattern, item, context)) return undefined;
  let met = pattern.response === undefined && pattern.responseTo === undefined ? 0 : 2;
  let differs: Difference | undefined;
  for (const name of frameMembers) {
    if (pattern[name] === undefined) continue;
    const below = compare(pattern[name], item.frame[name], context.fits, `/${name}`);
    met += below.met;
    differs ??= below.differs;
    if (name === 'method' && below.differs) return undefined;
  }
  return differs && { met, differs };
};
