/** Tool calls as the agent reports them: one call per id, with all that is said of it later, and one result. */
import type { Json, JsonObject } from '../wire/index.ts';
import type { Observation } from './result.ts';

type Call = Omit<Extract<Observation, { kind: 'tool_call' }>, 'id'>;
type Result = Omit<Extract<Observation, { kind: 'tool_result' }>, 'id'>;

export interface ToolCalls {
  /** What an update of this call adds. A bare `tool_call_update` is enough to make a call known. */
  take(callId: string, update: JsonObject): readonly (Call | Result)[];
}

/** @param updates of the whole turn: a call is told where it first comes, with the title and arguments that it had last */
export const createToolCalls = (updates: readonly JsonObject[]): ToolCalls => {
  const last = new Map<string, JsonObject>();
  for (const update of updates) {
    const callId = isToolCall(update) ? callIdIn(update) : undefined;
    if (callId !== undefined) last.set(callId, refined(last.get(callId), update));
  }
  const soFar = new Map<string, JsonObject>();
  const finished = new Set<string>();
  return {
    take(callId, update) {
      const found: (Call | Result)[] = [];
      if (!soFar.has(callId)) {
        const { title, rawInput } = last.get(callId) ?? update;
        found.push({
          kind: 'tool_call',
          callId,
          title: typeof title === 'string' ? title : '',
          arguments: rawInput,
        });
      }
      const call = refined(soFar.get(callId), update);
      soFar.set(callId, call);
      const { status } = update;
      if (!finished.has(callId) && typeof status === 'string' && final.has(status)) {
        finished.add(callId);
        found.push({ kind: 'tool_result', callId, status, result: resultIn(call) });
      }
      return found;
    },
  };
};

export const isToolCall = ({ sessionUpdate }: JsonObject): boolean =>
  sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';

/** Only members that have a value are said anew. */
const refined = (known: JsonObject = {}, update: JsonObject): JsonObject => ({
  ...known,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value != null)),
});

/** 1 to 256 characters that can be printed; any other is no id to keep calls apart by. */
export const callIdIn = ({ toolCallId }: JsonObject): string | undefined =>
  typeof toolCallId === 'string' && /^[^\p{Cc}\p{Cs}]{1,256}$/u.test(toolCallId) ? toolCallId : undefined;

const final: ReadonlySet<string> = new Set([
  'completed',
  'complete',
  'success',
  'succeeded',
  'failed',
  'error',
]);

/** The first of them that is there. */
const resultIn = ({ rawOutput, output, result, content }: JsonObject): Json | undefined =>
  rawOutput ?? output ?? result ?? content;
