import { positional } from '../arg.ts';
import { defineCommand } from '../command.ts';
import { judgingArgs } from '../judging-args.ts';

export default defineCommand({
  name: 'judge',
  summary: 'Apply the rules to a recorded journal',
  args: {
    journal: positional('journal', 'a .jsonl file of record or certify'),
    ...judgingArgs,
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
