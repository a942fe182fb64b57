/** When a turn is to be cancelled. */
export interface Turns {
  began(sessionId: string, cancelAfter: number | 'permission' | undefined): void;
  ended(sessionId: string): void;
  /** An update of the session came. */
  updated(sessionId: string): void;
  /** The agent asks for permission in the session. */
  asked(sessionId: string): void;
}

/** @param cancel sends session/cancel; called at most once a turn */
export const createTurns = (cancel: (sessionId: string) => void): Turns => {
  /** Running turns that are to be cancelled: the updates that are still to come first, or what is waited for. */
  const waiting = new Map<string, number | 'permission'>();

  const cancelNow = (sessionId: string): void => {
    waiting.delete(sessionId);
    cancel(sessionId);
  };

  return {
    began(sessionId, cancelAfter) {
      if (cancelAfter === undefined) return;
      waiting.set(sessionId, cancelAfter);
      if (cancelAfter === 0) cancelNow(sessionId);
    },
    ended(sessionId) {
      waiting.delete(sessionId);
    },
    updated(sessionId) {
      const left = waiting.get(sessionId);
      if (typeof left !== 'number') return;
      if (left === 1) cancelNow(sessionId);
      else waiting.set(sessionId, left - 1);
    },
    asked(sessionId) {
      if (waiting.get(sessionId) === 'permission') cancelNow(sessionId);
    },
  };
};
