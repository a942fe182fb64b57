/** The command line that runs one scenario again as it was run. Values of variables are not in a report: they stay dots. */
import { defaultRelease } from '../protocol/index.ts';
import type { Json } from '../wire/index.ts';
import type { Report } from './report.ts';

export const reproduce = ({ header }: Report, scenario: string): string => {
  const { options, command, schemaRelease } = header;
  const named = (option: string, value: Json | undefined): string[] =>
    typeof value === 'string' ? [option, quoted(value)] : [];
  const each = (option: string, values: Json | undefined, suffix = ''): string[] =>
    Array.isArray(values) ? values.flatMap(value => [option, quoted(String(value)) + suffix]) : [];
  return [
    'acp-testbench certify',
    ...named('--only', scenario),
    ...(schemaRelease === defaultRelease ? [] : named('--schema', schemaRelease)),
    ...named('--rules', options.rules),
    ...named('--profile', options.profile),
    ...named('--auth', options.auth),
    ...each('--allow', options.allow),
    ...each('--trigger', options.triggers),
    ...(options.prompts === true ? ['--prompts'] : []),
    ...each('--env', options.env, '=…'),
    ...each('--secret', options.secrets),
    ...named('--home', options.home),
    ...named('--workspace', options.workspace),
    ...named('--cwd', options.cwd),
    ...(typeof options.manifest === 'string'
      ? named('--manifest', options.manifest)
      : ['--', ...command.map(quoted)]),
  ].join(' ');
};

/** A word as a shell reads it back. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
