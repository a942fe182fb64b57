import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { verifyReport } from '../../src/bench/index.ts';
import type { Report, RequirementResult, ScenarioResult } from '../../src/report/index.ts';
import { certified, mockAgentCommand, requestFor } from '../helpers/certify.ts';

const failed = 'cancel/streaming[frames=1]';
const other = 'cancel/streaming[frames=3]';
const passed = 'rpc/unknown-methods';

let root: string;
let original: string;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'forgery-'));
  original = join(root, 'original');
  const command = mockAgentCommand('mutants/cancel/cancel-ends-turn-normally');
  const only = ['cancel/*', 'permission/allow', 'initialize/*', passed, 'load/in-new-process'];
  await certified(requestFor(command, { profile: 'reference-agent', only }), (_, folder) =>
    cpSync(folder, original, { recursive: true }),
  );
});

after(() => rmSync(root, { recursive: true, force: true }));

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

/** JSON of any depth is too deep for the type above. */
type MutableReport = Mutable<Omit<Report, 'header'>> & {
  header: { tool: string; command: string[]; agentInfo: unknown; options: Record<string, unknown> };
};

/** A copy of a report that can be changed, and the text of its journals. */
interface Copy {
  readonly report: MutableReport;
  readonly folder: string;
  scenario(id: string): Mutable<ScenarioResult>;
  requirement(id: string): Mutable<RequirementResult>;
  /** Changes the lines of a scenario's journal; entries are numbered anew. */
  lines(id: string, change: (lines: string[]) => string[]): void;
}

/** What verify says of a report that was changed, every digest recomputed. */
const verified = async (change: (copy: Copy) => void): Promise<string> => {
  const folder = mkdtempSync(join(root, 'copy-'));
  cpSync(original, folder, { recursive: true });
  const file = join(folder, 'report.json');
  const report: MutableReport = JSON.parse(readFileSync(file, 'utf8'));
  const named = <T extends { id: string }>(list: T[], id: string): T => {
    const found = list.find(each => each.id === id);
    assert.ok(found, id);
    return found;
  };
  const scenario = (id: string) => named(report.scenarios, id);
  change({
    report,
    folder,
    scenario,
    requirement: id => named(report.requirements, id),
    lines(id, alter) {
      const journal = join(folder, scenario(id).journals[0]!.file);
      const [header, ...lines] = readFileSync(journal, 'utf8').trimEnd().split('\n') as [string, ...string[]];
      const [changedHeader, ...changed] = alter([header, ...lines]);
      assert.notDeepEqual([changedHeader, ...changed], [header, ...lines], 'nothing was changed');
      const numbered = changed.map((line, index) => line.replace(/^\{"seq":\d+/, `{"seq":${index + 1}`));
      writeFileSync(journal, `${[changedHeader, ...numbered].join('\n')}\n`);
    },
  });
  for (const journal of report.scenarios.flatMap(({ journals }) => journals)) {
    journal.sha256 = createHash('sha256')
      .update(readFileSync(join(folder, journal.file)))
      .digest('hex');
  }
  writeFileSync(file, JSON.stringify(report));
  const { differences } = await verifyReport(folder);
  return differences.map(({ subject, detail }) => `${subject}: ${detail}`).join('\n');
};

const first = (lines: readonly string[], pattern: RegExp): number => {
  const index = lines.findIndex(line => pattern.test(line));
  assert.notEqual(index, -1, `no line has ${pattern}`);
  return index;
};

/** Changes the first line that fits. */
const inLine =
  (pattern: RegExp, from: string | RegExp, to: string) =>
  (lines: string[]): string[] => {
    const index = first(lines, pattern);
    return lines.with(index, lines[index]!.replace(from, to));
  };

describe('a report whose', () => {
  it('content is untouched is what its journals say', async () => {
    assert.equal(await verified(() => {}), '');
    assert.ok(readFileSync(join(original, 'report.json'), 'utf8').includes('"non-conformant"'));
  });

  const forgeries: readonly (readonly [what: string, change: (copy: Copy) => void, told: RegExp])[] = [
    // The report alone.
    [
      'level is better',
      ({ report }) => {
        report.summary.level = 'partial';
      },
      /^report: the level is/m,
    ],
    [
      'tier is better',
      ({ report }) => {
        report.summary.tiers.core = 'conformant';
      },
      /^report: the level of each tier/m,
    ],
    [
      'counts are better',
      ({ report }) => {
        report.summary.counts.fail = 0;
      },
      /^report: the counts/m,
    ],
    [
      'scenarios are counted wrong',
      ({ report }) => {
        report.summary.scenarioCounts.fail = 0;
      },
      /^report: the count of scenarios/m,
    ],
    [
      'missing requirements are hidden',
      ({ report }) => {
        report.summary.unexercised.pop();
      },
      /^report: what is missing/m,
    ],
    [
      'exit code is better',
      ({ report }) => {
        report.footer!.exitCode = 0;
      },
      /^report: the exit code is 0 in the report, 1/m,
    ],
    [
      'footer says that it was not finished',
      ({ report }) => {
        report.footer!.complete = false;
      },
      /^report: whether it is complete/m,
    ],
    [
      'footer is gone',
      ({ report }) => {
        delete report.footer;
      },
      /^report: it has no footer/m,
    ],
    [
      'agent calls itself otherwise',
      ({ report }) => {
        report.header.agentInfo = { name: 'another', version: '1' };
      },
      /^report: what the agent says of itself/m,
    ],
    [
      'command is another',
      ({ report }) => {
        report.header.command = ['other-agent', ...report.header.command.slice(1)];
      },
      /it is of another program/,
    ],
    [
      'argument is another',
      ({ report }) => {
        report.header.command[report.header.command.length - 1] = 'other';
      },
      /it is of another program/,
    ],
    [
      'tiers are fewer',
      ({ report }) => {
        report.header.options.tiers = ['core'];
      },
      /^report: the level of each tier/m,
    ],
    [
      'bench is another',
      ({ report }) => {
        report.header.tool = '9.9.9';
      },
      /bench 0\.1\.0 wrote it, bench 9\.9\.9 the report/,
    ],
    [
      'failed requirement is dropped',
      ({ report }) => {
        report.requirements = report.requirements.filter(({ id }) => id !== 'CANCEL-02');
      },
      /^report: the list of requirements/m,
    ],
    [
      'finding has another text',
      ({ requirement }) => {
        requirement('CANCEL-02').findings[0]!.evidence.detail = 'a trifle';
      },
      /^CANCEL-02: finding 1 is/m,
    ],
    [
      'finding shows another frame',
      ({ requirement }) => {
        requirement('CANCEL-02').findings[0]!.got!.content = '{}';
      },
      /^CANCEL-02: finding 1 is/m,
    ],
    [
      'finding is dropped',
      ({ requirement }) => {
        requirement('CANCEL-02').findings.pop();
      },
      /^CANCEL-02: the count of findings/m,
    ],
    [
      'requirement was a SHOULD',
      ({ requirement }) => {
        requirement('CANCEL-02').level = 'SHOULD';
      },
      /^CANCEL-02: the word/m,
    ],
    [
      'reason is another',
      ({ requirement }) => {
        requirement('LOAD-05').reason = 'because';
      },
      /^LOAD-05: the reason/m,
    ],
    [
      'scenario passed only alone, or not',
      ({ scenario }) => {
        scenario(passed).onlyAlone = true;
      },
      /whether it passed only alone/,
    ],
    [
      'scenario was tried more often',
      ({ scenario }) => {
        scenario(passed).attempts = 2;
      },
      /the count of attempts/,
    ],
    [
      'trigger fired',
      ({ scenario }) => {
        scenario(failed).triggers = { 'slow-turn': false };
      },
      /which triggers fired/,
    ],
    [
      'failed scenario is dropped',
      ({ report }) => {
        report.scenarios = report.scenarios.filter(({ id }) => id !== failed);
      },
      /^cancel\/streaming\[frames=1\]: the report leaves it out$/m,
    ],
    [
      'failed scenario is dropped with its journal',
      ({ report, folder, scenario }) => {
        rmSync(join(folder, scenario(failed).journals[0]!.file));
        report.scenarios = report.scenarios.filter(({ id }) => id !== failed);
      },
      /^cancel\/streaming\[frames=1\]: the report leaves it out$/m,
    ],
    [
      'journal is named by no scenario',
      ({ folder }) => {
        writeFileSync(join(folder, 'journals/more.jsonl'), '');
      },
      /^journals\/more\.jsonl: the report does not name/m,
    ],
    [
      'failed scenario is said not to be applicable',
      ({ folder, scenario }) => {
        const result = scenario(failed);
        rmSync(join(folder, result.journals[0]!.file));
        Object.assign(result, {
          verdict: 'not-applicable',
          reason: 'it needs no cancelling',
          journals: [],
          decided: {},
          found: {},
          attempts: 0,
        });
      },
      /^cancel\/streaming\[frames=1\]: its verdict is not-applicable, but there is no journal of it, and nothing kept it from being run$/m,
    ],
    [
      'scenario is there twice',
      ({ report, scenario }) => {
        report.scenarios.push(structuredClone(scenario(passed)));
      },
      /the report has it more than once/,
    ],
    [
      'scenario was not selected',
      ({ report }) => {
        report.header.options.skip = [failed];
      },
      /the options of the report do not select it/,
    ],
    [
      'journals are swapped',
      ({ folder, scenario }) => {
        const [a, b] = [failed, other].map(id => join(folder, scenario(id).journals[0]!.file)) as [
          string,
          string,
        ];
        renameSync(a, `${a}.x`);
        renameSync(b, a);
        renameSync(`${a}.x`, b);
      },
      /it is a journal of cancel\/streaming\[frames=3\]/,
    ],
    [
      'verdict is better everywhere',
      ({ report, scenario, requirement }) => {
        for (const id of ['CANCEL-02'])
          Object.assign(requirement(id), { verdict: 'pass', violated: 0, findings: [] });
        for (const id of [failed, other, 'cancel/pending-permission']) {
          const result = scenario(id);
          result.verdict = 'pass';
          for (const each of Object.keys(result.decided)) result.decided[each] = 'pass';
        }
        Object.assign(report.summary, { level: 'partial', tiers: { core: 'partial', scripted: 'partial' } });
        Object.assign(report.footer!, { exitCode: 0 });
      },
      /^CANCEL-02: the verdict is "pass" in the report, "fail" by the journals$/m,
    ],

    // Journals, numbered and digested anew.
    [
      'journal comes from another run',
      ({ lines }) => lines(passed, inLine(/"journal":/, /"run":"[^"]*"/, '"run":"x"')),
      /^report: its journals come from different runs$/m,
    ],
    [
      'journal judges the client',
      ({ lines }) => lines(passed, inLine(/"journal":/, '"subject":"agent"', '"subject":"client"')),
      /it judges the client, the report the agent/,
    ],
    [
      'script was bound to other values',
      ({ lines }) => lines(failed, inLine(/"journal":/, /"workspace":"[^"]*"/, '"workspace":"/x"')),
      /the script gives/,
    ],
    [
      'journal is cut short',
      ({ lines }) => lines(passed, all => all.slice(0, -1)),
      /it ends before process 1 does: entries are missing/,
    ],
    [
      'answer is left out',
      ({ lines }) => lines(failed, all => all.toSpliced(first(all, /"stopReason":"end_turn"/), 1)),
      /it still waits|the script gives/,
    ],
    [
      'answer is altered',
      ({ lines }) => lines(failed, inLine(/"stopReason":"end_turn"/, 'end_turn', 'cancelled')),
      /^cancel\/streaming\[frames=1\]: the verdict is "fail" in the report/m,
    ],
    [
      'step is left out',
      ({ lines }) => lines(passed, all => all.toSpliced(first(all, /"event":"step"/), 1)),
      /the journal has step .*, the script gives step/,
    ],
    [
      'trigger fired by the journal alone',
      ({ lines }) =>
        lines(passed, all =>
          all.toSpliced(
            -2,
            0,
            all
              .at(-1)!
              .replace(
                /"channel".*/,
                '"channel":"bench","what":{"event":"trigger","trigger":"permission","fired":true}}',
              ),
          ),
        ),
      /the journal has trigger permission fired, the script gives nothing/,
    ],
    [
      'wait is over when it was not',
      ({ lines }) =>
        lines(passed, all => {
          const at = first(all, /"error":\{"code":-32601/);
          return all.toSpliced(
            at,
            0,
            all[at]!.replace(/"channel".*/, '"channel":"bench","what":{"event":"timer","id":77}}'),
          );
        }),
      /wait 77 ends, the script gives no such wait/,
    ],
    [
      'frame of the script is said to be the fixture’s',
      ({ lines }) => lines(passed, inLine(/"by":"script"/, '"script"', '"fixture"')),
      /the script gives/,
    ],
    [
      'frame of the script is said to be foreign',
      ({ lines }) => lines(passed, inLine(/"by":"script"/, '"script"', '"foreign"')),
      /its mark says that foreign sent it/,
    ],
    [
      'frame of the fixture is said to be the script’s',
      ({ lines }) => lines('permission/allow', inLine(/"by":"fixture"/, '"fixture"', '"script"')),
      /the script gives/,
    ],
    [
      'frame of the agent is said to be ours',
      ({ lines }) =>
        lines(passed, inLine(/"from":"agent","frame"/, '"from":"agent",', '"from":"agent","by":"script",')),
      /its mark says that script sent it/,
    ],
    [
      'frame of the script is declared faulty',
      ({ lines }) =>
        lines(passed, inLine(/"by":"script"/, '"by":"script",', '"by":"script","declaredFault":true,')),
      /a frame that is declared faulty, the script gives a frame that is not/,
    ],
    [
      'frame of the agent is declared faulty',
      ({ lines }) =>
        lines(
          passed,
          inLine(/"from":"agent","frame"/, '"from":"agent",', '"from":"agent","declaredFault":true,'),
        ),
      /its mark says/,
    ],
    [
      'time runs backwards',
      ({ lines }) => lines(passed, inLine(/"from":"agent","frame"/, /"t":[\d.]+/, '"t":1')),
      /it is earlier than the entry before it/,
    ],
  ];

  for (const [what, change, told] of forgeries) {
    it(`${what} is told`, async () => {
      assert.match(await verified(change), told);
    });
  }
});
