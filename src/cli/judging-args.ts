/** Options of every command that gives verdicts. */
import { defaultRelease, releases } from '../protocol/index.ts';
import { choice, flag, option, text } from './arg.ts';

export const judgingArgs = {
  schema: option(
    'release',
    `schema release: ${releases.join(', ')}; default: ${defaultRelease}`,
    choice(...releases),
    defaultRelease,
  ),
  rules: option('release', 'judge by the rules of this release of the bench', text, undefined),
  failOn: option(
    'verdict',
    'mildest verdict that fails: fail (default) or warn',
    choice('fail', 'warn'),
    'fail' as const,
  ),
  json: flag('print the report as JSON and nothing else'),
  verbose: flag('show every finding in full'),
};
