/** What an agent or client must be able to do before a requirement can be exercised. */
import type { Requirement } from '../catalogue/index.ts';

export const tiers = ['core', 'turn', 'scripted'] as const;

/** `core` needs nothing, `turn` one ordinary turn, `scripted` that the party is brought to do a given thing. */
export type Tier = (typeof tiers)[number];

/** The tier of a requirement; `every` is judged whichever tier runs, `none` never. */
export const tierOf = ({ needs }: Requirement): Tier | 'every' | 'none' => tierOfNeed[needs];

/** Whether a run of these tiers can judge the requirement. */
export const isJudgedIn = (run: readonly Tier[], requirement: Requirement): boolean => {
  const tier = tierOf(requirement);
  return tier === 'every' || run.some(each => each === tier);
};

const tierOfNeed: Readonly<Record<Requirement['needs'], Tier | 'every' | 'none'>> = {
  none: 'core',
  'client-sut': 'core',
  turn: 'turn',
  scripted: 'scripted',
  driver: 'scripted',
  passive: 'every',
  untestable: 'none',
};
