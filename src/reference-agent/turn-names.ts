/** Names of what a turn can do. All but `ordinary` are triggers of the requirement catalogue. */

export const triggerNames = [
  'agent-request',
  'compaction',
  'config-change',
  'diff',
  'elicitation',
  'fs',
  'fs-read',
  'fs-write',
  'max-tokens',
  'mode-change',
  'model-error',
  'notice',
  'permission',
  'plan',
  'refusal',
  'slow-turn',
  'terminal',
  'tool-call',
  'tool-failure',
  'turn-limit',
] as const;

export type TriggerName = (typeof triggerNames)[number];
export type TurnName = TriggerName | 'ordinary';

/** What a turn without a trigger can be. */
export const turnNames: readonly TurnName[] = ['ordinary', ...triggerNames];

export const isTurnName = (name: string): name is TurnName => (turnNames as readonly string[]).includes(name);

export const isTriggerName = (name: string): name is TriggerName =>
  (triggerNames as readonly string[]).includes(name);

/** The prompt text that makes the agent do it, such as `do: permission`. */
export const triggerPrompt = (trigger: TriggerName): string => `do: ${trigger}`;
