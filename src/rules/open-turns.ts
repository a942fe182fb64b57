/** Which prompts are open in which session. State: the open prompts. */
import type { OpenRequest } from './seen.ts';

export interface OpenTurns {
  /** Oldest first; a shared empty list where the session is idle. */
  in(sessionId: string): readonly OpenRequest[];
  begin(prompt: OpenRequest): void;
  end(prompt: OpenRequest): void;
}

export const createOpenTurns = (): OpenTurns => {
  const turns = new Map<string, readonly OpenRequest[]>();

  return {
    in: sessionId => turns.get(sessionId) ?? none,
    begin(prompt) {
      const { sessionId } = prompt;
      if (sessionId !== undefined) turns.set(sessionId, [...(turns.get(sessionId) ?? none), prompt]);
    },
    end(prompt) {
      const { sessionId } = prompt;
      if (sessionId === undefined) return;
      const others = (turns.get(sessionId) ?? none).filter(other => other !== prompt);
      if (others.length > 0) turns.set(sessionId, others);
      else turns.delete(sessionId);
    },
  };
};

const none: readonly OpenRequest[] = Object.freeze([]);
