import type { Output } from './output.ts';

export type Row = Readonly<Record<string, string>>;

/** Columns as wide as their content, the last one as it comes. */
export const printRows = (rows: readonly Row[], out: Output): void => {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map(name => Math.max(...rows.map(row => row[name]!.length)));
  for (const row of rows) {
    out.line(
      names
        .map((name, index) => (index === names.length - 1 ? row[name]! : row[name]!.padEnd(widths[index]!)))
        .join('  '),
    );
  }
};
