import type { Port, PortEvent } from './port.ts';

/**
 * Where a Port puts its events: kept until the first listener comes, and while it is paused, else handed to the newest
 * listener at once.
 */
export interface EventQueue extends Required<Pick<Port, 'listen' | 'pauseReading' | 'resumeReading'>> {
  emit(event: PortEvent): void;
}

export const createEventQueue = (): EventQueue => {
  let kept: PortEvent[] = [];
  let listener: ((event: PortEvent) => void) | undefined;
  let isPaused = false;

  const handOn = (): void => {
    while (listener && !isPaused && kept.length > 0) {
      const events = kept;
      kept = [];
      for (const event of events) emit(event);
    }
  };
  const emit = (event: PortEvent): void => {
    if (listener === undefined || isPaused) kept.push(event);
    else listener(event);
  };

  return {
    emit,
    listen(newest) {
      listener = newest;
      handOn();
    },
    pauseReading() {
      isPaused = true;
    },
    resumeReading() {
      isPaused = false;
      handOn();
    },
  };
};
