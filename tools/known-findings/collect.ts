/** What is held against an agent, as rows that are equal when the finding is the same. */
import { basename, join } from 'node:path';
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';
import { type Entry, readJournal } from '../../src/journal/index.ts';
import { loadProtocol } from '../../src/protocol/index.ts';
import type { Report } from '../../src/report/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import { captureEntries, captureFiles } from '../../test/helpers/captures.ts';
import { createCollectingJudge } from '../../test/helpers/collecting-judge.ts';
import { frameName } from './frame-name.ts';

export interface Row {
  readonly requirement: string;
  readonly verdict: 'fail' | 'warn';
  readonly frame: string;
  /** In which version or recording it was seen. */
  readonly where: string;
}

/** Findings that fail or warn, each kind of frame once. @param folder that of the report */
export const rowsOfReport = ({ requirements }: Report, folder: string, where: string): readonly Row[] => {
  const journals = new Map<string, readonly Entry[]>();
  const entriesOf = (journal: string): readonly Entry[] => {
    const entries = journals.get(journal) ?? [...readJournal(join(folder, journal)).entries];
    journals.set(journal, entries);
    return entries;
  };
  const rows = requirements.flatMap(({ id, findings }) =>
    findings.flatMap(({ verdict, journal, evidence }) =>
      verdict === 'info'
        ? []
        : [{ requirement: id, verdict, frame: frameName(entriesOf(journal), evidence), where }],
    ),
  );
  return distinct(rows);
};

/** The same for recordings, by agent: the name of the file up to the version. */
export const rowsOfCaptures = async (folder: string): Promise<ReadonlyMap<string, readonly Row[]>> => {
  const protocol = await loadProtocol('latest');
  const { requirements } = loadCatalogue();
  const byAgent = new Map<string, Row[]>();
  for (const file of captureFiles(folder)) {
    const { agent = '', part = '' } = captureName.exec(basename(file))?.groups ?? {};
    const entries = captureEntries(file);
    const judge = createCollectingJudge();
    const fold = createRuleFold({ protocol, subject: 'agent', judge });
    for (const entry of entries) fold.step(entry);
    fold.end();
    const rows = judge.violations.flatMap(({ requirement, evidence }) => {
      const { verdict } = gradeViolation(requirements.get(requirement)!, evidence);
      if (verdict === 'info') return [];
      return [{ requirement, verdict, frame: frameName(entries, evidence), where: part || 'start' }];
    });
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), ...distinct(rows)]);
  }
  return byAgent;
};

/** `agent-1.2.3.part.jsonl`; the part is absent in the recording of a start. */
const captureName = /^(?<agent>.+?-\d+\.\d+\.\d+)(?:\.(?<part>.+))?\.jsonl$/;

const distinct = (rows: readonly Row[]): readonly Row[] => [
  ...new Map(rows.map(row => [JSON.stringify(row), row])).values(),
];
