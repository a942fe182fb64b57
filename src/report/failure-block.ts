/** What a user sees of a violation: statement, source, what was sent, what was expected, what came, what to do. */
import { counted, visibleLines } from '../base/index.ts';
import type { Catalogue, Requirement } from '../catalogue/index.ts';
import type { ConsoleOptions } from './console.ts';
import type { Report, ReportFinding, RequirementResult, ShownEntry } from './report.ts';
import { reproduce } from './reproduce.ts';

const shownVerdicts = ['unstable', 'fail'];
const briefVerdicts = ['warn'];

/** One block per failed requirement, then one line per warning; with `verbose` every finding gets its block. */
export const failureBlocks = (report: Report, options: ConsoleOptions): string[] => {
  const results = report.requirements.filter(({ findings }) => findings.length > 0);
  const full = results.filter(({ verdict }) => options.verbose || shownVerdicts.includes(verdict));
  const brief = results.filter(result => !full.includes(result) && briefVerdicts.includes(result.verdict));
  return [
    ...full.map(result => block(result, report, options)),
    ...(brief.length ? [brief.map(result => briefLine(result, options)).join('\n'), ''] : []),
  ];
};

const block = (result: RequirementResult, report: Report, options: ConsoleOptions): string => {
  const { colors } = options;
  const requirement = options.catalogue.requirements.get(result.id);
  // The worst finding explains the verdict best.
  const finding = result.findings.find(({ verdict }) => verdict === result.verdict) ?? result.findings[0]!;
  const word = result.verdict === 'fail' || result.verdict === 'unstable' ? colors.red : colors.yellow;
  const lines = [
    `${word(result.verdict.toUpperCase().padEnd(5))} ${colors.bold(result.id)}  ${result.level}  ${requirement?.statement ?? ''}`,
    ...sourceOf(requirement).map(text => indent(colors.dim(text))),
    ...(finding.case ? [labelled('case', finding.case)] : []),
    ...positionOf(requirement, options.catalogue),
    '',
    ...(finding.sent ? [labelled('sent', shown(finding.sent))] : []),
    ...(finding.evidence.expected ? [labelled('expected', finding.evidence.expected)] : []),
    ...gotOf(finding),
    labelled('because', finding.evidence.detail),
    '',
    ...(finding.evidence.hint ? [labelled('hint', finding.evidence.hint)] : []),
    ...whereOf(result, report, finding, options.folder),
    '',
  ];
  return lines.join('\n');
};

const gotOf = ({ got, sent, evidence }: ReportFinding): string[] => {
  if (evidence.timedOut) return [labelled('got', 'nothing within the time limit')];
  if (!got) return evidence.ended ? [labelled('got', 'the end of the output')] : [];
  const later = sent ? `      +${Math.round(got.t - sent.t)} ms` : '';
  const at = evidence.pointer ? [labelled('at', evidence.pointer)] : [];
  return [labelled('got', shown(got) + later), ...at];
};

const whereOf = (
  result: RequirementResult,
  report: Report,
  finding: ReportFinding,
  folder?: string,
): string[] => {
  const scenarios = [...new Set(result.findings.flatMap(({ scenario }) => scenario ?? []))];
  const line = finding.evidence.seq === undefined ? '' : `:${journalLine(finding.evidence.seq)}`;
  return [
    ...(scenarios.length
      ? [
          labelled(
            'in',
            `${scenarios.slice(0, 4).join(', ')}${scenarios.length > 4 ? ', …' : ''} (${counted(scenarios.length, 'scenario')}, ${counted(result.violated, 'finding')})`,
          ),
        ]
      : []),
    ...(finding.scenario ? [labelled('reproduce', visibleLines(reproduce(report, finding.scenario)))] : []),
    labelled('journal', `${folder ? `${folder}/` : ''}${finding.journal}${line}`),
  ];
};

/** The header is line 1 of a journal, entry 1 is line 2. */
const journalLine = (seq: number): number => seq + 1;

const briefLine = (result: RequirementResult, { catalogue, colors }: ConsoleOptions): string => {
  const { statement = '', disputed } = catalogue.requirements.get(result.id) ?? {};
  const level = `${result.level}${disputed ? ' (disputed)' : ''}`;
  return `${colors.yellow('WARN ')} ${colors.bold(result.id)}  ${level}  ${statement}\n${indent(colors.dim(result.findings[0]!.evidence.detail))}`;
};

const sourceOf = (requirement: Requirement | undefined): string[] =>
  requirement ? [requirement.url ?? requirement.source] : [];

const positionOf = (requirement: Requirement | undefined, catalogue: Catalogue): string[] => {
  const position = requirement?.position ? catalogue.positions.get(requirement.position) : undefined;
  const disputed = requirement?.disputed ? [labelled('disputed', requirement.disputed_reason ?? '')] : [];
  return [...disputed, ...(position ? [labelled('position', `${position.id}: ${position.position}`)] : [])];
};

const shown = ({ seq, label, content }: ShownEntry): string => `#${seq}  ${content ?? label}`;
const labelled = (label: string, text: string): string => indent(`${label.padEnd(10)} ${text}`);
const indent = (text: string): string => `      ${text}`;
