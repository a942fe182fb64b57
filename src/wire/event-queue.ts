import type { Port, PortEvent } from './port.ts';

/** Where a Port puts its events: kept until the first listener comes, then handed to the newest one at once. */
export const createEventQueue = (): { emit(event: PortEvent): void; listen: Port['listen'] } => {
  let kept: PortEvent[] = [];
  let listener: ((event: PortEvent) => void) | undefined;

  return {
    emit(event) {
      if (listener === undefined) kept.push(event);
      else listener(event);
    },
    listen(newest) {
      listener = newest;
      const events = kept;
      kept = [];
      for (const event of events) listener(event);
    },
  };
};
