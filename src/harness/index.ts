export { type AcpAgent, type AcpAgentFields, acpAgent } from './acp-agent.ts';
export { type HarnessHost, startHost } from './folders.ts';
export { HarnessStartupError, Interruption, SessionBusyError } from './harness-error.ts';
export { defaultTimeoutMs, openSession } from './open-session.ts';
export type {
  HarnessOptions,
  InteractionHandler,
  InteractionPolicy,
  InteractionRequest,
} from './options.ts';
export type { ContentBlock } from './prompt.ts';
export { checkReadiness, type Readiness, type ReadinessCode, readinessCodes } from './readiness.ts';
export type {
  Diagnostic,
  ErrorCode,
  FrameRecord,
  Limitation,
  Observation,
  Outcome,
  RunError,
  RunResult,
  Stage,
  StartupCause,
  TurnResult,
} from './result.ts';
export { type Prompt, runAgent } from './run-agent.ts';
export type { HttpServer, McpServer, ServerValue, StdioServer } from './servers.ts';
export type { HarnessSession } from './session.ts';
