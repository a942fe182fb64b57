/** What a party advertises, and what every agent must have, is served: never answered with -32601. State: none. */
import { advertises, type RequirementId } from '../catalogue/index.ts';
import type { Party } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { capabilityFor } from './gated-methods.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

const methodNotFound = -32601;

/** Methods that every agent serves. */
const baseline: ReadonlySet<string> = new Set(['session/new', 'session/prompt']);

export const servedMethods = defineFrameRule({
  name: 'served-methods',
  on: ['result', 'error'],
  requirements: {
    'CAP-02': 'the answer of the agent to a request for an optional method that it advertises',
    'CAP-03': 'the answer of the client to a request for an optional method that it advertises',
    'INIT-16': 'the answer of the agent to session/new or session/prompt after initialize',
  },

  init: ({ subject }) => ({ subject }),

  step({ subject }, seen, judge) {
    if (seen.answer !== 'first' || seen.from !== subject || seen.method === undefined) return;
    const requirement = requirementFor(seen, subject);
    if (!requirement) return;
    judge.exercised(requirement);
    const { message, method, request } = seen;
    if (message?.type !== 'error' || message.error.code !== methodNotFound) return;
    judge.violated(
      requirement,
      showing(seen, {
        detail: `${method} is answered as a method that does not exist`,
        after: request!.seq,
        pointer: '/error/code',
        actual: methodNotFound,
      }),
    );
  },
});

const requirementFor = (
  { method = '', request, facts }: SeenFrame,
  subject: Party,
): RequirementId | undefined => {
  if (!facts.initializeResult) return undefined;
  if (subject === 'agent' && baseline.has(method)) return 'INIT-16';
  const capability = capabilityFor(method, request?.params);
  if (capability === undefined || !advertises(facts, capability)) return undefined;
  return subject === 'agent' ? 'CAP-02' : 'CAP-03';
};
