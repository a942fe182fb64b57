/** Runs an agent from its selection to its end, and says what came of it. What an agent does never makes it throw. */
import type { AcpAgent } from './acp-agent.ts';
import type { Closed } from './connection.ts';
import { Interruption } from './harness-error.ts';
import type { Receipt } from './interactions.ts';
import { type Opened, open } from './open-session.ts';
import type { HarnessOptions } from './options.ts';
import { blocksOf, type ContentBlock } from './prompt.ts';
import type { Diagnostic, Limitation, Outcome, RunError, RunResult, Stage, TurnResult } from './result.ts';

export type Prompt = string | readonly ContentBlock[];

/**
 * @param prompts sent one after the other; those after a turn that did not complete are not sent
 * @throws UserError for a time limit that is none, a workspace that is not there, or a journal that cannot be made
 */
export const runAgent = async (
  agent: AcpAgent,
  prompts: string | readonly Prompt[],
  options: HarnessOptions = {},
): Promise<RunResult> => {
  const all = typeof prompts === 'string' ? [prompts] : prompts;
  if (typeof agent.manifest.command !== 'string') return withoutCommand;
  const opened = await open(agent, all.flatMap(blocksOf), options);
  if (!opened.session) return notStarted(opened, options);

  const turns: TurnResult[] = [];
  for (const prompt of all) {
    turns.push(await opened.session.send(prompt));
    if (turns.at(-1)!.status !== 'completed') break;
  }
  const closed = await opened.session.close();
  const last = turns.at(-1);
  const outcome = last?.status ?? 'completed';
  return finished(opened, closed, options, {
    outcome,
    ...(last?.error && { error: publicError(last.error) }),
    stage: outcome === 'timed_out' ? 'waiting_for_harness_response' : undefined,
    turns,
    sessionId: opened.facts.sessionId,
  });
};

interface End {
  readonly outcome: Outcome;
  readonly error?: RunError;
  /** Where the time was over. */
  readonly stage: Stage | undefined;
  readonly turns: readonly TurnResult[];
  readonly sessionId?: string;
}

const finished = (
  opened: Opened,
  closed: Closed | undefined,
  { journalPath, signal }: HarnessOptions,
  { outcome, error, stage, turns, sessionId }: End,
): RunResult => {
  const { record, interactions, notRedacted } = opened;
  const isClean = closed?.isClean ?? true;
  const limitations: readonly Limitation[] = [
    ...new Set<Limitation>([
      ...turns.flatMap(turn => turn.limitations),
      ...(record?.isIncomplete() ? (['capture_incomplete'] as const) : []),
      ...(isClean ? [] : (['cleanup_failed'] as const)),
      ...(closed?.isRecorded === false ? (['persistence_failed'] as const) : []),
    ]),
  ];
  const diagnostics: readonly Diagnostic[] = [
    ...(stage ? [timedOut(stage)] : []),
    ...(!isClean && closed?.exit === undefined ? [timedOut('cleanup')] : []),
    ...(interactions?.deniedPermissions() ?? []).map(permissionDenied),
    ...notRedacted.map(notReplaced),
  ];
  return {
    outcome: outcomeOf(outcome, isClean, signal),
    ...withCleanup(error, isClean),
    text: turns.at(-1)?.text ?? '',
    ...(sessionId !== undefined && record && { sessionId: record.shown(sessionId) }),
    turns,
    frames: record?.frames(record.all()) ?? [],
    limitations,
    diagnostics,
    session: { transport: 'acp', capture: 'acp_frames', cleanupFailure: !isClean },
    stderr: opened.stderr(),
    ...(closed?.exit && { exit: closed.exit }),
    ...(journalPath !== undefined && record && { journal: journalPath }),
  };
};

const outcomeOf = (outcome: Outcome, isClean: boolean, signal: AbortSignal | undefined): Outcome => {
  if (outcome === 'cancelled' && signal?.reason instanceof Interruption) return 'interrupted';
  return outcome === 'completed' && !isClean ? 'failed' : outcome;
};

const notStarted = (opened: Opened & { session: undefined }, options: HarnessOptions): RunResult => {
  const { error, unready, closed } = opened;
  const outcome = error.how;
  const ends: Readonly<Record<typeof outcome, RunError>> = {
    timed_out: { code: 'timeout', message: 'session timed out', details: { cause: error.cause } },
    cancelled: { code: 'cancelled', message: 'session cancelled', details: { cause: error.cause } },
    failed: unready
      ? {
          code: 'unsupported',
          message: `session startup unsupported: harness is not ready: ${unready}`,
          details: { cause: error.cause },
        }
      : {
          code: 'transport_error',
          message: `session startup failed: ${error.message}`,
          details: { cause: error.cause },
        },
  };
  return finished(opened, closed, options, {
    outcome,
    error: ends[outcome],
    stage: outcome === 'timed_out' ? 'harness_startup' : undefined,
    turns: [],
  });
};

/** A session whose turn failed is lost; how it was lost stands in the turn. */
const publicError = (error: RunError): RunError =>
  error.code === 'transport_error' ? { ...error, message: 'session lost during turn' } : error;

const withCleanup = (error: RunError | undefined, isClean: boolean): { readonly error?: RunError } => {
  if (isClean) return error ? { error } : {};
  if (!error) return { error: { code: 'cleanup_failed', message: 'session cleanup failed' } };
  return { error: { ...error, details: { ...error.details, cleanup: 'failed' } } };
};

const withoutCommand: RunResult = {
  outcome: 'failed',
  error: { code: 'unsupported', message: 'requested harness is unavailable' },
  text: '',
  turns: [],
  frames: [],
  limitations: [],
  diagnostics: [],
  session: { transport: 'acp', capture: 'acp_frames', cleanupFailure: false },
  stderr: '',
};

const timedOut = (stage: Stage): Diagnostic => ({
  code: 'operation_timeout',
  stage,
  message: tooLate[stage],
});

const tooLate: Readonly<Record<Stage, string>> = {
  harness_startup: 'the agent was not ready in time',
  waiting_for_harness_response: 'the agent did not end the turn in time',
  cleanup: 'the process of the agent could not be ended in time',
};

const permissionDenied = (reason: Receipt['reason']): Diagnostic => ({
  code: 'permission_denied',
  message: `the agent asked for a permission and was denied${whyDenied[reason] ?? ''}`,
});

const whyDenied: Readonly<Partial<Record<Receipt['reason'], string>>> = {
  policy: ', which is the default; allow permissions, or configure a handler',
  handler: ' by the handler',
  handler_error: ', since the handler failed',
  nothing_to_give: ', since it offered no option that allows',
};

const notReplaced = (name: string): Diagnostic => ({
  code: 'secret_not_redacted',
  message: `the value of ${name} is too short or too ordinary a word to be replaced in what is recorded`,
});
