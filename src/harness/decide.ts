/** Whether what the agent asks for is allowed: by the policy, then by the handler. */
import type { Json } from '../wire/index.ts';
import type { InteractionPolicy, InteractionRequest } from './options.ts';

export interface Decision {
  readonly allowed: boolean;
  readonly reason: 'policy' | 'handler' | 'handler_error' | 'cancelled' | 'nothing_to_give';
  /** What the handler gave; `undefined` where none was asked. */
  readonly answer?: Json;
}

/** @param cancels once one of them is aborted, everything is denied, also what the handler still thinks about */
export const decide = async (
  policy: InteractionPolicy = 'deny',
  request: InteractionRequest,
  cancels: readonly AbortSignal[],
): Promise<Decision> => {
  if (cancels.some(({ aborted }) => aborted)) return denied('cancelled');
  if (policy === 'deny' || policy === 'allow') return { allowed: policy === 'allow', reason: 'policy' };
  return Promise.race([asked(policy.handler, request), ...cancels.map(untilAborted)]);
};

const asked = async (
  handler: Exclude<InteractionPolicy, string>['handler'],
  request: InteractionRequest,
): Promise<Decision> => {
  try {
    const answer = await handler(request);
    // A handler that forgets to answer has not allowed anything.
    return answer === false || answer == null
      ? denied('handler')
      : { allowed: true, reason: 'handler', answer };
  } catch {
    return denied('handler_error');
  }
};

const untilAborted = (cancel: AbortSignal): Promise<Decision> =>
  new Promise(resolve =>
    cancel.addEventListener('abort', () => resolve(denied('cancelled')), { once: true }),
  );

export const denied = (reason: Decision['reason']): Decision => ({ allowed: false, reason });
