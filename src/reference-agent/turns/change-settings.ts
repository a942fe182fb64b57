/** Turns in which the agent itself changes what the user can set. Without the setting, it says so. */
import * as settings from '../settings.ts';
import type { TurnScript } from '../turn.ts';

export const changeMode: TurnScript = async turn => {
  const { agent, session } = turn;
  if (!agent.behaviour.modes) {
    await turn.say('I have no modes.');
    return 'end_turn';
  }
  settings.changeMode(agent, session, session.record.modeId === 'ask' ? 'code' : 'ask');
  await turn.say('I changed my mode.');
  return 'end_turn';
};

export const changeConfig: TurnScript = async turn => {
  const { agent, session } = turn;
  if (!agent.behaviour.configOptions) {
    await turn.say('I have no options.');
    return 'end_turn';
  }
  const { model } = session.record.options;
  settings.changeOption(agent, session, 'model', model === 'small' ? 'large' : 'small');
  await turn.say('I changed my model.');
  return 'end_turn';
};
