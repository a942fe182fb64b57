/** Tool calls as the agent reports them: one call per id, refined by what follows, and one result. */
import type { Json, JsonObject } from '../wire/index.ts';
import type { Observation } from './result.ts';

type Call = Omit<Extract<Observation, { kind: 'tool_call' }>, 'id'>;
type Result = Omit<Extract<Observation, { kind: 'tool_result' }>, 'id'>;

export interface ToolCalls {
  /** What an update of this call adds. A bare `tool_call_update` is enough to make a call known. */
  take(callId: string, update: JsonObject): readonly (Call | Result)[];
}

export const createToolCalls = (): ToolCalls => {
  const calls = new Map<string, { isFinished: boolean }>();
  return {
    take(callId, update) {
      const found: (Call | Result)[] = [];
      const known = calls.get(callId);
      const call = known ?? { isFinished: false };
      if (!known) {
        calls.set(callId, call);
        const { title, rawInput } = update;
        found.push({
          kind: 'tool_call',
          callId,
          title: typeof title === 'string' ? title : '',
          arguments: rawInput,
        });
      }
      const { status } = update;
      if (!call.isFinished && typeof status === 'string' && final.has(status)) {
        call.isFinished = true;
        found.push({ kind: 'tool_result', callId, status, result: resultIn(update) });
      }
      return found;
    },
  };
};

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
