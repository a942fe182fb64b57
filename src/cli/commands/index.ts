/** Every command with its summary; the module of a command is loaded when it is called. */
import type { Command } from '../command.ts';

export interface CommandEntry {
  readonly summary: string;
  load(): Promise<{ readonly default: Command }>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  certify: { summary: 'Run the scenarios against an agent and grade it', load: () => import('./certify.ts') },
  record: {
    summary: 'Stand between a client and an agent and write a journal',
    load: () => import('./record.ts'),
  },
  judge: { summary: 'Apply the rules to a recorded journal', load: () => import('./judge.ts') },
  verify: {
    summary: 'Derive a report again from its journals and compare',
    load: () => import('./verify.ts'),
  },
  list: {
    summary: 'List scenarios, requirements, rules, mock agents, profiles, schema releases',
    load: () => import('./list.ts'),
  },
  explain: {
    summary: 'Say what a requirement demands, why, and what tests it',
    load: () => import('./explain.ts'),
  },
  validate: {
    summary: 'Check scripts, profiles, manifests, journals, reports and catalogues',
    load: () => import('./validate.ts'),
  },
  'mock-agent': {
    summary: 'Run a scripted agent on stdin and stdout',
    load: () => import('./mock-agent.ts'),
  },
};
