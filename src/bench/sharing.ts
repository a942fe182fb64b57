/** Which scenarios may share one process of the agent, and how a run divides them. Pure. */
import type { Script, ScriptInstance } from '../script/index.ts';
import { stepsIn } from './script-facts.ts';

/** Scenarios that run one after the other in one process; most often one. */
export type Unit = readonly ScriptInstance[];

export interface Division {
  /** How many units may run at a time. */
  readonly jobs: number;
  /** Each scenario gets a process of its own. */
  readonly isolate: boolean;
}

/** Shared ones first, since they take longest. Those that may share are spread evenly over the jobs. */
export const unitsOf = (
  instances: readonly ScriptInstance[],
  { jobs, isolate }: Division,
): readonly Unit[] => {
  const sharing = isolate ? [] : instances.filter(({ script }) => mayShare(script));
  const count = Math.max(jobs, Math.ceil(sharing.length / most));
  const units = Array.from({ length: Math.min(count, sharing.length) }, (_, index) =>
    sharing.filter((__, at) => at % count === index),
  );
  const shared = new Set(units.filter(({ length }) => length > 1).flat());
  return [
    ...units.filter(({ length }) => length > 1),
    ...instances.filter(each => !shared.has(each)).map(each => [each]),
  ];
};

/** What comes after a scenario that does not pass has to be run again, so that a unit is not to be long. */
const most = 12;

/**
 * Whether a scenario asks for nothing but an ordinary connection and leaves one behind: it begins with a plain
 * `initialize`, says only what is well-formed, changes nothing but its own sessions, and needs no file, no hand of its
 * own on what the client serves, and no end of the process.
 */
export const mayShare = ({
  steps = [],
  handlers,
  mutate,
  files,
  behaviour,
  extends: on,
}: Script): boolean => {
  const [first, ...others] = steps;
  if (!first || !('initialize' in first) || Object.keys(first.initialize).length > 0) return false;
  if (handlers || mutate || files || behaviour || on) return false;
  return others.every(step => stepsIn(step).every(isHarmless));
};

const isHarmless = (step: Readonly<Record<string, unknown>>): boolean =>
  harmless.some(verb => verb in step) &&
  step.fault === undefined &&
  step.id === undefined &&
  !Object.values(step).some(method => typeof method === 'string' && lasting.has(method));

const harmless = ['new-session', 'request', 'notify', 'expect', 'assert', 'either', 'collect', 'quiet'];

/** What they do outlives the scenario. */
const lasting: ReadonlySet<string> = new Set(['initialize', 'authenticate', 'logout', 'session/delete']);
