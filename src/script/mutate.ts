/** Edits frames of the actor on their way out, and so makes a mutant of it. */
import { pointerNames } from '../base/index.ts';
import type { Json, JsonObject } from '../wire/index.ts';
import { createMatcher, type MatchContext } from './match.ts';
import type { Received } from './received.ts';
import type { Match, Mutation, Script } from './script.ts';
import { fill, type Resolve } from './values.ts';

export interface Mutator {
  /** What goes out in place of a frame of the actor, in order. */
  sent(item: OutgoingItem): readonly Edited[];
  /** The counterparty sent this; told before the actor can answer it. */
  noticed(item: Received): void;
  /** What was held back until the counterparty sent this. */
  received(item: Received): readonly Edited[];
}

export interface Edited {
  readonly frame: JsonObject;
  /** A mutation changed, repeated or moved it. */
  readonly isEdited: boolean;
}

type OutgoingItem = Received & { readonly kind: 'frame' };

export interface MutatorOptions {
  readonly context: MatchContext;
  readonly resolve: Resolve;
}

export const createMutator = (
  mutations: Script['mutate'] = [],
  { context, resolve }: MutatorOptions,
): Mutator => {
  const matcherOf = (match: Match) => createMatcher(fill(match as Json, resolve) as Match, context);
  const prepared = mutations.map(mutation => ({
    mutation,
    isMeant: lazily(() => matcherOf(mutation.match)),
    opens: lazily(() => matcherOf(mutation.after ?? [])),
    isOpen: mutation.after === undefined,
  }));
  /** Frames that go out after the next frame that matches. */
  let waiting: { isDue: (item: Received) => boolean; frame: JsonObject }[] = [];

  const due = (item: Received): Edited[] => {
    const [now, later] = [waiting.filter(({ isDue }) => isDue(item)), [] as typeof waiting];
    for (const entry of waiting) if (!now.includes(entry)) later.push(entry);
    waiting = later;
    return now.map(({ frame }) => ({ frame, isEdited: true }));
  };
  const wait = (frame: JsonObject, match: Match) => waiting.push({ isDue: matcherOf(match), frame });

  return {
    noticed(item) {
      for (const entry of prepared) entry.isOpen ||= entry.opens(item);
    },
    received: due,
    sent(item) {
      let frame = item.frame;
      const applied = prepared
        .filter(({ isOpen, isMeant }) => isOpen && isMeant(item))
        .map(({ mutation }) => mutation);
      for (const mutation of applied) frame = edit(frame, mutation, resolve);
      const isEdited = applied.length > 0;
      const isDropped = applied.some(({ drop }) => drop);
      const delay = applied.find(mutation => mutation.delay)?.delay;
      // What waits for this frame follows it; its own copy waits for a later one.
      const followers = isDropped || delay ? [] : due({ ...item, frame });
      const copies: Edited[] = [];
      for (const { duplicate } of isDropped ? [] : applied) {
        if (duplicate === true) copies.push({ frame, isEdited });
        else if (duplicate) wait(frame, duplicate.after);
      }
      if (delay && !isDropped) wait(frame, delay.until);
      const itself = isDropped || delay ? [] : [{ frame, isEdited }];
      return [...itself, ...copies, ...followers];
    },
  };
};

/** Names in a match are filled in when the first frame goes out, since nothing has a value before. */
const lazily = (make: () => (item: Received) => boolean): ((item: Received) => boolean) => {
  let made: ((item: Received) => boolean) | undefined;
  return item => {
    made ??= make();
    return made(item);
  };
};

const edit = (frame: JsonObject, { set = {}, unset = [] }: Mutation, resolve: Resolve): JsonObject => {
  if (Object.keys(set).length === 0 && unset.length === 0) return frame;
  const copy = structuredClone(frame) as Json;
  const withFrame: Resolve = path => (path[0] === 'frame' ? memberAt(frame, path.slice(1)) : resolve(path));
  for (const [pointer, value] of Object.entries(set))
    setAt(copy, pointerNames(pointer), fill(value, withFrame));
  for (const pointer of unset) unsetAt(copy, pointerNames(pointer));
  return copy as JsonObject;
};

type Container = Record<string, Json>;

/** Objects that are missing on the way are made; `-` appends to a list. */
const setAt = (root: Json, names: readonly string[], value: Json): void => {
  const last = names.at(-1)!;
  let at = root as unknown as Container;
  for (const name of names.slice(0, -1)) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
    at = at[name] as unknown as Container;
  }
  if (Array.isArray(at) && last === '-') at.push(value);
  else at[last] = value;
};

const unsetAt = (root: Json, names: readonly string[]): void => {
  const parent = memberAt(root, names.slice(0, -1));
  const last = names.at(-1)!;
  if (Array.isArray(parent)) (parent as Json[]).splice(Number(last), 1);
  else if (typeof parent === 'object' && parent !== null) delete (parent as Container)[last];
};

const memberAt = (root: Json, names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as unknown as Container)[name] : undefined,
    root,
  );
