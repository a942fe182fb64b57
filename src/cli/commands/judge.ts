import { releases } from '../../protocol/index.ts';
import { choice, flag, option, positional, text } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'judge',
  summary: 'Apply the rules to a recorded journal',
  args: {
    journal: positional('journal', 'a .jsonl file of record or certify'),
    schema: option(
      'release',
      `schema release: ${releases.join(', ')}; default: 0.12.1`,
      choice(...releases),
      '0.12.1' as const,
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
  },
  examples: ['judge session.jsonl', 'judge --schema latest --json session.jsonl'],
  async run({ args, out }) {
    const { judgeJournal } = await import('../../bench/index.ts');
    const { toConsole, toJson } = await import('../../report/index.ts');
    const { loadCatalogue } = await import('../../catalogue/index.ts');
    const report = await judgeJournal(args.journal, {
      release: args.schema,
      failOn: args.failOn,
      ...(args.rules !== undefined && { rules: args.rules }),
    });
    if (!report.footer!.complete)
      out.notice(`${args.journal}  ends within a line, as after a crash; judged up to there`);
    const shown = { catalogue: loadCatalogue(), colors: out.colors, verbose: args.verbose };
    out.write(args.json ? toJson(report) : toConsole(report, shown));
    return report.footer!.exitCode;
  },
});
