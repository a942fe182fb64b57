/** What judges each requirement that binds agents, and what is still open, with the reason. Pure. */
import type { Catalogue, Requirement, RequirementId } from '../catalogue/index.ts';
import type { AnyRule } from '../rules/index.ts';
import type { Script } from '../script/index.ts';
import { requirementsOf } from './script-facts.ts';
import { type Tier, tierOf } from './tiers.ts';

/** By what a requirement gets its verdict, or why it gets none. */
export const verdictPaths = [
  'rule',
  'scenario',
  'both',
  'excluded',
  'mcp-server',
  'mcp-server-http',
  'scripted',
  'untestable',
  'open',
] as const;
export type VerdictPath = (typeof verdictPaths)[number];

export interface Coverage {
  readonly id: RequirementId;
  readonly tier: Tier | 'every' | 'none';
  readonly path: VerdictPath;
  /** Names of the rules and ids of the scenarios that judge it. */
  readonly owners: readonly string[];
  /** Why nothing judges it; absent where something does. */
  readonly reason?: string;
  /** Why nothing can violate it. */
  readonly permission?: string;
  /** It must be judged already: what needs a scripted agent, or a server of the bench, comes with these. */
  readonly isDue: boolean;
}

/** Of every requirement that binds the agent or both parties, in the order of the catalogue. */
export const coverageOf = (
  catalogue: Catalogue,
  rules: readonly AnyRule[],
  scenarios: readonly Script[],
): readonly Coverage[] => {
  const byRule = index(
    rules
      .filter(({ party }) => party !== 'client')
      .map(({ name, requirements }) => [name, Object.keys(requirements)]),
  );
  const byScenario = index(scenarios.map(script => [script.id, requirementsOf(script)]));
  return [...catalogue.requirements.values()]
    .filter(({ party }) => party !== 'client')
    .map(requirement => {
      const { id, permission } = requirement;
      const [judging, deciding] = [byRule.get(id) ?? [], byScenario.get(id) ?? []];
      const owners = [...judging, ...deciding];
      const unjudged = owners.length > 0 ? undefined : whyUnjudged(requirement);
      return {
        id,
        tier: tierOf(requirement),
        path: unjudged?.path ?? (judging.length === 0 ? 'scenario' : deciding.length === 0 ? 'rule' : 'both'),
        owners,
        ...(unjudged && { reason: unjudged.reason }),
        ...(permission !== undefined && { permission }),
        isDue: isDue(requirement),
      };
    });
};

const isDue = (requirement: Requirement): boolean =>
  requirement.needs !== 'scripted' && requirement.needs !== 'untestable' && !serverOf(requirement);

const serverOf = ({ requires }: Requirement): 'mcp-server' | 'mcp-server-http' | undefined =>
  (['mcp-server-http', 'mcp-server'] as const).find(name => requires.includes(name));

const whyUnjudged = (requirement: Requirement): { readonly path: VerdictPath; readonly reason: string } => {
  const { needs, excluded } = requirement;
  if (needs === 'untestable') return { path: 'untestable', reason: 'cannot be seen on the wire' };
  if (excluded !== undefined) return { path: 'excluded', reason: excluded };
  const server = serverOf(requirement);
  if (server) return { path: server, reason: 'needs a server of the bench' };
  if (needs === 'scripted')
    return { path: 'scripted', reason: 'needs an agent that is brought to do a given thing' };
  return { path: 'open', reason: 'no rule and no scenario judges it yet' };
};

/** Name of an owner with its requirements -> requirement with the names of its owners. */
const index = (
  owned: readonly (readonly [owner: string, requirements: readonly RequirementId[]])[],
): ReadonlyMap<RequirementId, readonly string[]> => {
  const owners = new Map<RequirementId, string[]>();
  for (const [owner, requirements] of owned) {
    for (const id of requirements) owners.set(id, [...(owners.get(id) ?? []), owner]);
  }
  return owners;
};
