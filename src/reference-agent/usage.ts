import { type Session, tell } from './session.ts';
import type { Agent } from './state.ts';

const contextSize = 100_000;
const centsPerTurn = 1;

/** Tokens are guessed from the length of the conversation, and money from the number of turns. */
export const announceUsage = (agent: Agent, session: Session): void => {
  if (!agent.behaviour.usage) return;
  const { history, turnCount } = session.record;
  const tokens = Math.ceil(JSON.stringify(history).length / 4);
  tell(agent, session, {
    sessionUpdate: 'usage_update',
    used: Math.min(tokens, contextSize),
    size: contextSize,
    cost: { amount: (turnCount * centsPerTurn) / 100, currency: 'USD' },
  });
};
