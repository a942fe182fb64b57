/** What each turn does, by name, and which of them a prompt asks for. */
import { didYouMean } from '../base/index.ts';
import { runCommand } from './commands.ts';
import type { StopReason, Turn, TurnScript } from './turn.ts';
import { isTriggerName, type TriggerName, triggerNames } from './turn-names.ts';
import { changeConfig, changeMode } from './turns/change-settings.ts';
import { compact } from './turns/compaction.ts';
import { elicit } from './turns/elicitation.ts';
import { editFile, readAFile, readAndWrite, writeAFile } from './turns/files.ts';
import { giveNotice } from './turns/notice.ts';
import { askPermission } from './turns/permission.ts';
import { makePlan } from './turns/plan.ts';
import { failModel, hitTokenLimit, ordinary, refuse, runUntilCancelled } from './turns/talk.ts';
import { runInTerminal } from './turns/terminal.ts';
import { failTool, hitTurnLimit, useATool } from './turns/tools.ts';

const scripts: Readonly<Record<TriggerName, TurnScript>> = {
  'agent-request': askPermission,
  compaction: compact,
  'config-change': changeConfig,
  diff: editFile,
  elicitation: elicit,
  fs: readAndWrite,
  'fs-read': readAFile,
  'fs-write': writeAFile,
  'max-tokens': hitTokenLimit,
  'mode-change': changeMode,
  'model-error': failModel,
  notice: giveNotice,
  permission: askPermission,
  plan: makePlan,
  refusal: refuse,
  'slow-turn': runUntilCancelled,
  terminal: runInTerminal,
  'tool-call': useATool,
  'tool-failure': failTool,
  'turn-limit': hitTurnLimit,
};

/** A command, a directive such as `do: fs-read notes.txt`, or what the behaviour has in store for other prompts. */
export const playTurn = async (turn: Turn, prompt: string): Promise<StopReason> => {
  if (await runCommand(turn, prompt)) return 'end_turn';
  const [, name, argument = ''] = /^do: (\S+)[ \t]*(.*)$/m.exec(prompt) ?? [];
  if (name === undefined) {
    const usual = turn.agent.behaviour.turn;
    return usual === 'ordinary' ? ordinary(turn, prompt) : scripts[usual](turn, '');
  }
  if (isTriggerName(name)) return scripts[name](turn, argument);
  await turn.say(`I cannot do "${name}"${didYouMean(name, triggerNames)}`);
  return 'end_turn';
};
