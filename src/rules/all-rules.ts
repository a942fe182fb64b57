import { acceptedPrompts } from './accepted-prompts.ts';
import { advisory } from './advisory.ts';
import { agentGates } from './agent-gates.ts';
import { agreedVersion } from './agreed-version.ts';
import { answers } from './answers.ts';
import { authentication } from './authentication.ts';
import { beforeInitialize } from './before-initialize.ts';
import { cancel } from './cancel.ts';
import { clientGates } from './client-gates.ts';
import { clientStart } from './client-start.ts';
import { commands } from './commands.ts';
import { configAnswers } from './config-answers.ts';
import { configOptions } from './config-options.ts';
import { content } from './content.ts';
import { elicitationMode } from './elicitation-mode.ts';
import { envelope } from './envelope.ts';
import { extensions } from './extensions.ts';
import { framing } from './framing.ts';
import { initialize } from './initialize.ts';
import { listCursors } from './list-cursors.ts';
import { listWalks } from './list-walks.ts';
import { messageIds } from './message-ids.ts';
import { modeAgreement } from './mode-agreement.ts';
import { modes } from './modes.ts';
import { permission } from './permission.ts';
import { permissionOutcome } from './permission-outcome.ts';
import { plan } from './plan.ts';
import { replay } from './replay.ts';
import { requestCancel } from './request-cancel.ts';
import { resume } from './resume.ts';
import type { AnyRule } from './rule.ts';
import { schema } from './schema.ts';
import { servedMethods } from './served-methods.ts';
import { sessionIds } from './session-ids.ts';
import { sessionList } from './session-list.ts';
import { sessionUpdates } from './session-updates.ts';
import { shapeRule } from './shape.ts';
import { shapesOfAgents } from './shapes-of-agents.ts';
import { shapesOfBoth } from './shapes-of-both.ts';
import { shapesOfClients } from './shapes-of-clients.ts';
import { shapesOfUpdates } from './shapes-of-updates.ts';
import { stdio } from './stdio.ts';
import { stopReason } from './stop-reason.ts';
import { storedSessions } from './stored-sessions.ts';
import { terminals } from './terminals.ts';
import { toolLedger } from './tool-ledger.ts';
import { turnFence } from './turn-fence.ts';
import { unadvertisedMethods } from './unadvertised-methods.ts';
import { unanswered } from './unanswered.ts';

/** Every rule. Order does not matter to a verdict; findings of one entry come in this order. */
export const allRules: readonly AnyRule[] = [
  framing,
  envelope,
  answers,
  unanswered,
  requestCancel,
  stdio,
  schema,
  shapeRule('update-shapes', shapesOfUpdates),
  shapeRule('agent-shapes', shapesOfAgents),
  shapeRule('client-shapes', shapesOfClients),
  shapeRule('path-shapes', shapesOfBoth),
  content,
  extensions,
  initialize,
  beforeInitialize,
  agreedVersion,
  authentication,
  clientStart,
  sessionIds,
  sessionUpdates,
  sessionList,
  listWalks,
  listCursors,
  turnFence,
  replay,
  storedSessions,
  resume,
  stopReason,
  acceptedPrompts,
  cancel,
  toolLedger,
  permission,
  permissionOutcome,
  plan,
  terminals,
  modes,
  modeAgreement,
  configOptions,
  configAnswers,
  messageIds,
  commands,
  advisory,
  servedMethods,
  unadvertisedMethods,
  agentGates,
  clientGates,
  elicitationMode,
];
