/** From what was recorded of a turn to its result. */
import type { Entry } from '../journal/index.ts';
import type { Interactions } from './interactions.ts';
import { type Observed, observe } from './observations.ts';
import type { SessionRecord } from './record.ts';
import type { Limitation, RunError, TurnResult, TurnStatus } from './result.ts';
import type { SessionFacts } from './start-up.ts';

export interface TurnOptions {
  /** Counted from 1. */
  readonly turn: number;
  readonly status: TurnStatus;
  readonly stopReason?: string;
  readonly error?: RunError;
  readonly entries: readonly Entry[];
  readonly facts: SessionFacts;
  readonly interactions: Interactions;
  readonly record: SessionRecord;
  /** The agent went away in the middle of it. */
  readonly isLost?: boolean;
}

export const turnResult = (options: TurnOptions): TurnResult => {
  const { status, stopReason, error, record } = options;
  const frames = record.frames(options.entries);
  const observed = observe({ ...options, frames, receipts: options.interactions.takeReceipts() });
  return {
    status,
    text: observed.text,
    ...(stopReason !== undefined && { stopReason: record.shown(stopReason) }),
    ...(error && { error }),
    evidence: evidenceOf(options, observed),
    frames,
    observations: observed.observations,
    limitations: limitationsOf(options, observed),
  };
};

const evidenceOf = (
  { status, facts, record }: TurnOptions,
  { updates, hasUsage }: Observed,
): TurnResult['evidence'] => {
  const transport = 'acp';
  if (status === 'failed') return { transport, error_code: 'acp_prompt_failed' };
  if (status !== 'completed') return { transport };
  return {
    transport,
    updates,
    session_id: record.shown(facts.sessionId),
    usage_requested: false,
    usage_enforced: false,
    usage_observed: hasUsage,
    usage_unavailable: !hasUsage,
    usage_unavailable_reason: hasUsage ? null : 'provider_did_not_emit_usage',
  };
};

const limitationsOf = (
  { status, isLost = false, record }: TurnOptions,
  { isIncomplete }: Observed,
): readonly Limitation[] => {
  const isStopped = status === 'timed_out' || status === 'cancelled';
  return [
    ...(isIncomplete || isStopped || record.isIncomplete() ? (['capture_incomplete'] as const) : []),
    ...(status === 'failed' && isLost ? (['partial_trace'] as const) : []),
  ];
};
