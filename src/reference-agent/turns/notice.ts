import type { TurnScript } from '../turn.ts';

/** A notice where the client shows notices, else a plain message. */
export const giveNotice: TurnScript = async turn => {
  const title = 'The reference agent has something to announce';
  if (turn.agent.capabilities.notices) {
    turn.tell({ sessionUpdate: 'notice', severity: 'info', title, description: 'It is only an example.' });
  }
  await turn.say(`${title}.`);
  return 'end_turn';
};
