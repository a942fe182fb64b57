/** A report as people read it in a terminal: a table by area, the failures, where the files are, level and counts. */
import Table from 'cli-table3';
import type pc from 'picocolors';
import { visible } from '../base/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { isObject, type Json } from '../wire/index.ts';
import { areaOf, byArea } from './areas.ts';
import { failureBlocks } from './failure-block.ts';
import type { Report, RequirementVerdict, ScenarioResult, ScenarioVerdict } from './report.ts';
import { withVisibleText } from './visible-text.ts';

export type Colors = ReturnType<typeof pc.createColors>;

export interface ConsoleOptions {
  readonly catalogue: Catalogue;
  readonly colors: Colors;
  /** Folder that the journal paths are relative to, as the user would type it; absent when nothing was written. */
  readonly folder?: string;
  /** Warnings and infos get a full block too. */
  readonly verbose: boolean;
}

export const toConsole = (report: Report, options: ConsoleOptions): string =>
  [
    areaTable(report, options.colors),
    ...failureBlocks(withVisibleText(report), options),
    ...tail(report),
    ...(options.folder
      ? [`Report    ${options.folder}/report.json`, `Journals  ${options.folder}/journals/`, '']
      : []),
    closingLine(report, options.colors),
    '',
  ].join('\n');

/** One line as a scenario finishes. Failures that rules found in its journals stand beside the verdict of its steps. */
export const scenarioLine = (scenario: ScenarioResult, colors: Colors): string => {
  const { verdict, id, durationMs, reason, onlyAlone, found, decided } = scenario;
  const beyond = Object.keys(found).filter(each => found[each] === 'fail' && decided[each] !== 'fail');
  const notes = [
    ...(onlyAlone ? [colors.yellow('only-alone')] : []),
    ...(beyond.length ? [colors.yellow(`rules found ${beyond.join(', ')}`)] : []),
    ...(reason ? [colors.dim(visible(reason))] : []),
  ];
  const word = paint(verdict, colors)(verdict.padEnd(14));
  return [`${word} ${id.padEnd(40)} ${String(Math.round(durationMs)).padStart(6)} ms`, ...notes].join('  ');
};

/** Level plus counts; always the last line. */
export const closingLine = (report: Report, colors: Colors): string => {
  const { level, counts } = report.summary;
  const { interrupted, complete } = report.footer ?? {};
  const partial = interrupted ? ' (interrupted: partial report)' : complete ? '' : ' (partial report)';
  const word =
    level === 'conformant'
      ? colors.green(level)
      : level === 'partial'
        ? colors.yellow(level)
        : colors.red(level);
  return `${word}${partial}  ${countsInWords(counts)}`;
};

/** Who was judged, how far, and what keeps the level from being better. */
const tail = ({ header, summary }: Report): string[] => {
  const { tiers, unexercised } = summary;
  const shown =
    unexercised.slice(0, 12).join(', ') + (unexercised.length > 12 ? `, … (${unexercised.length})` : '');
  return [
    ...agentLine(header.agentInfo),
    ...Object.entries(tiers).map(([tier, level]) => `Tier      ${tier.padEnd(9)} ${level}`),
    ...(unexercised.length ? [`Missing   ${shown}`] : []),
  ];
};

/** Whatever the agent says of itself, which need not be what the protocol asks for. */
const agentLine = (agentInfo: Json | undefined): string[] => {
  const { name, version } = isObject(agentInfo) ? agentInfo : {};
  const words = [name, version].filter(word => typeof word === 'string');
  return typeof name === 'string' ? [`Agent     ${words.map(visible).join(' ')}`] : [];
};

const columns = ['pass', 'fail', 'warn', 'info', 'other'] as const;

const areaTable = (report: Report, colors: Colors): string => {
  const rows = new Map<string, Record<(typeof columns)[number], number>>();
  for (const { id, verdict } of report.requirements) {
    if (verdict === 'not-applicable') continue;
    const area = areaOf(id);
    const row = rows.get(area) ?? { pass: 0, fail: 0, warn: 0, info: 0, other: 0 };
    row[isColumn(verdict) ? verdict : 'other'] += 1;
    rows.set(area, row);
  }
  const table = new Table({
    head: ['Area', 'pass', 'fail', 'warn', 'info', 'not judged'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
    chars: bare,
  });
  for (const [area, row] of [...rows].sort(([a], [b]) => byArea(a, b))) {
    table.push([area, ...columns.map(column => cell(row[column], column, colors))]);
  }
  return `\n${table.toString()}\n`;
};

const cell = (count: number, column: (typeof columns)[number], colors: Colors): string =>
  count === 0
    ? colors.dim('.')
    : column === 'other'
      ? colors.dim(String(count))
      : paint(column, colors)(String(count));

const isColumn = (verdict: RequirementVerdict): verdict is Exclude<(typeof columns)[number], 'other'> =>
  (columns as readonly string[]).includes(verdict);

const paint = (verdict: ScenarioVerdict, colors: Colors): ((text: string) => string) => {
  switch (verdict) {
    case 'pass':
      return colors.green;
    case 'fail':
    case 'unstable':
    case 'bench-error':
      return colors.red;
    case 'warn':
    case 'inconclusive':
      return colors.yellow;
    case 'info':
      return colors.cyan;
    default:
      return colors.dim;
  }
};

const countsInWords = (counts: Report['summary']['counts']): string =>
  Object.entries(counts)
    .filter(([, count]) => count)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');

const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};
