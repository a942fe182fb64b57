/** Received items that nobody has taken yet, in order of arrival. */
import type { Received } from './received.ts';

type State =
  /** Waits for a step to take it. */
  | 'open'
  /** Went to a handler or to the actor: still seen by waits that had begun, taken by none. */
  | 'passed-on'
  | 'taken';

interface Slot {
  readonly item: Received;
  state: State;
}

/** A reader that sees each item once. */
export interface Scan {
  /** The next unseen item that can be taken, or that came since the scan began. */
  next(): Received | undefined;
}

export interface Mailbox {
  add(item: Received): void;
  /** @param from `oldest` begins with what lies there; `now` sees only what comes. */
  scan(from: 'oldest' | 'now', sees: (item: Received) => boolean): Scan;
  isOpen(item: Received): boolean;
  take(item: Received): void;
  passOn(item: Received): void;
  /** Forgets open items that no step can want, and passed-on ones that every scan has seen. */
  sweep(isWanted: (item: Received) => boolean): void;
  clear(): void;
  /** The latest items, taken or not, for explanations. */
  recent(): readonly Received[];
}

const recentLength = 64;

export const createMailbox = (): Mailbox => {
  let slots: Slot[] = [];
  let recent: Received[] = [];
  let latest = -1;
  /** Slots before this index were kept by an earlier sweep; `thinned` says that one of them has left since. */
  let swept = 0;
  let thinned = false;

  const setState = (item: Received, state: State) => {
    const index = indexAfter(slots, item.order - 1);
    const slot = slots[index];
    if (slot?.item !== item) return;
    slot.state = state;
    if (index < swept) thinned = true;
  };

  return {
    add(item) {
      slots.push({ item, state: 'open' });
      latest = item.order;
      recent.push(item);
      if (recent.length > 2 * recentLength) recent = recent.slice(-recentLength);
    },
    scan(from, sees) {
      const began = latest;
      let seen = from === 'now' ? latest : -1;
      return {
        next() {
          for (let index = indexAfter(slots, seen); index < slots.length; index += 1) {
            const { item, state } = slots[index]!;
            seen = item.order;
            if (state !== 'taken' && (state === 'open' || item.order > began) && sees(item)) return item;
          }
          return undefined;
        },
      };
    },
    isOpen(item) {
      const slot = slots[indexAfter(slots, item.order - 1)];
      return slot?.item === item && slot.state === 'open';
    },
    take: item => setState(item, 'taken'),
    passOn: item => setState(item, 'passed-on'),
    sweep(isWanted) {
      const fresh = slots.slice(swept).filter(({ item, state }) => state === 'open' && isWanted(item));
      slots.length = swept;
      slots.push(...fresh);
      if (thinned) slots = slots.filter(({ state }) => state === 'open');
      thinned = false;
      swept = slots.length;
    },
    clear() {
      slots = [];
      swept = 0;
      thinned = false;
    },
    recent: () => recent.slice(-recentLength),
  };
};

/** Index of the first slot whose order is greater. */
const indexAfter = (slots: readonly Slot[], order: number): number => {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.item.order <= order) low = middle + 1;
    else high = middle;
  }
  return low;
};
