/** Reports on disk: the last one, and what in it did not go well. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile, schemaMistake, UserError } from '../base/index.ts';
import type { Report } from '../report/index.ts';

/**
 * Reads a report from its folder or file.
 * @throws UserError when it is missing, or not as the schema of reports says
 */
export const readReport = async (path: string): Promise<Report> => {
  const file = path.endsWith('.json') ? path : join(path, 'report.json');
  if (!existsSync(file))
    throw new UserError('no such report; name the folder of one, or its report.json', { place: file });
  const report = parse(await readTextFile(file), file);
  if (report?.header?.report !== 'acp-testbench/1')
    throw new UserError('is no report of acp-testbench', { place: file });
  const mistake = await schemaMistake('schemas/report.schema.json', report);
  if (!mistake) return report as Report;
  throw new UserError(`is no report as acp-testbench writes it: ${mistake.pointer} ${mistake.message}`, {
    place: file,
  });
};

const parse = (text: string, file: string): Partial<Report> | null => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`is not JSON: ${(cause as Error).message}`, { place: file, cause });
  }
};

/** The report in the folder that the user named, or the newest below `reports/`. @throws UserError when there is none */
export const lastReport = async (out: string | undefined): Promise<Report> => {
  if (out !== undefined) return readReport(out);
  const names = existsSync('reports') ? readdirSync('reports').sort() : [];
  const newest = names.filter(name => existsSync(join('reports', name, 'report.json'))).at(-1);
  if (newest === undefined) {
    throw new UserError(
      'there is no earlier report below reports/; run without it first, or name a folder with --out',
      {
        place: '--last-failed',
      },
    );
  }
  return readReport(join('reports', newest));
};

/**
 * Ids of the scenarios that did not pass, or in whose journals a rule found a failure.
 * @throws UserError when all passed
 */
export const failedIn = ({ scenarios, requirements }: Report): readonly string[] => {
  const blamed = new Set(
    requirements.flatMap(({ findings }) =>
      findings.flatMap(({ verdict, scenario }) =>
        verdict === 'fail' && scenario !== undefined ? [scenario] : [],
      ),
    ),
  );
  const failed = scenarios
    .filter(({ id, verdict }) => wentWrong.has(verdict) || blamed.has(id))
    .map(({ id }) => id);
  if (failed.length > 0) return failed;
  throw new UserError('nothing failed in the last report', { place: '--last-failed' });
};

const wentWrong: ReadonlySet<string> = new Set(['fail', 'unstable', 'bench-error', 'inconclusive']);
