/** What can be told of a script without running it. */
import type { RequirementId } from '../catalogue/index.ts';
import type { Script, Step } from '../script/index.ts';
import type { Json } from '../wire/index.ts';
import type { Tier } from './tiers.ts';

/** The tier in which a scenario runs: by what it sends, and by the triggers that it needs. */
export const tierOfScript = (script: Script): Tier => {
  if (script.requires?.some(condition => condition.startsWith('trigger:'))) return 'scripted';
  return sendsPrompts(script) ? 'turn' : 'core';
};

/** The requirements that its steps can decide, in the order in which they stand. */
export const requirementsOf = (script: Script): readonly RequirementId[] => [
  ...new Set(found(script, ['checks', 'passes', 'fails']).flat() as RequirementId[]),
];

export const sendsPrompts = (script: Script): boolean => countPrompts(script) > 0;

/** How many prompts one run of the script can send at most: every branch counted, repeats multiplied. */
export const countPrompts = (script: Script): number => {
  let count = 0;
  walk(script as unknown as Json, node => {
    const text = typeof node.raw === 'object' ? JSON.stringify(node.raw) : '';
    if (node.request === 'session/prompt' || text.includes('session/prompt')) {
      count += typeof node.repeat === 'number' ? node.repeat : 1;
    }
  });
  return count;
};

/** A step and all steps within its branches. */
export const stepsIn = (step: Step): readonly Readonly<Record<string, unknown>>[] => {
  const branches = 'either' in step ? step.either : [];
  return [
    step as Readonly<Record<string, unknown>>,
    ...branches.flatMap(({ steps = [] }) => steps.flatMap(stepsIn)),
  ];
};

const found = (script: Script, members: readonly string[]): Json[] => {
  const values: Json[] = [];
  walk(script as unknown as Json, node => {
    for (const name of members) {
      const value = node[name];
      if (Array.isArray(value)) values.push(value);
    }
  });
  return values;
};

const walk = (
  value: Json | undefined,
  visit: (node: Readonly<Record<string, Json | undefined>>) => void,
): void => {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Readonly<Record<string, Json | undefined>>);
  for (const member of Object.values(value)) walk(member as Json | undefined, visit);
};
