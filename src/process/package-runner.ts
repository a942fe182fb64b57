/** The command lines of `npx` and `uvx`, read as far as it takes to know what they install and what they pass on. */
import { basename, delimiter } from 'node:path';

export interface PackageRunner {
  readonly kind: RunnerKind;
  /** The runner itself, as typed: a name or a path. */
  readonly program: string;
  /** Its own options, as typed. */
  readonly options: readonly string[];
  /** What it is asked for: a package, or with an option that names the package a program of it. */
  readonly target: string;
  /** What the program gets. */
  readonly args: readonly string[];
}

export type RunnerKind = 'npx' | 'uvx';

/** A command line that is better left as it is, and why. */
export interface Unclear {
  readonly unclear: string;
}

/** What a stand-in was told by the runner that started it. */
export interface RunnerAnswer {
  /** The PATH on which the program is to be found. */
  readonly path: string;
  /** Of npx: the command that it hands to a shell. */
  readonly shellCommand: string;
}

/**
 * `npx [-y] [-p package] [--] package|program args…` and `uvx [--from package] [--with package] [-p python] tool args…`.
 * Undefined for every other command.
 */
export const readPackageRunner = (command: readonly string[]): PackageRunner | Unclear | undefined => {
  const [program = '', ...words] = command;
  const name = basename(program).replace(/\.(cmd|exe)$/i, '');
  const kind = (['npx', 'uvx'] as const).find(known => known === name);
  if (kind === undefined) return undefined;
  const { flags, valued } = knownOptions[kind];
  let at = 0;
  for (let word = words[0]; word?.startsWith('-'); word = words[at]) {
    if (word === '--') break;
    const [option = '', value] = word.split('=', 2);
    if (valued.has(option)) at += value === undefined ? 2 : 1;
    else if (flags.has(word)) at += 1;
    else return { unclear: `its option ${option} is not known here` };
  }
  const options = words.slice(0, at);
  const [target, ...args] = words.slice(words[at] === '--' ? at + 1 : at);
  if (target === undefined) return { unclear: 'it names nothing to start' };
  return { kind, program, options, target, args };
};

/**
 * Arguments and variables with which the runner installs as ever, and then starts `standIn` in place of the program:
 * npx as the shell that it hands the program's name to, uvx as a program that belongs to no package.
 */
export const standInArguments = (
  { kind, options, target }: PackageRunner,
  standIn: string,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } =>
  kind === 'npx'
    ? { args: ['--yes', ...options, '--', target], env: { npm_config_script_shell: standIn } }
    : { args: [...(namesPackage(options) ? [] : ['--from', target]), ...options, standIn], env: {} };

/** The name of the program, and the PATH to look it up on. Undefined when the answer names none. */
export const programIn = (
  { kind, options, target }: PackageRunner,
  { path, shellCommand }: RunnerAnswer,
): { readonly name: string; readonly path: string } | undefined => {
  const name =
    kind === 'npx'
      ? /^(['"]?)([\w@.+-]+)\1$/.exec(shellCommand)?.[2]
      : namesPackage(options)
        ? target
        : /^[a-z\d][\w.-]*(?=$|[@[<>=!~; ])/i.exec(target)?.[0];
  // uvx starts what the environment of the package holds, and that stands first.
  const [environment = ''] = path.split(delimiter, 1);
  return name === undefined ? undefined : { name, path: kind === 'npx' ? path : environment };
};

/** The options that leave it clear what is started. A valued one takes the next word, or what follows `=`. */
const knownOptions: Readonly<
  Record<RunnerKind, { readonly flags: ReadonlySet<string>; readonly valued: ReadonlySet<string> }>
> = {
  npx: { flags: new Set(['-y', '--yes']), valued: new Set(['-p', '--package']) },
  uvx: { flags: new Set(), valued: new Set(['--from', '--with', '-p', '--python']) },
};

const namesPackage = (options: readonly string[]): boolean =>
  options.some(option => /^--from(=|$)/.test(option));
