/** Typed observations of a turn, from what was recorded. An agent's words are evidence of what it said, and no more. */
import type { AcpEntry, Entry } from '../journal/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import type { Receipt } from './interactions.ts';
import type { SessionRecord } from './record.ts';
import type { FrameRecord, Observation } from './result.ts';
import type { SessionFacts } from './start-up.ts';
import { callIdIn, createToolCalls, isToolCall } from './tool-calls.ts';

export interface Observed {
  readonly observations: readonly Observation[];
  /** Text of the agent's message chunks. */
  readonly text: string;
  readonly updates: number;
  readonly hasUsage: boolean;
  /** A tool call came without an id by which it could be kept apart. */
  readonly isIncomplete: boolean;
}

export interface ObserveOptions {
  readonly turn: number;
  readonly entries: readonly Entry[];
  readonly frames: readonly FrameRecord[];
  readonly record: SessionRecord;
  /** Told in the first turn. */
  readonly facts: SessionFacts;
  readonly receipts: readonly Receipt[];
}

type Draft = Observation extends infer O ? (O extends Observation ? Omit<O, 'id'> : never) : never;

/** In order: the start, the frames, what the updates say, the end of the process, the session's metadata, interactions. */
export const observe = ({ turn, entries, frames, record, facts, receipts }: ObserveOptions): Observed => {
  const observations: Observation[] = [];
  const seen = new Map<string, number>();
  const add = (name: string, draft: Draft): void => {
    // Ids are unique within a turn, whatever the agent calls its calls.
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const id = count === 1 ? `acp-${turn}-${name}` : `acp-${turn}-${name}-${count}`;
    observations.push({ id, ...draft } as Observation);
  };

  const processes = entries.flatMap(entry => (entry.channel === 'process' ? [entry.what] : []));
  if (processes.some(({ event }) => event === 'start'))
    add('process-started', { kind: 'process_observed', phase: 'started' });
  for (const [index, frame] of frames.entries()) add(`frame-${index + 1}`, { kind: 'raw_frame', frame });

  const updates = entries.flatMap<JsonObject>(entry =>
    entry.channel === 'acp' ? (updateIn(entry) ?? []) : [],
  );
  const calls = createToolCalls(updates);
  let text = '';
  let isIncomplete = false;
  for (const update of updates) {
    const kind = String(update.sessionUpdate);
    text += textOf(update, 'agent_message_chunk');
    if (isToolCall(update)) {
      const callId = callIdIn(update);
      if (callId === undefined) isIncomplete = true;
      else for (const draft of calls.take(callId, update)) add(`${nameOf(draft.kind)}-${callId}`, draft);
    } else {
      const draft = observationOf(kind, update);
      if (draft) add(nameOf(draft.kind), draft);
    }
  }

  const exit = processes.find(what => what.event === 'exit');
  if (exit?.event === 'exit')
    add('process-exited', {
      kind: 'process_observed',
      phase: 'exited',
      exitCode: exit.code,
      signal: exit.signal,
    });
  if (turn === 1)
    for (const [name, value] of metadata(facts))
      add(`metadata-${name}`, { kind: 'metadata_observed', name, value: record.shown(value) });
  for (const { id, kind, method, decision } of receipts) {
    // What nobody answered leaves no pair.
    if (kind === 'sampling' && decision === 'denied') continue;
    add(`${id}-request`, { kind: 'interaction_request', interaction: kind, subject: method });
    add(`${id}-response`, {
      kind: 'interaction_response',
      interaction: kind,
      decision: decision === 'denied' && kind !== 'permission' ? { error: 'denied' } : decision,
    });
  }
  return {
    observations,
    text,
    updates: updates.length,
    hasUsage: updates.some(({ sessionUpdate }) => sessionUpdate === 'usage_update'),
    isIncomplete,
  };
};

const nameOf = (kind: string): string => kind.replaceAll('_', '-');

const updateIn = ({ from, message }: AcpEntry): JsonObject | undefined => {
  if (from !== 'agent' || message?.type !== 'notification' || message.method !== 'session/update')
    return undefined;
  const update = isObject(message.params) ? message.params.update : undefined;
  return isObject(update) ? update : undefined;
};

/** The text of a chunk of this kind; empty for anything else. */
const textOf = ({ sessionUpdate, content }: JsonObject, kind: string): string =>
  sessionUpdate === kind && isObject(content) && content.type === 'text' && typeof content.text === 'string'
    ? content.text
    : '';

/** By what the kind speaks of, so that kinds of later releases are understood too; undefined for any other. */
const observationOf = (kind: string, update: JsonObject): Draft | undefined => {
  if (kind.includes('thought') || kind.includes('reason')) {
    const text = textOf(update, kind);
    return { kind: 'reasoning', text, visibility: text ? 'visible' : 'provider_hidden' };
  }
  if (kind.includes('message'))
    return {
      kind: 'message_chunk',
      role: kind.startsWith('user') ? 'user' : 'assistant',
      content: update.content ?? null,
    };
  if (kind.includes('plan')) return { kind: 'plan', entries: update.entries ?? null };
  if (/mode|config|state/.test(kind)) {
    const { sessionUpdate: _, ...value } = update;
    return { kind: 'state', name: kind, value };
  }
  return undefined;
};

const metadata = (facts: SessionFacts): readonly (readonly [string, Json])[] => {
  const modes = isObject(facts.modes) ? facts.modes : {};
  const values: readonly (readonly [string, Json | undefined])[] = [
    ['session_id', facts.sessionId],
    ['protocol_version', String(facts.protocolVersion)],
    ['agent_identity', facts.agentInfo],
    ['agent_capabilities', facts.agentCapabilities],
    ['available_modes', modes.availableModes],
    ['current_mode', facts.selectedMode ?? modes.currentModeId],
    ['config_options', facts.configOptions],
    ['selected_config', Object.keys(facts.selectedConfig).length > 0 ? facts.selectedConfig : undefined],
  ];
  // What was not given is not observed.
  return values.filter(
    (entry): entry is readonly [string, Json] => entry[1] !== undefined && entry[1] !== null,
  );
};
