/** An optional method that the agent does not advertise is refused. State: none. */
import { advertises, type RequirementId } from '../catalogue/index.ts';
import { showing } from './evidence.ts';
import { capabilityFor } from './gated-methods.ts';
import { defineFrameRule } from './rule.ts';

/** Each optional method of an agent has a requirement of its own, beside the one about all of them. */
const own: ReadonlyMap<string, RequirementId> = new Map([
  ['session/load', 'LOAD-06'],
  ['session/resume', 'RESUME-05'],
  ['session/close', 'CLOSE-05'],
  ['session/list', 'LIST-12'],
  ['session/delete', 'DEL-05'],
  ['logout', 'AUTH-09'],
]);

export const unadvertisedMethods = defineFrameRule({
  name: 'unadvertised-methods',
  party: 'agent',
  on: [...own.keys()],
  requirements: {
    'CAP-01': 'the answer of the agent to a request for an optional method that it does not advertise',
    ...Object.fromEntries(
      [...own].map(([method, requirement]) => [
        requirement,
        `the answer to ${method} of an agent that does not advertise it`,
      ]),
    ),
  },

  init: () => undefined,

  step(_state, seen, judge) {
    const { answer, method = '', message, request, facts } = seen;
    if (answer !== 'first' || facts.initializeResult === undefined) return;
    const capability = capabilityFor(method, request?.params);
    if (capability === undefined || advertises(facts, capability)) return;
    for (const requirement of ['CAP-01', own.get(method)!]) {
      judge.exercised(requirement);
      if (message?.type === 'error') continue;
      judge.violated(
        requirement,
        showing(seen, {
          detail: `${method} is served although it is not advertised`,
          after: request!.seq,
          expected: 'an error, best -32601',
          hint: `Clients use ${method} only where ${capability} is advertised: advertise what works.`,
        }),
      );
    }
  },
});
