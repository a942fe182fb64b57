/** How clients answer what they do not offer, and what was called off. */
import {
  agent,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  selected,
} from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

const callsOff = agent({ method: '$/cancel_request', params: { requestId: 'p1' } });
const withUrls = [...initialize({ client: { elicitation: { url: {} } } }), ...newSession()];
const asksForm = agent({
  id: 'e',
  method: 'elicitation/create',
  params: {
    sessionId: 's-1',
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: {} },
  },
});

export const clientRefusalCases: readonly RuleCase[] = [
  {
    requirement: 'RCANCEL-06',
    rule: 'permission',
    subject: 'client',
    kept: [
      ...ready,
      prompt(),
      permission(),
      callsOff,
      client({ id: 'p1', error: { code: -32800, message: 'x' } }),
    ],
    broken: [
      ...ready,
      prompt(),
      permission(),
      callsOff,
      client({ id: 'p1', error: { code: -32603, message: 'x' } }),
    ],
    verdict: 'warn',
    exercised: 1,
  },
  {
    requirement: 'RCANCEL-06',
    rule: 'permission',
    subject: 'client',
    about: 'a choice that may have crossed it',
    kept: [...ready, prompt(), permission(), callsOff, selected()],
    exercised: 0,
  },
  {
    requirement: 'ELIC-11',
    rule: 'elicitation-mode',
    subject: 'client',
    kept: [...withUrls, asksForm, client({ id: 'e', error: { code: -32602, message: 'No forms' } })],
    broken: [...withUrls, asksForm, client({ id: 'e', error: { code: -32601, message: 'No forms' } })],
    pointer: '/error/code',
  },
  {
    requirement: 'ELIC-11',
    rule: 'elicitation-mode',
    subject: 'client',
    about: 'a client without any elicitation',
    kept: [...ready, asksForm, client({ id: 'e', error: { code: -32601, message: 'No such method' } })],
    broken: [...ready, asksForm, client({ id: 'e', result: { action: 'cancel' } })],
    pointer: '/result',
  },
];
