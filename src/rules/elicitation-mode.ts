/**
 * What a client answers to an elicitation in a mode that it did not advertise. Where it advertised none at all it need
 * not know the method, so both codes will do. State: none.
 */

import { advertises } from '../catalogue/index.ts';
import { errorCode } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { capabilityFor } from './gated-methods.ts';
import { defineFrameRule } from './rule.ts';

export const elicitationMode = defineFrameRule({
  name: 'elicitation-mode',
  party: 'client',
  on: ['elicitation/create'],
  requirements: { 'ELIC-11': 'the answer to an elicitation in a mode that the client did not advertise' },

  init: () => ({}),

  step(_, seen, judge) {
    const { message, request, facts } = seen;
    if (seen.answer !== 'first' || !request || facts.initializeParams === undefined) return;
    const capability = capabilityFor(request.method, request.params);
    if (capability === undefined || advertises(facts, capability)) return;
    judge.exercised('ELIC-11');
    const code = message?.type === 'error' ? message.error.code : undefined;
    const knowsElicitation = modes.some(mode => advertises(facts, mode));
    const accepted = knowsElicitation
      ? [errorCode.invalidParams]
      : [errorCode.invalidParams, errorCode.methodNotFound];
    if (accepted.some(each => each === code)) return;
    judge.violated(
      'ELIC-11',
      showing(seen, {
        detail: `An elicitation that needs ${capability}, which was not advertised, is not refused as such`,
        after: request.seq,
        pointer: message?.type === 'error' ? '/error/code' : '/result',
        expected: accepted.join(' or '),
        ...(code !== undefined && { actual: code }),
      }),
    );
  },
});

const modes = ['clientCapabilities.elicitation.form', 'clientCapabilities.elicitation.url'];
