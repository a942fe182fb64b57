import { availableParallelism } from 'node:os';
import { exitCode } from '../../base/index.ts';
import { flag, option, rest, text, wholeNumber } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'regress',
  summary: 'Run the regression cases of the harness',
  args: {
    names: rest('name', 'only these cases: an id, harness/turns/*, or a number such as T2', false),
    jobs: option(
      'n',
      'cases at the same time; default: two per processor',
      wholeNumber(1),
      2 * availableParallelism(),
    ),
    journals: option('folder', 'leave the journals in this folder; judge reads them', text, undefined),
    verbose: flag('show the frames of every case'),
    json: flag('print the results as JSON and nothing else'),
  },
  examples: ['regress', 'regress harness/turns/* --verbose'],
  async run({ args, out, interruption }) {
    const { caseLine, loadCases, runCases, summaryOf } = await import('../../regress/index.ts');
    const cases = await loadCases(args.names);
    const signal = interruption();
    const results = await runCases(cases, {
      jobs: args.jobs,
      signal,
      ...(args.journals !== undefined && { journals: args.journals }),
      onResult: result => {
        if (!args.json) out.line(caseLine(result, out.colors));
      },
    });
    out.write(
      args.json
        ? `${JSON.stringify(results, null, 2)}\n`
        : summaryOf(results, out.colors, { verbose: args.verbose }),
    );
    if (signal.aborted) return exitCode.interrupted;
    if (results.some(({ verdict }) => verdict === 'error')) return exitCode.benchError;
    return results.every(({ verdict }) => verdict === 'pass') ? exitCode.asExpected : exitCode.notAsExpected;
  },
});
