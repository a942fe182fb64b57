/** docs/known-findings.md: written from rows and the reviewed reasons, and read back by the tests. */
import { loadCatalogue } from '../../src/catalogue/index.ts';
import type { Row } from './collect.ts';

/** One table of the document. */
export interface Section {
  readonly title: string;
  /** What was run or recorded, for the reader. */
  readonly about: string;
  readonly rows: readonly Row[];
  /** Why each finding is right, by requirement. */
  readonly reasons: Readonly<Record<string, string>>;
}

/**
 * The document as text.
 * @throws Error when a finding was not reviewed, or a reason has no finding
 */
export const written = (sections: readonly Section[]): string => {
  const mistakes = sections.flatMap(mistakesIn);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  const ids = new Set(sections.flatMap(({ rows }) => rows.map(({ requirement }) => requirement)));
  return `${[head, ...sections.map(sectionText), clauses(ids)].join('\n\n')}\n`;
};

const head = `# Known findings

Every \`fail\` and \`warn\` that agents get here which nobody broke on purpose, each reviewed by hand against the text of the
protocol. The frames are named by method, member and type of value. Written by \`npm run known-findings\`; tests hold
it to what the bench finds.`;

const mistakesIn = ({ title, rows, reasons }: Section): readonly string[] => {
  const found = new Set(rows.map(({ requirement }) => requirement));
  return [
    ...[...found].filter(id => !reasons[id]).map(id => `${title}: ${id} was not reviewed`),
    ...Object.keys(reasons)
      .filter(id => !found.has(id))
      .map(id => `${title}: ${id} has a reason and no finding`),
  ];
};

const sectionText = ({ title, about, rows, reasons }: Section): string => {
  const intro = `## ${title}\n\n${about}`;
  if (rows.length === 0) return `${intro}\n\nNone.`;
  const why = [...new Set(rows.map(({ requirement }) => requirement))].map(id => `- ${id}: ${reasons[id]}`);
  return `${intro}\n\n${tableHead}\n${merged(rows).map(rowText).join('\n')}\n\n${why.join('\n')}`;
};

const tableHead = '| requirement | verdict | frame | in |\n|---|---|---|---|';

const rowText = ({ requirement, verdict, frame, where }: Row): string =>
  `| ${requirement} | ${verdict} | ${frame} | ${where} |`;

/** One row for all places in which the same was found; those that fail first. */
const merged = (rows: readonly Row[]): readonly Row[] => {
  const places = new Map<string, string[]>();
  for (const { where, ...rest } of rows) {
    const key = JSON.stringify(rest);
    places.set(key, [...(places.get(key) ?? []), where]);
  }
  return [...places]
    .map(([key, where]): Row => ({ ...JSON.parse(key), where: where.join(', ') }))
    .toSorted((a, b) => a.verdict.localeCompare(b.verdict) || a.requirement.localeCompare(b.requirement));
};

const clauses = (ids: ReadonlySet<string>): string => {
  const { requirements } = loadCatalogue();
  const lines = [...requirements.values()]
    .filter(({ id }) => ids.has(id))
    .map(({ id, level, statement, source, url, position }) => {
      const place = url ? `[${source}](${url})` : source;
      return `| ${id} | ${level} | ${statement.replaceAll('|', '\\|')} | ${place}${position ? `; position ${position}` : ''} |`;
    });
  return `## The clauses\n\n| requirement | level | statement | source |\n|---|---|---|---|\n${lines.join('\n')}`;
};

/** The rows of a section of the document; none where it says so or is missing. */
export const readSection = (text: string, title: string): readonly Row[] => {
  const body = text.split('\n## ').find(each => each.startsWith(`${title}\n`)) ?? '';
  return body.split('\n').flatMap(line => {
    const [requirement, verdict, frame, where] = line
      .split(' | ')
      .map(cell => cell.replace(/^\| | \|$/g, ''));
    if (!requirement || (verdict !== 'fail' && verdict !== 'warn') || !frame || !where) return [];
    return where.split(', ').map(each => ({ requirement, verdict, frame, where: each }));
  });
};

/** Rows in an order of their own, to be compared. */
export const sorted = (rows: readonly Row[]): readonly string[] =>
  rows
    .map(({ requirement, verdict, frame, where }) => `${verdict} ${requirement}: ${frame} (${where})`)
    .sort();
