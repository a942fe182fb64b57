/** Which scenarios a run holds, and which of them the agent's capabilities and the user's triggers allow. Pure. */
import { didYouMean, UserError } from '../base/index.ts';
import { advertises, type Catalogue, type ConnectionFacts, type RequirementId } from '../catalogue/index.ts';
import { type CompiledScript, instancesOf, type ScriptInstance } from '../script/index.ts';
import { countPrompts, requirementsOf, sendsPrompts, tierOfScript } from './script-facts.ts';
import type { Tier } from './tiers.ts';

/** Runs before all others and alone: it says whether and how fast the agent starts, and what it can do. */
export const handshakeId = 'initialize/handshake';

export interface Selection {
  readonly tiers: readonly Tier[];
  /** Scenario ids, instance ids, `area/*`, or requirement ids. Empty: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/**
 * The instances to run, the handshake first.
 * @throws UserError when a name or the whole selection matches nothing
 */
export const planRun = (
  scripts: readonly CompiledScript[],
  catalogue: Catalogue,
  { tiers, only, skip }: Selection,
): readonly ScriptInstance[] => {
  const instances = scripts.flatMap(instancesOf);
  const matching = (name: string, option: string): readonly ScriptInstance[] => {
    const requirements = new Set(catalogue.matching(name));
    const found = instances.filter(
      ({ id, script }) =>
        id === name ||
        script.id === name ||
        (name.endsWith('*') && id.startsWith(name.slice(0, -1))) ||
        requirementsOf(script).some(requirement => requirements.has(requirement)),
    );
    if (found.length > 0) return found;
    if (requirements.size > 0)
      throw new UserError(`no scenario decides ${name}; it is judged by rules over every run`, {
        place: option,
      });
    const known = [
      ...new Set(instances.flatMap(({ id, script }) => [id, script.id])),
      ...catalogue.requirements.keys(),
    ];
    throw new UserError(
      `"${name}" matches no scenario or requirement${didYouMean(name, known) || '; see acp-testbench list scenarios'}`,
      { place: option },
    );
  };
  const wanted = only.length > 0 ? new Set(only.flatMap(name => matching(name, '--only'))) : undefined;
  const unwanted = new Set(skip.flatMap(name => matching(name, '--skip')));
  const chosen = instances.filter(
    instance =>
      !unwanted.has(instance) &&
      (wanted ? wanted.has(instance) : tiers.includes(tierOfScript(instance.script))),
  );
  if (chosen.length === 0)
    throw new UserError('the selection leaves no scenario; take a --skip away', { place: '--skip' });
  const isHandshake = ({ script }: ScriptInstance) => script.id === handshakeId;
  const handshake = instances.filter(isHandshake);
  return [...handshake, ...chosen.filter(instance => !isHandshake(instance))];
};

/** How many prompts the run can send at most. */
export const promptsOf = (instances: readonly ScriptInstance[], repeat: number): number =>
  repeat *
  instances.reduce((sum, { script }) => sum + countPrompts(script) * (script.attempts ?? defaultAttempts), 0);

/** How often a lost race is tried in all, where the script does not say. */
export const defaultAttempts = 3;

export interface Means {
  /** What the handshake showed. */
  readonly facts: ConnectionFacts | undefined;
  /** Why the handshake stopped early, if it did. */
  readonly stoppedBy: string | undefined;
  readonly triggers: Readonly<Record<string, string>>;
  /** Conditions that the user grants: `opt-in:logout`, `auth-credentials`. */
  readonly granted: ReadonlySet<string>;
  /** Whether prompts may be sent at all: they can cost money. */
  readonly promptsAllowed: boolean;
}

export interface Obstacle {
  readonly verdict: 'blocked' | 'not-applicable' | 'not-exercised';
  readonly reason: string;
  /** The requirement in the way, of one that is blocked. */
  readonly blockedBy?: RequirementId;
}

/** Why a scenario cannot be run against this agent with these means; undefined when it can. */
export const obstacleOf = ({ script }: ScriptInstance, means: Means): Obstacle | undefined => {
  if (!means.facts?.initializeResult) {
    const reason = means.stoppedBy ?? 'initialize was not answered';
    return { verdict: 'blocked', reason, blockedBy: 'INIT-05' };
  }
  for (const condition of script.requires ?? []) {
    const obstacle = obstacleFor(condition, means);
    if (obstacle) return obstacle;
  }
  if (means.promptsAllowed || !sendsPrompts(script)) return undefined;
  return {
    verdict: 'not-exercised',
    reason: 'it sends prompts; allow them with --prompts, --trigger or a profile',
  };
};

const obstacleFor = (condition: string, { facts, triggers, granted }: Means): Obstacle | undefined => {
  const path = condition.replace(/^!/, '');
  if (path.startsWith('agentCapabilities.')) {
    const isAdvertised = advertises(facts, path);
    if (condition.startsWith('!') !== isAdvertised) return undefined;
    return { verdict: 'not-applicable', reason: `${path} is ${isAdvertised ? '' : 'not '}advertised` };
  }
  if (condition.startsWith('trigger:')) {
    const name = condition.slice('trigger:'.length);
    if (Object.hasOwn(triggers, name)) return undefined;
    return {
      verdict: 'not-exercised',
      reason: `no trigger "${name}"; say with --trigger ${name}="..." what to send, or name a profile`,
    };
  }
  if (granted.has(condition) || !knownBefore.has(condition) || facts?.situations.has(condition))
    return undefined;
  return { verdict: 'not-exercised', reason: `${condition} does not hold for this agent` };
};

/** Conditions that the handshake or the user decides; the others come about while a scenario runs. */
const knownBefore: ReadonlySet<string> = new Set([
  'auth-credentials',
  'auth-methods-returned',
  'auth-terminal-method-returned',
  'boolean-option-returned',
  'config-options-returned',
  'mode-option-returned',
  'modes-returned',
  'no-modes',
  'opt-in:logout',
]);
