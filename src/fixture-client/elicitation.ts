import { errorCode, isObject, type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import { text } from './params.ts';

/** There is nobody to ask: a mode that was advertised is declined, any other refused. Source: ACP v1, Elicitation. */
export const declineElicitation = (params: JsonObject, advertised: Json | undefined): Json => {
  const mode = text(params, 'mode');
  const isKnown = mode === 'form' || mode === 'url';
  if (!isKnown || !isObject(advertised) || !isObject(advertised[mode])) {
    throw new ResponseError(errorCode.invalidParams, `elicitation mode ${mode} is not supported`);
  }
  return { action: 'decline' };
};
