/** Reads the words of the command line with the library, hands typed arguments to the command. */
import { CommanderError, Command as Program } from 'commander';
import { benchVersion, exitCode, suggestion, UserError } from '../base/index.ts';
import type { Arg } from './arg.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { interruption } from './interruption.ts';
import { terminalOutput } from './output.ts';

/** Runs the command that `words` name. @returns its exit code; throws UserError for bad usage */
export const runCommandLine = async (words: readonly string[]): Promise<number> => {
  const [name] = words;
  if (name === 'help' && words.length > 1) return runCommandLine([...words.slice(1), '--help']);
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (!load) return runWithoutCommand(words);

  const { default: command } = await load();
  const program = programFor(command);
  if (!parse(program, words.slice(1))) return exitCode.asExpected;
  const args = readArgs(command, program);
  return command.run({ args, out: terminalOutput(), interruption });
};

const runWithoutCommand = async (words: readonly string[]): Promise<number> => {
  const [first] = words;
  if (first !== undefined && !first.startsWith('-') && first !== 'help') {
    throw new UserError(`unknown command "${first}"${suggestion(first, Object.keys(commands))}`);
  }
  const program = quiet(new Program('acp-testbench'))
    .description('Conformance test bench for the Agent Client Protocol')
    .usage('<command> [options]')
    .version(benchVersion(), '-V, --version')
    .addHelpText('after', '\nacp-testbench <command> --help tells more.')
    .argument('[command]');
  for (const load of Object.values(commands)) {
    const { name, summary } = (await load()).default;
    program.command(name).summary(summary).description(summary);
  }
  if (first === undefined || first === 'help') {
    program.outputHelp();
    return first === undefined ? exitCode.usage : exitCode.asExpected;
  }
  parse(program, words);
  return exitCode.asExpected;
};

const programFor = (command: Command): Program => {
  const program = quiet(new Program(`acp-testbench ${command.name}`)).description(command.summary);
  if (command.passThrough) program.passThroughOptions();
  for (const [key, arg] of Object.entries(command.args)) declare(program, key, arg);
  const examples = (command.examples ?? []).map(line => `  acp-testbench ${line}`);
  if (examples.length) program.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  return program;
};

const declare = (program: Program, key: string, arg: Arg<unknown>): void => {
  const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value];
  if (arg.kind === 'flag') program.option(`--${optionName(key)}`, arg.help);
  else if (arg.kind === 'option') program.option(`--${optionName(key)} <${arg.hint}>`, arg.help, collect);
  else {
    const name = arg.rest ? `${arg.hint}...` : arg.hint;
    program.argument(arg.required ? `<${name}>` : `[${name}]`, arg.help);
  }
};

/** @returns false when the library answered itself (help, version) */
const parse = (program: Program, words: readonly string[]): boolean => {
  try {
    program.parse(words, { from: 'user' });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    const message = error.message
      .replace(/^error: /, '')
      .replace(/\n\(Did you mean (.*)\)$/s, '; did you mean $1');
    throw new UserError(`${program.name()}: ${message}`);
  }
};

const readArgs = (command: Command, program: Program): Record<string, unknown> => {
  const given = program.opts<Record<string, true | readonly string[] | undefined>>();
  const words = program.processedArgs as (string | readonly string[] | undefined)[];
  let next = 0;
  return Object.fromEntries(
    Object.entries(command.args).map(([key, arg]) => {
      const value = arg.kind === 'positional' ? words[next++] : given[key];
      const values =
        value === undefined ? [] : value === true ? ['true'] : typeof value === 'string' ? [value] : value;
      return [key, arg.parse(values, arg.kind === 'positional' ? `<${arg.hint}>` : `--${optionName(key)}`)];
    }),
  );
};

const optionName = (key: string): string => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

const quiet = (program: Program): Program =>
  program
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .helpOption('-h, --help', 'show this help');
