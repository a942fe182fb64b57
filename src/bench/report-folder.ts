/** The folder of one report. What a run of ours left in it is replaced, a foreign folder is refused. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCode, freePath, timeInName, UserError } from '../base/index.ts';

const marker = '.acp-testbench-report';

export interface ReportFolder {
  /** As the user would type it. */
  readonly path: string;
  /** Path of a file in it. */
  file(name: string): string;
  /** @throws UserError (exit code 3) when the disk is full or the folder is gone */
  write(name: string, text: string): void;
  /** Adds one line to a file. Throws as `write` does. */
  append(name: string, line: string): void;
}

/** What a run leaves beside the marker; nothing else is ever removed. */
const ours = /^(journals|report\.[a-z]+)$/;

/**
 * Makes the folder, with our marker and an empty `journals/`.
 * @param out the folder that the user named; default: `reports/<time>`
 * @throws UserError when it is not ours or cannot be written
 */
export const createReportFolder = (out: string | undefined, startedAt: Date): ReportFolder => {
  let path = out ?? 'reports';
  try {
    if (out === undefined) path = createFolder(`reports/${timeInName(startedAt)}`);
    else prepare(path);
    makeFolder(join(path, 'journals'));
    writeFileSync(join(path, marker), 'acp-testbench made this folder, and may replace the report in it.\n');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `cannot be written (${(error as NodeJS.ErrnoException).code}); name another folder with --out`,
      {
        place: path,
        cause: error,
      },
    );
  }
  const write = (name: string, text: string, flag: 'w' | 'a'): void => {
    try {
      writeFileSync(join(path, name), text, { flag });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UserError(`cannot be written (${code}); what was recorded before is kept`, {
        place: join(path, name),
        exitCode: exitCode.benchError,
        cause: error,
      });
    }
  };
  return {
    path,
    file: name => join(path, name),
    write: (name, text) => write(name, text, 'w'),
    append: (name, line) => write(name, `${line}\n`, 'a'),
  };
};

const prepare = (path: string): void => {
  if (!existsSync(path)) return;
  const content = readdirSync(path);
  if (content.length > 0 && !content.includes(marker)) {
    throw new UserError('holds files that are not ours and is not replaced; name an empty or new folder', {
      place: path,
    });
  }
  for (const name of content.filter(name => ours.test(name))) rmSync(join(path, name), { recursive: true });
};

/** A new folder, also where another run of the same second makes one. @returns its path */
const createFolder = (wanted: string): string => {
  makeFolder(dirname(wanted));
  for (;;) {
    const path = freePath(wanted);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/** Not by the recursive option of `mkdir`, which never comes back from where the system makes no folders (`/proc`). */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};
