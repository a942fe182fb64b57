/** A report whose texts off the wire can be shown. The user's own words, the command and options, stay as they are. */
import { visible } from '../base/index.ts';
import { isObject } from '../wire/index.ts';
import type { Report } from './report.ts';

export const withVisibleText = (report: Report): Report => ({
  ...report,
  requirements: visibleStringsOf(report.requirements),
});

const visibleStringsOf = <T>(value: T): T => {
  if (typeof value === 'string') return visible(value) as T;
  if (Array.isArray(value)) return value.map(visibleStringsOf) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, visibleStringsOf(member)]),
  ) as T;
};
