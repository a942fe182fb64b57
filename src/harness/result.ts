/** What a run comes to. Codes are the reference's words, as they stand in files and logs; members are ours. */
import type { Json } from '../wire/index.ts';

export type Outcome = 'completed' | 'failed' | 'timed_out' | 'cancelled' | 'interrupted';

export type ErrorCode =
  | 'invalid_argument'
  | 'invalid_transition'
  | 'protocol_error'
  | 'transport_error'
  | 'timeout'
  | 'cancelled'
  | 'session_still_open'
  | 'session_busy'
  | 'unsupported'
  | 'cleanup_failed';

/** What is known not to be there in full. */
export type Limitation =
  | 'capture_incomplete'
  | 'capture_disabled'
  | 'partial_trace'
  | 'cleanup_failed'
  | 'persistence_failed';

/** Where a run stood when its time was over. */
export type Stage = 'harness_startup' | 'waiting_for_harness_response' | 'cleanup';

/** Texts are constants: nothing that an agent said, and no value, stands in them. */
export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: {
    readonly cause?: StartupCause;
    readonly cleanup?: 'failed';
    readonly [name: string]: unknown;
  };
}

/** Why a start failed: bounded, and free of what the agent said. */
export interface StartupCause {
  /** `readiness`, `spawn`, `initialize`, `session/new`, `session/set_mode`, `session/set_config_option`. */
  readonly stage: string;
  readonly reason: string;
}

/** A frame as it may be shown: secrets are replaced. */
export interface FrameRecord {
  /** `outbound` is from the harness to the agent. */
  readonly direction: 'outbound' | 'inbound';
  /** UTC, ISO 8601. */
  readonly receivedAt: string;
  /** Milliseconds since the session was made. */
  readonly offsetMs: number;
  /** The frame; the text of a line that is none. */
  readonly payload: Json;
}

interface ObservationBase {
  /** Unique within a turn, such as `acp-1-frame-4`. */
  readonly id: string;
}

export type Observation = ObservationBase &
  (
    | { readonly kind: 'process_observed'; readonly phase: 'started' }
    | {
        readonly kind: 'process_observed';
        readonly phase: 'exited';
        readonly exitCode: number | null;
        readonly signal: string | null;
      }
    | { readonly kind: 'raw_frame'; readonly frame: FrameRecord }
    | { readonly kind: 'message_chunk'; readonly role: 'assistant' | 'user'; readonly content: Json }
    | {
        readonly kind: 'reasoning';
        readonly text: string;
        readonly visibility: 'visible' | 'provider_hidden';
      }
    | {
        readonly kind: 'tool_call';
        readonly callId: string;
        readonly title: string;
        readonly arguments: Json | undefined;
      }
    | {
        readonly kind: 'tool_result';
        readonly callId: string;
        readonly status: string;
        readonly result: Json | undefined;
      }
    | { readonly kind: 'plan'; readonly entries: Json }
    | { readonly kind: 'state'; readonly name: string; readonly value: Json }
    | { readonly kind: 'metadata_observed'; readonly name: string; readonly value: Json }
    | { readonly kind: 'interaction_request'; readonly interaction: string; readonly subject: string }
    | { readonly kind: 'interaction_response'; readonly interaction: string; readonly decision: Json }
  );

export type TurnStatus = Exclude<Outcome, 'interrupted'>;

export interface TurnResult {
  readonly status: TurnStatus;
  /** Text of the agent's message chunks in order, redacted. */
  readonly text: string;
  /** As the agent gave it; it decides nothing. */
  readonly stopReason?: string;
  readonly error?: RunError;
  /** In the words of the reference: `transport`, `updates`, `session_id`, `usage_…`. */
  readonly evidence: Readonly<Record<string, Json>>;
  /** The first turn holds those of the start too. */
  readonly frames: readonly FrameRecord[];
  readonly observations: readonly Observation[];
  readonly limitations: readonly Limitation[];
}

export interface Diagnostic {
  readonly code: 'operation_timeout' | 'permission_denied' | 'secret_not_redacted';
  readonly stage?: Stage;
  /** One sentence for people. */
  readonly message: string;
}

export interface SessionEvidence {
  readonly transport: 'acp';
  readonly capture: 'acp_frames';
  readonly cleanupFailure: boolean;
}

export interface RunResult {
  readonly outcome: Outcome;
  readonly error?: RunError;
  /** Of the last turn. */
  readonly text: string;
  readonly sessionId?: string;
  readonly turns: readonly TurnResult[];
  /** Of the whole run, in order. */
  readonly frames: readonly FrameRecord[];
  readonly limitations: readonly Limitation[];
  readonly diagnostics: readonly Diagnostic[];
  readonly session: SessionEvidence;
  /** The first 64 KiB of standard error, redacted. */
  readonly stderr: string;
  /** How the agent's process ended. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null };
  /** Path of the journal, where one was kept. */
  readonly journal?: string;
}
