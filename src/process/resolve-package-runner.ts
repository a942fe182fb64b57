/**
 * An agent that is started through `npx` or `uvx` would be looked up, and perhaps updated, at every start. The runner is
 * asked once instead, before the first start, for the program that it starts; that program is then started directly.
 *
 * The runner decides everything itself: what is installed already in the project or for all, which version, which of
 * several programs. It runs from the agent's directory with the user's environment, HOME and configuration included,
 * since it is the bench that installs, and starts a stand-in in place of the program, which writes down what it was told.
 * The stand-in is a fixed script: no word of the command reaches a shell.
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../base/index.ts';
import { type Clock, systemClock } from '../wire/index.ts';
import type { Environment } from './environment.ts';
import { launch } from './launch.ts';
import { runVariable } from './marks.ts';
import {
  type PackageRunner,
  programIn,
  type RunnerAnswer,
  readPackageRunner,
  standInArguments,
  type Unclear,
} from './package-runner.ts';
import { platform } from './platform.ts';
import { resolveCommand } from './resolve-command.ts';
import { complaintIn } from './runner-complaint.ts';
import type { Guardian } from './start-guardian.ts';
import { settlesWithin } from './stop-ladder.ts';

export interface PackageRunnerOptions {
  /** Directory of the agent's process. */
  readonly cwd: string;
  /** The user's environment, with what the user names for the agent. */
  readonly env: NodeJS.ProcessEnv;
  /** A folder of the run. */
  readonly folder: string;
  readonly guardian: Guardian;
  /** How long an installation may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the installation; the command then stays as it is. */
  readonly interrupted: AbortSignal;
  readonly clock?: Clock;
}

export interface ResolvedRunner {
  /** The program and its arguments; the command as it stands when it is no package runner, or an unclear one. */
  readonly command: Command;
  /** Why an `npx` or `uvx` stays and runs at every start; one line. */
  readonly notice?: string;
}

type Command = readonly [string, ...string[]];

/**
 * @throws UserError when the package cannot be installed whatever the network does, when the time is over, or when the
 *   runner itself cannot be started
 */
export const resolvePackageRunner = async (
  command: Command,
  options: PackageRunnerOptions,
): Promise<ResolvedRunner> => {
  const runner = readPackageRunner(command);
  if (runner === undefined || options.interrupted.aborted) return { command };
  const program = 'unclear' in runner ? runner : await programOf(runner, options);
  if (options.interrupted.aborted) return { command };
  if ('unclear' in program) {
    return { command, notice: `"${command[0]}" is run anew for each start of the agent: ${program.unclear}` };
  }
  return { command: program.command };
};

const programOf = async (
  runner: PackageRunner,
  options: PackageRunnerOptions,
): Promise<{ readonly command: Command } | Unclear> => {
  if (platform.windows) return { unclear: 'on this system it cannot be asked what it starts' };
  const standIn = join(mkdtempSync(join(options.folder, 'package-runner-')), 'stand-in');
  writeFileSync(standIn, standInScript, { mode: 0o700 });
  const stderr = await runOnce(runner, standIn, options);
  const answer = readAnswer(standIn);
  if (answer === undefined) {
    const { text, isFinal } = complaintIn(runner.kind, stderr);
    // A complaint about the stand-in is none about the package.
    if (isFinal && !stderr.includes(standIn)) {
      throw new UserError(`cannot install what "${shown(runner)}" asks for: ${text}`);
    }
    return { unclear: `it did not tell what it starts${text && ` (${text})`}` };
  }
  const found = programIn(runner, answer);
  const file = found && located(found.name, options.cwd, found.path);
  if (typeof file !== 'string') return { unclear: `no program of "${runner.target}" is found` };
  // Started directly, a script finds its interpreter on the agent's PATH or not at all.
  const startable = located(file, options.cwd, options.env.PATH);
  return typeof startable === 'string' ? { command: [file, ...runner.args] } : { unclear: startable.message };
};

const located = (name: string, cwd: string, path: string | undefined): string | UserError => {
  try {
    return resolveCommand(name, { cwd, path }).file;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
};

/**
 * npx knows it as the shell for what it starts, and may hand it the scripts of an installation, too: those run as ever.
 * The program's turn has the event `npx`.
 */
const standInScript = `#!/bin/sh
if [ "$1" = -c ] && [ "$npm_lifecycle_event" != npx ]; then exec /bin/sh "$@"; fi
printf '%s\\n%s\\n' "$PATH" "$2" >"$0.answer"
`;

const readAnswer = (standIn: string): RunnerAnswer | undefined => {
  const file = `${standIn}.answer`;
  if (!existsSync(file)) return undefined;
  const [path = '', shellCommand = ''] = readFileSync(file, 'utf8').split('\n');
  return { path, shellCommand };
};

/** Lets the runner install and start the stand-in; resolves with the head of its stderr when nothing of it is left. */
const runOnce = async (
  runner: PackageRunner,
  standIn: string,
  { cwd, env, guardian, timeoutMs, interrupted, clock = systemClock }: PackageRunnerOptions,
): Promise<string> => {
  const { args, env: more } = standInArguments(runner, standIn);
  const running = await launch({
    command: runner.program,
    args,
    cwd,
    env: { ...installerEnvironment(env), ...more, [runVariable]: guardian.run },
    guardian,
    maxLineBytes: 64 * 1024,
  });
  running.port.listen(() => {});
  running.port.end();
  const inTime = await settlesWithin(Promise.race([running.exited, abortion(interrupted)]), timeoutMs, clock);
  await running.stop({ from: 'SIGTERM' });
  if (!inTime) {
    throw new UserError(
      `"${shown(runner)}" was still installing after ${timeoutMs / 1000} s; give it more time`,
      { place: '--start-timeout' },
    );
  }
  return Buffer.from(running.stderrHead()).toString('utf8');
};

/** The bench may itself run under npx, which leaves behind what it was asked for: not a wish about the agent. */
const installerEnvironment = (env: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !/^npm_config_(package|call|script_shell)$/i.test(entry[0]),
    ),
  );

const abortion = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Without the agent's own arguments. */
const shown = ({ program, options, target }: PackageRunner): string =>
  [program, ...options, target].join(' ');
