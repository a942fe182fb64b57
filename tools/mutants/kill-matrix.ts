/** What mutants got, held against what they must get, and which requirements one of them killed. Pure. */
import type { Coverage } from '../../src/bench/index.ts';
import type { Catalogue, RequirementId, VerdictCase } from '../../src/catalogue/index.ts';
import type { Script } from '../../src/script/index.ts';
import type { Held, MutantRun } from './run-mutant.ts';

/** A mutant or an instance of a family, by its own words. */
export type Defect = Pick<Script, 'breaks' | 'collateral' | 'situations'> & { readonly id: string };

export interface MutantRow extends MutantRun {
  readonly breaks: readonly RequirementId[];
  /** Requirement -> why it is violated as well. */
  readonly collateral: Readonly<Record<RequirementId, string>>;
  /** Where it got something else than it must, one line each. Empty: it was killed by exactly what it breaks. */
  readonly mistakes: readonly string[];
}

export interface RequirementRow {
  readonly id: RequirementId;
  /** Mutants that break it and got the verdict of the catalogue for that. */
  readonly killers: readonly string[];
  /** Mutants that get it as well. */
  readonly collateralOf: readonly string[];
  /** Why nothing can violate it. */
  readonly permission?: string;
  /** The bench judges it, something can violate it, and no mutant does. */
  readonly survives?: true;
}

export interface KillMatrix {
  readonly mutants: readonly MutantRow[];
  /** Those that the bench judges in agents, and those that a mutant breaks, in the order of the catalogue. */
  readonly requirements: readonly RequirementRow[];
  /** What the catalogue says of a requirement and a mutant refutes. */
  readonly mistakes: readonly string[];
}

/** @param defect what the run must show; one without `breaks` is an agent that must get nothing */
export const judgeMutant = (catalogue: Catalogue, defect: Defect, run: MutantRun): MutantRow => {
  const { breaks = [], collateral = {}, situations = {} } = defect;
  const broken = breaks.flatMap(id => brokenMistake(catalogue, id, situations[id], run.held[id]) ?? []);
  const unbroken = Object.keys(situations)
    .filter(id => !breaks.includes(id))
    .map(id => `${id} has a situation and is not in breaks`);
  const absent = Object.keys(collateral)
    .filter(id => !run.held[id])
    .map(id => `${id} is stated as collateral and was not violated`);
  const twice = Object.keys(collateral)
    .filter(id => breaks.includes(id))
    .map(id => `${id} is in breaks and in collateral`);
  const others = Object.entries(run.held)
    .filter(([id]) => !breaks.includes(id) && !(id in collateral))
    .map(([id, held]) => `${id} got ${inWords(held)} and is neither in breaks nor in collateral`);
  return {
    ...run,
    breaks,
    collateral,
    mistakes: [...broken, ...unbroken, ...absent, ...twice, ...others],
  };
};

/** @param coverage of all requirements; what survives means something only where all mutants were run */
export const killMatrix = (coverage: readonly Coverage[], mutants: readonly MutantRow[]): KillMatrix => {
  const requirements = coverage.flatMap((covered): readonly RequirementRow[] => {
    const { id, permission } = covered;
    const killers = mutants.filter(mutant => isKiller(mutant, id)).map(({ mutant }) => mutant);
    if (covered.owners.length === 0 && killers.length === 0) return [];
    return [
      {
        id,
        killers,
        collateralOf: mutants.filter(({ collateral }) => id in collateral).map(({ mutant }) => mutant),
        ...(permission !== undefined && { permission }),
        ...(killers.length === 0 && permission === undefined && covered.isDue && { survives: true }),
      },
    ];
  });
  const mistakes = requirements.flatMap(({ id, permission, killers }) =>
    permission !== undefined && killers.length > 0
      ? [`${id} is a permission that nothing can violate, and ${killers[0]} violates it`]
      : [],
  );
  return { mutants, requirements, mistakes };
};

/** Whether all mutants got what they must; for a full run also whether every requirement was killed. */
export const isAsExpected = ({ mutants, requirements, mistakes }: KillMatrix, isFull: boolean): boolean =>
  mistakes.length === 0 &&
  mutants.every(mutant => mutant.mistakes.length === 0) &&
  !(isFull && requirements.some(({ survives }) => survives));

const isKiller = ({ breaks, mistakes }: MutantRow, id: RequirementId): boolean =>
  breaks.includes(id) && !mistakes.some(mistake => mistake.startsWith(`${id} `));

const brokenMistake = (
  catalogue: Catalogue,
  id: RequirementId,
  situation: VerdictCase['situation'] | undefined,
  held: Held | undefined,
): string | undefined => {
  const requirement = catalogue.requirements.get(id);
  if (!requirement) return `${id} is not in the catalogue`;
  const fitting = requirement.cases?.find(each => each.situation === situation);
  if (situation !== undefined && !fitting) return `${id} has no case "${situation}"`;
  const expected: Held = fitting
    ? { verdict: fitting.verdict, case: fitting.when }
    : { verdict: requirement.verdict };
  if (!held) return `${id} should get ${inWords(expected)} and was not violated`;
  if (held.verdict === expected.verdict && held.case === expected.case) return undefined;
  return `${id} should get ${inWords(expected)} and got ${inWords(held)}`;
};

const inWords = ({ verdict, case: fitting }: Held): string =>
  fitting === undefined ? verdict : `${verdict} (${fitting})`;
