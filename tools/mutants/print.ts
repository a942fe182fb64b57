/** The kill matrix as text. */
import { isAsExpected, type KillMatrix, type MutantRow, type RequirementRow } from './kill-matrix.ts';

/** Requirements with their killers, mutants with what they get, what survives, what is wrong, and a summary line. */
export const printed = (matrix: KillMatrix, isFull: boolean): string =>
  [
    ...(isFull ? section('Requirements and their killers', matrix.requirements.map(requirementLine)) : []),
    ...section('Mutants and what they get', matrix.mutants.flatMap(mutantLines)),
    ...(isFull
      ? section(
          'Survivors',
          matrix.requirements.filter(({ survives }) => survives).map(({ id }) => id),
        )
      : []),
    ...section('Mistakes', [...matrix.mistakes, ...matrix.mutants.flatMap(mistakeLines)]),
    summary(matrix, isFull),
    '',
  ].join('\n');

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map(line => `  ${line}`), ''];

const requirementLine = ({ id, killers, collateralOf, permission, survives }: RequirementRow): string => {
  const also = collateralOf.length > 0 ? `  also ${collateralOf.map(short).join(', ')}` : '';
  if (killers.length > 0) return `${id.padEnd(12)}${killers.map(short).join(', ')}${also}`;
  const reason = permission ?? (survives ? 'SURVIVES' : 'not yet');
  return `${id.padEnd(12)}- ${reason}${also}`;
};

const mutantLines = ({ mutant, breaks, held, collateral, mistakes }: MutantRow): readonly string[] => {
  const got = breaks.map(id => `${id} ${held[id]?.verdict ?? '-'}`).join(', ') || 'nothing';
  return [
    `${mistakes.length > 0 ? 'WRONG ' : ''}${short(mutant)}  ${got}`,
    ...Object.entries(collateral).map(([id, reason]) => `    and ${id}: ${reason}`),
  ];
};

const mistakeLines = ({ mutant, mistakes, unpassed }: MutantRow): readonly string[] =>
  mistakes.length === 0
    ? []
    : [
        ...mistakes.map(mistake => `${short(mutant)}: ${mistake}`),
        ...unpassed
          .filter(({ verdict }) => !verdict.startsWith('not-'))
          .slice(0, mostScenarios)
          .map(({ id, verdict, reason = '' }) => `    ${verdict} ${id}  ${reason.slice(0, 160)}`),
      ];

/** Of the scenarios that did not pass: more of them is seldom more to know. */
const mostScenarios = 8;

const summary = (matrix: KillMatrix, isFull: boolean): string => {
  const { mutants, requirements } = matrix;
  const wrong = mutants.filter(({ mistakes }) => mistakes.length > 0).length;
  const killed = requirements.filter(({ killers }) => killers.length > 0).length;
  const permitted = requirements.filter(({ permission }) => permission !== undefined).length;
  const surviving = requirements.filter(({ survives }) => survives).length;
  return [
    isAsExpected(matrix, isFull) ? 'ok' : 'NOT OK',
    `${mutants.length} mutants, ${wrong} not as they must be`,
    `${killed} requirements killed`,
    ...(isFull ? [`${surviving} survive`, `${permitted} only permit`] : []),
  ].join(' · ');
};

const short = (mutant: string): string => mutant.replace(/^mutants\//, '');
