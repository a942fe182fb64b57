/** Every command by its name; the module of a command is loaded when it is called, all of them for the help. */
import type { Command } from '../command.ts';

export const commands: Readonly<Record<string, () => Promise<{ readonly default: Command }>>> = {
  certify: () => import('./certify.ts'),
  record: () => import('./record.ts'),
  run: () => import('./run.ts'),
  regress: () => import('./regress.ts'),
  judge: () => import('./judge.ts'),
  verify: () => import('./verify.ts'),
  list: () => import('./list.ts'),
  explain: () => import('./explain.ts'),
  manifest: () => import('./manifest.ts'),
  validate: () => import('./validate.ts'),
  'mock-agent': () => import('./mock-agent.ts'),
};
