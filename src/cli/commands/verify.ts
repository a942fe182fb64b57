import { counted, exitCode, visible, visibleLines } from '../../base/index.ts';
import { flag, positional } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'verify',
  summary: 'Derive a report again from its journals and compare',
  args: {
    report: positional('report', 'folder of a report, or its report.json'),
    json: flag('print the differences as JSON and nothing else'),
  },
  examples: ['verify reports/2026-11-30T18-02-11'],
  async run({ args, out }) {
    const { verifyReport } = await import('../../bench/index.ts');
    const { report, differences } = await verifyReport(args.report);
    if (args.json) out.write(`${visibleLines(JSON.stringify(differences, null, 2))}\n`);
    else if (differences.length === 0) {
      const judged = report.scenarios.filter(({ journals }) => journals.length > 0).length;
      out.line(
        `The report is what its journals say: ${judged} scenarios and ${report.requirements.length} requirements derived again.`,
      );
    } else {
      for (const { subject, detail } of differences) out.line(visible(`${subject}  ${detail}`));
      out.line(counted(differences.length, 'difference'));
    }
    return differences.length === 0 ? exitCode.asExpected : exitCode.notAsExpected;
  },
});
