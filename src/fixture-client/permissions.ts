/** Answers permission requests by the kind of their options, never by position or id. Source: ACP v1, Tool calls. */
import { errorCode, isObject, type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import { text, unfit } from './params.ts';

/** `hold` leaves the request open until its turn or the request itself is cancelled. */
export type PermissionPolicy = 'allow' | 'reject' | 'cancel' | 'hold';

const preferred = {
  allow: ['allow_once', 'allow_always'],
  reject: ['reject_once', 'reject_always'],
} as const;

const cancelled: Json = { outcome: { outcome: 'cancelled' } };

export interface Permissions {
  answer(params: JsonObject, signal: AbortSignal): Json | Promise<Json>;
  turnBegan(sessionId: string): void;
  /** Answers what is open, and all that still comes in this turn, as cancelled. */
  turnCancelled(sessionId: string): void;
  dispose(): void;
}

export const createPermissions = (policy: PermissionPolicy = 'reject'): Permissions => {
  const cancelledTurns = new Set<string>();
  const held = new Set<{ readonly sessionId: string; release(): void }>();

  return {
    answer(params, signal) {
      const sessionId = text(params, 'sessionId');
      const options = Array.isArray(params.options) ? params.options : unfit('options', 'an array');
      if (!isObject(params.toolCall)) unfit('toolCall', 'an object');
      if (policy === 'cancel' || cancelledTurns.has(sessionId)) return cancelled;
      return policy === 'hold' ? hold(sessionId, signal) : select(options, preferred[policy]);
    },
    turnBegan(sessionId) {
      cancelledTurns.delete(sessionId);
    },
    turnCancelled(sessionId) {
      cancelledTurns.add(sessionId);
      for (const request of held) if (request.sessionId === sessionId) request.release();
    },
    dispose() {
      for (const request of held) request.release();
    },
  };

  function hold(sessionId: string, signal: AbortSignal): Promise<Json> {
    return new Promise((resolve, reject) => {
      const request = { sessionId, release: () => settle(() => resolve(cancelled)) };
      const settle = (answer: () => void): void => {
        held.delete(request);
        answer();
      };
      held.add(request);
      const refuse = (): void =>
        settle(() => reject(new ResponseError(errorCode.requestCancelled, 'the request was cancelled')));
      signal.addEventListener('abort', refuse, { once: true });
    });
  }
};

/** The first option of the most preferred kind; without one nothing was chosen. */
const select = (options: readonly Json[], kinds: readonly string[]): Json => {
  for (const kind of kinds) {
    for (const option of options) {
      if (isObject(option) && option.kind === kind && typeof option.optionId === 'string') {
        return { outcome: { outcome: 'selected', optionId: option.optionId } };
      }
    }
  }
  return cancelled;
};
