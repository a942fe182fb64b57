/** `report.json`: the report object as it is, in a stable order and readable by people. */
import { visibleLines } from '../base/index.ts';
import type { Report } from './report.ts';

export const toJson = (report: Report): string => `${visibleLines(JSON.stringify(report, null, 2))}\n`;
