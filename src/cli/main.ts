#!/usr/bin/env node
/** The command line: picks the command, turns every failure into one message and an exit code. */
import { benchVersion, exitCode, UserError, visibleLines } from '../base/index.ts';

const words = process.argv.slice(2);

// A reader that goes away (`| head`) ends nothing: the run goes on and its exit code tells how it went.
process.stdout.on('error', () => {});

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  // Before anything else is loaded: scripts ask for the version often.
  process.stdout.write(`${benchVersion()}\n`);
} else {
  process.stderr.on('error', () => {});
  process.on('uncaughtException', error => {
    tellInternal(error);
    // What the run has started is ended by its guardian.
    process.exit(exitCode.benchError);
  });
  process.exitCode = await run();
}

async function run(): Promise<number> {
  const { runCommandLine } = await import('./command-line.ts');
  try {
    checkFolder();
    return await runCommandLine(words);
  } catch (error) {
    if (error instanceof UserError) {
      process.stderr.write(`${visibleLines(error.message)}\n`);
      return error.exitCode;
    }
    tellInternal(error);
    return exitCode.benchError;
  }
}

/** Every relative path is meant from it. */
function checkFolder(): void {
  try {
    process.cwd();
  } catch (cause) {
    throw new UserError('the current folder is not there any more; change to one that is', { cause });
  }
}

function tellInternal(error: unknown): void {
  process.stderr.write(
    `internal error of the bench: ${visibleLines(String(error instanceof Error ? error.stack : error))}\n`,
  );
}
