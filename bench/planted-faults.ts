/** Faults that the corpus holds once each, so that a pipeline that judges nothing cannot pass for a fast one. */
import type { JsonObject } from '../src/wire/json.ts';
import { sessionId } from './session.ts';

export interface PlantedFault {
  readonly what: string;
  /** Written from the text of the requirements. */
  readonly breaks: readonly string[];
  /** The lines in which it lies, without their line feeds. */
  readonly lines: readonly string[];
}

const line = (update: JsonObject, session = sessionId): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: session, update } });

const chunk = (text: string, rest: JsonObject = {}): JsonObject => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...rest,
});

const call = (toolCallId: string, rest: JsonObject): JsonObject => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: 'Look around',
  status: 'completed',
  ...rest,
});

export const plantedFaults: readonly PlantedFault[] = [
  {
    what: 'a member that no release knows',
    breaks: ['EXT-03'],
    lines: [line(chunk('Fine so far.', { mood: 'calm' }))],
  },
  {
    what: 'a tool call without a title',
    breaks: ['SCH-02', 'TOOL-03'],
    lines: [line({ sessionUpdate: 'tool_call', toolCallId: 'planted-1', status: 'completed' })],
  },
  {
    what: 'a relative path',
    breaks: ['PATH-01', 'TOOL-12'],
    lines: [line(call('planted-2', { locations: [{ path: 'src/main.ts' }] }))],
  },
  {
    what: 'an update of a tool call that nobody announced',
    breaks: ['TOOL-06'],
    lines: [line({ sessionUpdate: 'tool_call_update', toolCallId: 'planted-3', status: 'completed' })],
  },
  {
    what: 'a finished tool call that runs again',
    breaks: ['TOOL-07'],
    lines: [
      line(call('planted-4', {})),
      line({ sessionUpdate: 'tool_call_update', toolCallId: 'planted-4', status: 'in_progress' }),
      line({ sessionUpdate: 'tool_call_update', toolCallId: 'planted-4', status: 'completed' }),
    ],
  },
  {
    what: 'two tool calls with one id',
    breaks: ['TOOL-02'],
    lines: [line(call('planted-5', {})), line(call('planted-5', {}))],
  },
  {
    what: 'an update of a session that does not exist',
    breaks: ['UPD-05', 'PROMPT-20'],
    lines: [line(chunk('For somebody else.'), 'another-session')],
  },
  {
    what: 'a message that goes on after another one',
    breaks: ['MSGID-02'],
    lines: ['planted-a', 'planted-b', 'planted-a'].map(messageId => line(chunk('And then', { messageId }))),
  },
  {
    what: 'a carriage return before the line feed',
    breaks: ['FRM-02', 'FRM-04'],
    lines: [`${line(chunk('Written on another system.'))}\r`],
  },
];
