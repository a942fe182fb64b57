/**
 * Who agreed to version 1 does not go on in the words of another. Most of what another version changes shows as a fault
 * of the schema (SCH-01 to SCH-03) and leaves open whether a mistake or the version is the cause; names that only
 * version 2 has leave nothing open. State: none.
 */
import type { Party } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

/** Kinds of session/update of the draft of version 2 that no version 1 has, stable or not. */
export const kindsOfVersion2: ReadonlySet<string> = new Set([
  'user_message',
  'agent_message',
  'agent_thought',
  'state_update',
  'tool_call_content_chunk',
  'terminal_update',
  'terminal_output_chunk',
]);

/** The same of methods. */
export const methodsOfVersion2: ReadonlySet<string> = new Set([
  'auth/login',
  'auth/logout',
  'tool_call/cancel',
  'terminal/cancel',
]);

export const agreedVersion = defineFrameRule({
  name: 'agreed-version',
  on: [...[...kindsOfVersion2].map(kind => `update:${kind}`), ...methodsOfVersion2],
  requirements: { 'INIT-10': 'a frame of the party after the initialize response' },

  counts: () => ({ 'INIT-10': ['agreed'] }),

  init: ({ subject }): { readonly subject: Party } => ({ subject }),

  step({ subject }, seen, judge) {
    const { from, facts, message } = seen;
    if (message === undefined || from !== subject || facts.initializeResult === undefined) return;
    const pointer = placeOfForeignName(seen);
    if (pointer === undefined) return;
    judge.violated(
      'INIT-10',
      showing(seen, {
        detail: `${pointer} is a name of protocol version 2, and version 1 was agreed`,
        pointer,
        expected: 'the names of protocol version 1',
      }),
    );
  },
});

const placeOfForeignName = ({ answer, method, kind }: SeenFrame): string | undefined => {
  if (answer !== undefined) return undefined;
  if (kind !== undefined && kindsOfVersion2.has(kind)) return '/params/update/sessionUpdate';
  return method !== undefined && methodsOfVersion2.has(method) ? '/method' : undefined;
};
