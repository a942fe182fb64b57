/** A tool call from its announcement to its final status. Source: ACP v1, Tool calls. */
import { type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import { mayRun } from './permission.ts';
import type { Turn } from './turn.ts';
import { toolText } from './updates.ts';

export interface ToolCall {
  /** The tool, such as `read_file`; a standing permission is for all its calls. */
  readonly name: string;
  readonly title: string;
  readonly kind: 'read' | 'edit' | 'execute' | 'search' | 'other';
  readonly rawInput: JsonObject;
  /** Absolute paths. */
  readonly paths?: readonly string[];
  /** The user must allow it. */
  readonly isGuarded?: boolean;
}

export interface ToolOutcome {
  readonly content: readonly JsonObject[];
  readonly rawOutput?: Json;
}

/** Thrown by a tool that could not do its work; the turn goes on. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/**
 * Announces the call, asks where it must, acts, and reports how it ended. True when the tool completed; a failure, a
 * refusal and an error of the client make it false. A cancelled turn leaves the call failed.
 * @param act does the work; `show` replaces the call's content while it runs
 */
export const useTool = async (
  turn: Turn,
  call: ToolCall,
  act: (show: (content: readonly JsonObject[]) => void) => Promise<ToolOutcome>,
): Promise<boolean> => {
  const toolCallId = turn.newId('call');
  const { name, title, kind, rawInput, paths = [] } = call;
  const announced = { toolCallId, title, kind, rawInput, locations: paths.map(path => ({ path })) };
  const report = (members: JsonObject): void =>
    turn.tell({ sessionUpdate: 'tool_call_update', toolCallId, ...members });

  turn.tell({ sessionUpdate: 'tool_call', ...announced, name, status: 'pending' });
  try {
    await turn.pause();
    if (call.isGuarded && !(await mayRun(turn, name, { ...announced, status: 'pending' }))) {
      throw new ToolFailure('The user did not allow it.');
    }
    report({ status: 'in_progress' });
    await turn.pause();
    const { content, rawOutput } = await act(shown => report({ content: shown }));
    report({ status: 'completed', content, ...(rawOutput !== undefined && { rawOutput }) });
    return true;
  } catch (error) {
    const reason = turn.signal.aborted ? 'The turn was cancelled.' : reasonOf(error);
    report({ status: 'failed', content: [toolText(reason)] });
    if (error instanceof ToolFailure || error instanceof ResponseError) return false;
    throw error;
  }
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
