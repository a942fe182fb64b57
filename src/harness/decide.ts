/** Whether what the agent asks for is allowed: by the policy, then by the handler. */
import type { Json } from '../wire/index.ts';
import type { InteractionPolicy, InteractionRequest } from './options.ts';

export interface Decision {
  readonly allowed: boolean;
  readonly reason: 'policy' | 'handler' | 'handler_error' | 'turn_cancelled';
  /** What the handler gave; `undefined` where none was asked. */
  readonly answer?: Json;
}

/** @param cancelled once aborted, everything is denied, also what the handler still thinks about */
export const decide = async (
  policy: InteractionPolicy = 'deny',
  request: InteractionRequest,
  cancelled: AbortSignal,
): Promise<Decision> => {
  if (policy === 'deny' || policy === 'allow') return { allowed: policy === 'allow', reason: 'policy' };
  if (cancelled.aborted) return denied('turn_cancelled');
  return Promise.race([asked(policy.handler, request), untilCancelled(cancelled)]);
};

const asked = async (
  handler: Exclude<InteractionPolicy, string>['handler'],
  request: InteractionRequest,
): Promise<Decision> => {
  try {
    const answer = await handler(request);
    return answer === false
      ? denied('handler')
      : { allowed: true, reason: 'handler', answer: answer ?? null };
  } catch {
    return denied('handler_error');
  }
};

const untilCancelled = (cancelled: AbortSignal): Promise<Decision> =>
  new Promise(resolve =>
    cancelled.addEventListener('abort', () => resolve(denied('turn_cancelled')), { once: true }),
  );

const denied = (reason: Decision['reason']): Decision => ({ allowed: false, reason });
