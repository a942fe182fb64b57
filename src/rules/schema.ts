/**
 * Every message against the definition of its method. What a later or an unstable schema knows is told once for each
 * name and connection. State: the names told.
 */
import type { Judge, RequirementId } from '../catalogue/index.ts';
import type { SchemaFault } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import { faultShowing } from './evidence.ts';
import { createKnownNames } from './known-names.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const schema = defineFrameRule({
  name: 'schema',
  on: ['faulty'],
  requirements: {
    'SCH-01': 'a result of the agent to a request with a method of ACP',
    'SCH-02': 'a request or notification of the agent with a method of ACP',
    'SCH-03': 'a request, notification or result of the client with a method of ACP',
    'EXT-03': 'a frame of the party with params or a result',
    'EXT-05': 'a request or notification of the party',
    'RPC-20': 'a frame of the party with params or a result',
    'INIT-21': 'a member of no schema in the capabilities of an initialize payload of the party',
  },

  counts: ({ subject }) => ({
    ...(subject === 'agent'
      ? { 'SCH-01': ['acp-result'], 'SCH-02': ['acp-call'] }
      : { 'SCH-03': ['acp-call', 'acp-result'] }),
    'EXT-03': ['params', 'result'],
    'EXT-05': ['call'],
    'RPC-20': ['params', 'result'],
  }),

  init: ({ subject }) => ({ subject, told: createKnownNames() }),

  step(state, seen, judge) {
    const { message } = seen;
    if (message === undefined || seen.from !== state.subject) return;
    for (const fault of seen.faults) {
      // The envelope's own faults are RPC-03 and RPC-16.
      if (message.type === 'error' && fault.kind !== 'unknown-member') continue;
      judgeFault(seen, fault, state, judge);
    }
  },
});

interface State {
  readonly subject: Party;
  readonly told: ReturnType<typeof createKnownNames>;
}

const judgeFault = (seen: SeenFrame, fault: SchemaFault, { subject, told }: State, judge: Judge): void => {
  if (told.isOld(fault)) return;
  const evidence = faultShowing(seen, fault);
  for (const requirement of broken(fault, seen, subject)) judge.violated(requirement, evidence);
  if (fault.kind === 'unknown-member' && !fault.known && isInCapabilities(fault)) {
    judge.violated('INIT-21', evidence);
  }
  if (isWrongCase(fault)) judge.violated('RPC-20', evidence);
};

const broken = (fault: SchemaFault, seen: SeenFrame, subject: Party): readonly RequirementId[] => {
  switch (fault.kind) {
    case 'text':
      return [];
    case 'unknown-member':
      return ['EXT-03'];
    case 'unknown-method':
      return fault.known || fault.check === 'wrong-direction' ? [schemaOf(seen, subject)] : ['EXT-05'];
    default:
      return isUnknownAuthType(fault) ? [] : [schemaOf(seen, subject)];
  }
};

/** Left to INIT-23, which has a verdict of its own for it. */
const isUnknownAuthType = ({ kind, definition, known }: SchemaFault): boolean =>
  kind === 'unknown-value' && definition === 'AuthMethod' && known === undefined;

const schemaOf = ({ message }: SeenFrame, subject: Party): RequirementId => {
  if (subject === 'client') return 'SCH-03';
  return message?.type === 'result' ? 'SCH-01' : 'SCH-02';
};

const isInCapabilities = ({ pointer }: SchemaFault): boolean =>
  /^\/(result\/agentCapabilities|params\/clientCapabilities)\//.test(pointer);

/** `session_id` for a member, `agentMessageChunk` for a tag: the name is right but for its case. */
const isWrongCase = ({ kind, known, pointer, actual, expected }: SchemaFault): boolean => {
  if (known) return false;
  if (kind === 'unknown-member') return /[a-z0-9]_[a-z0-9]/.test(pointer.slice(pointer.lastIndexOf('/')));
  if (kind !== 'unknown-value' || typeof actual !== 'string') return false;
  const snake = actual.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return snake !== actual && expected.includes(`"${snake}"`);
};
