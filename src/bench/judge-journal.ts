/** The verdicts of the rules over one recorded journal: a live run's or one of a foreign client and agent. */
import { loadCatalogue } from '../catalogue/index.ts';
import { readJournal } from '../journal/index.ts';
import { loadProtocol, type Release } from '../protocol/index.ts';
import type { Report } from '../report/index.ts';
import { foldJournal } from './fold-journal.ts';
import { checkFrozenAt } from './frozen.ts';
import { gradeRun } from './grade.ts';
import { exitCodeOf, summarise } from './levels.ts';
import { reportHeader } from './report-header.ts';

export interface JudgeOptions {
  readonly release: Release;
  /** Release of the bench at which the rules are frozen. */
  readonly rules?: string;
  readonly failOn: 'fail' | 'warn';
}

/** @throws UserError when the file is no journal or is damaged in the middle; a cut last line is left out */
export const judgeJournal = async (path: string, options: JudgeOptions): Promise<Report> => {
  checkFrozenAt(options.rules);
  const catalogue = loadCatalogue();
  const protocol = await loadProtocol(options.release);
  const { header, entries, truncated } = readJournal(path);
  const parts = foldJournal(entries, {
    protocol,
    catalogue,
    subject: header.subject,
    journal: path,
  });
  const { established, agentInfo, command } = parts[0];
  const observations = parts.flatMap(part => part.observations);
  const grading = { ...options, subject: header.subject, tiers: [] };
  const requirements = gradeRun(catalogue, { observations, outcomes: [] }, grading);
  const summary = summarise(catalogue, requirements, { ...grading, established });
  return {
    header: reportHeader({
      release: options.release,
      subject: header.subject,
      command,
      agentInfo,
      startedAt: new Date(header.startedAt),
      options: { judged: path, failOn: options.failOn, ...(options.rules && { rules: options.rules }) },
      scripts: [],
    }),
    summary: { ...summary, scenarioCounts: {} },
    requirements,
    scenarios: [],
    footer: {
      complete: !truncated,
      finishedAt: new Date().toISOString(),
      exitCode: exitCodeOf({
        ...summary,
        benchErrors: 0,
        interrupted: false,
        failOn: options.failOn,
        // A journal is judged for what it holds; that it holds little is no fault of the agent.
        allowIncomplete: true,
      }),
    },
  };
};
