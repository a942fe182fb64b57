/**
 * Derives a report again from its journals: each script runs over what was recorded, the rules fold it, the result is
 * graded, and whatever differs from the report is named.
 */
import { dirname } from 'node:path';
import { UserError } from '../base/index.ts';
import { loadCatalogue } from '../catalogue/index.ts';
import { loadProtocol, type Release } from '../protocol/index.ts';
import type { Report } from '../report/index.ts';
import { type CompiledScript, instancesOf } from '../script/index.ts';
import { loadScenarios } from '../script-library/index.ts';
import { compareReport } from './compare-report.ts';
import { deriveRecords } from './derive-records.ts';
import type { Differ, Difference } from './difference.ts';
import { readReport } from './last-report.ts';
import { reportHeader } from './report-header.ts';

/**
 * @param path folder or file of the report
 * @param scenarios the scripts to run again; default: those of this bench
 * @returns the report and all differences; none if the report is what its journals say
 * @throws UserError when the report or a journal cannot be read, or the report is not one of certify
 */
export const verifyReport = async (
  path: string,
  scenarios: () => Promise<readonly CompiledScript[]> = loadScenarios,
): Promise<{ readonly report: Report; readonly differences: readonly Difference[] }> => {
  const report = await readReport(path);
  const { judged } = report.header.options;
  if (typeof judged === 'string') {
    throw new UserError(`is what judge made of ${judged}; run judge on that journal again`, { place: path });
  }
  const folder = path.endsWith('.json') ? dirname(path) : path;
  const catalogue = loadCatalogue();
  const scripts = await scenarios();
  const protocol = await loadProtocol(report.header.schemaRelease as Release);
  const differences: Difference[] = [];
  const differ: Differ = (subject, detail) => void differences.push({ subject, detail });

  compareDigest(report, scripts, differ);
  const instances = new Map(scripts.flatMap(instancesOf).map(instance => [instance.id, instance]));
  const records = await deriveRecords(report, { folder, catalogue, protocol, instances, differ });
  compareReport(report, records, { scripts, catalogue, differ });
  return { report, differences };
};

const compareDigest = ({ header }: Report, scripts: readonly CompiledScript[], differ: Differ): void => {
  const { rulesDigest } = reportHeader({
    release: header.schemaRelease as Release,
    subject: header.subject,
    command: header.command,
    agentInfo: undefined,
    startedAt: new Date(),
    options: {},
    scripts: scripts.map(({ digest }) => digest),
  });
  if (rulesDigest !== header.rulesDigest) {
    differ('report', `it was judged by another catalogue, other scripts or another bench (${header.tool})`);
  }
};
