import { existsSync } from 'node:fs';

/** The path, or where that is taken the first free one after it: `name-2`, `name-2.jsonl`, `name-3` and so on. */
export const freePath = (path: string): string => {
  const [, stem, ending] = /^(.*?)(\.jsonl)?$/s.exec(path)!;
  let free = path;
  for (let n = 2; existsSync(free); n += 1) free = `${stem}-${n}${ending ?? ''}`;
  return free;
};

/** A moment as a part of a file's name, in UTC: `2026-11-30T18-02-11`. */
export const timeInName = (moment: Date): string => moment.toISOString().slice(0, 19).replaceAll(':', '-');
