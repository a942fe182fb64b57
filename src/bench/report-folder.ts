/** The folder of one report. A folder of ours is replaced, a foreign one is refused. */
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

/**
 * Makes the folder, empty but for our marker and `journals/`.
 * @param out the folder that the user named; default: `reports/<time>`
 * @throws UserError when it is not ours or cannot be written
 */
export const createReportFolder = (out: string | undefined, startedAt: Date): ReportFolder => {
  const path = out ?? freePath(`reports/${timeInName(startedAt)}`);
  try {
    prepare(path);
    makeFolder(join(path, 'journals'));
    writeFileSync(join(path, marker), 'This folder was made by acp-testbench, which may replace it.\n');
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
  for (const name of content) rmSync(join(path, name), { recursive: true });
};

/** Not by the recursive option of `mkdir`, which never comes back from where the system makes no folders (`/proc`). */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
};
