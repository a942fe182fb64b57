import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { member } from './params.ts';
import type { Turn } from './turn.ts';

const options = [
  { optionId: 'allow-once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Allow for this session', kind: 'allow_always' },
  { optionId: 'reject-once', name: 'Reject', kind: 'reject_once' },
  { optionId: 'reject-always', name: 'Reject for this session', kind: 'reject_always' },
];

/**
 * Asks the user whether a tool may run, unless an earlier answer stands. Only a clear yes is one: a cancelled outcome
 * is a no, and so is an answer that was not offered.
 * @throws ResponseError when the client answers with an error
 */
export const mayRun = async (turn: Turn, tool: string, toolCall: JsonObject): Promise<boolean> => {
  const { standing } = turn.session;
  const stands = standing.get(tool);
  if (stands !== undefined) return stands;

  const kind = chosenKind(await turn.ask('session/request_permission', { toolCall, options }));
  const isAllowed = kind === 'allow_once' || kind === 'allow_always';
  if (kind === 'allow_always' || kind === 'reject_always') standing.set(tool, isAllowed);
  return isAllowed;
};

const chosenKind = (result: Json): string | undefined => {
  const outcome = member(result, 'outcome');
  if (!isObject(outcome) || outcome.outcome !== 'selected') return undefined;
  return options.find(({ optionId }) => optionId === outcome.optionId)?.kind;
};
