/** What a run of cases came to, as people read it. */
import { visible } from '../base/index.ts';
import type { FrameRecord } from '../harness/index.ts';
import type { CaseResult } from './run-cases.ts';

export interface Colors {
  green(text: string): string;
  red(text: string): string;
  dim(text: string): string;
}

export const caseLine = ({ verdict, id, case: number, durationMs }: CaseResult, colors: Colors): string => {
  const word = (verdict === 'pass' ? colors.green : colors.red)(verdict.padEnd(6));
  return `${word} ${number.padEnd(4)} ${id.padEnd(48)} ${String(Math.round(durationMs)).padStart(6)} ms`;
};

/** @param verbose show the frames of every case, not only of those that failed */
export const summaryOf = (
  results: readonly CaseResult[],
  colors: Colors,
  { verbose }: { readonly verbose: boolean },
): string => {
  const ordered = [...results].sort((a, b) => (a.id < b.id ? -1 : 1));
  const shown = ordered.filter(({ verdict }) => verbose || verdict !== 'pass');
  return [
    '',
    ...sectionTable(ordered),
    ...shown.flatMap(result => ['', ...block(result, colors)]),
    '',
    closing(ordered, colors),
    '',
  ].join('\n');
};

const sectionTable = (results: readonly CaseResult[]): readonly string[] => {
  const sections = [...new Set(results.map(({ section }) => section))];
  const width = Math.max(7, ...sections.map(({ length }) => length));
  return [
    `${'Section'.padEnd(width)}  pass  fail`,
    ...sections.map(section => {
      const own = results.filter(each => each.section === section);
      const passed = own.filter(({ verdict }) => verdict === 'pass').length;
      const count = (number: number) => (number === 0 ? '.' : String(number)).padStart(6);
      return section.padEnd(width) + count(passed) + count(own.length - passed);
    }),
  ];
};

const block = (result: CaseResult, colors: Colors): readonly string[] => [
  caseLine(result, colors),
  `  ${result.title}`,
  ...(result.reason === undefined ? [] : [`  ${visible(result.reason)}`]),
  ...result.mistakes.flatMap(({ where, expected, actual }) => [
    `  at        ${where || '/'}`,
    `  expected  ${inLine(expected)}`,
    `  got       ${inLine(actual)}`,
  ]),
  ...result.frames.slice(-mostFrames).map(frameLine),
  `  Run it    acp-testbench regress ${result.id} --verbose`,
];

const mostFrames = 30;

const frameLine = ({ direction, offsetMs, payload }: FrameRecord): string =>
  `  ${String(Math.round(offsetMs)).padStart(6)} ms ${direction === 'outbound' ? '->' : '<-'} ${inLine(payload)}`;

const inLine = (value: unknown): string => {
  const text = visible(JSON.stringify(value));
  return text.length > 400 ? `${text.slice(0, 399)}…` : text;
};

const closing = (results: readonly CaseResult[], colors: Colors): string => {
  const count = (verdict: CaseResult['verdict']) =>
    results.filter(result => result.verdict === verdict).length;
  const failed = count('fail');
  const errors = count('error');
  const words = `${count('pass')} pass${failed ? `, ${failed} fail` : ''}${errors ? `, ${errors} error` : ''}`;
  return failed + errors === 0
    ? `${colors.green('as expected')}  ${words}`
    : `${colors.red('not as expected')}  ${words}`;
};
