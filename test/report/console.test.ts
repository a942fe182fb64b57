import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pc from 'picocolors';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { closingLine, type Report, scenarioLine, toConsole, toJson } from '../../src/report/index.ts';

const colors = pc.createColors(false);
const catalogue = loadCatalogue();

const report: Report = {
  header: {
    report: 'acp-testbench/1',
    tool: '0.1.0',
    rulesDigest: '0'.repeat(64),
    schemaRelease: 'latest',
    subject: 'agent',
    command: ['my agent', '--acp'],
    agentInfo: { name: 'my-agent', version: '2.0' },
    platform: 'linux',
    startedAt: '2026-11-30T18:00:00.000Z',
    options: {
      rules: '0.1.0',
      allow: ['logout'],
      home: 'inherit',
      profile: 'mine.yaml',
      triggers: ["permission=Delete Ann's notes."],
      env: ['DEBUG'],
      secrets: ['TOKEN'],
    },
  },
  summary: {
    level: 'non-conformant',
    tiers: { core: 'partial', scripted: 'non-conformant' },
    counts: { pass: 1, fail: 1, warn: 1 },
    scenarioCounts: {},
    unexercised: ['SESS-05', 'SESS-06'],
  },
  requirements: [
    {
      id: 'CANCEL-02',
      party: 'agent',
      level: 'MUST',
      verdict: 'fail',
      exercised: 2,
      violated: 2,
      findings: [
        {
          verdict: 'fail',
          scenario: 'cancel/pending-permission',
          journal: 'journals/cancel-pending-permission.jsonl',
          evidence: {
            detail: 'A cancelled turn did not end as cancelled',
            seq: 44,
            after: 41,
            pointer: '/result/stopReason',
            expected: 'a result with stopReason cancelled',
            hint: 'Map the abort to stopReason "cancelled" before answering the prompt.',
          },
          sent: { seq: 41, t: 100, label: 'frame of the client', content: '{"method":"session/cancel"}' },
          got: {
            seq: 44,
            t: 112.4,
            label: 'frame of the agent',
            content: '{"result":{"stopReason":"end_turn"}}',
          },
        },
      ],
    },
    {
      id: 'SESS-07',
      party: 'agent',
      level: 'SHOULD',
      verdict: 'warn',
      exercised: 1,
      violated: 1,
      findings: [{ verdict: 'warn', journal: 'journals/x.jsonl', evidence: { detail: 'it was accepted' } }],
    },
    {
      id: 'RPC-09',
      party: 'both',
      level: 'SHOULD',
      verdict: 'pass',
      exercised: 1,
      violated: 0,
      findings: [],
    },
  ],
  scenarios: [],
  footer: { complete: true, finishedAt: '2026-11-30T18:00:10.000Z', exitCode: 1 },
};

describe('a report in the terminal', () => {
  const lines = toConsole(report, { catalogue, colors, folder: 'reports/1', verbose: false }).split('\n');
  const has = (text: string) =>
    assert.ok(
      lines.some(line => line.includes(text)),
      `no line has: ${text}\n${lines.join('\n')}`,
    );

  it('shows of a failure its statement, source, what was sent, expected and got, and when', () => {
    has(
      'FAIL  CANCEL-02  MUST  After session/cancel the pending session/prompt is answered with stopReason cancelled.',
    );
    has('https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation');
    has('sent       #41  {"method":"session/cancel"}');
    has('expected   a result with stopReason cancelled');
    has('got        #44  {"result":{"stopReason":"end_turn"}}      +12 ms');
    has('at         /result/stopReason');
    has('hint       Map the abort');
  });

  it('names the scenario, a command line that a shell reads back, and the line of the journal', () => {
    has('in         cancel/pending-permission (1 scenario, 2 findings)');
    has(
      `reproduce  acp-testbench certify --only cancel/pending-permission --schema latest --rules 0.1.0 --profile mine.yaml --allow logout --trigger 'permission=Delete Ann'\\''s notes.' --env DEBUG=… --secret TOKEN --home inherit -- 'my agent' --acp`,
    );
    // The header is line 1, so entry 44 stands on line 45.
    has('journal    reports/1/journals/cancel-pending-permission.jsonl:45');
  });

  it('is brief about warnings unless asked', () => {
    has('WARN  SESS-07  SHOULD (disputed)  Agent refuses a relative cwd');
    assert.ok(!lines.some(line => line.includes('journals/x.jsonl')));
    const verbose = toConsole(report, { catalogue, colors, folder: 'reports/1', verbose: true });
    assert.match(verbose, /journals\/x\.jsonl/);
  });

  it('ends with level and counts', () => {
    has('Agent     my-agent 2.0');
    has('Tier      core      partial');
    has('Missing   SESS-05, SESS-06');
    assert.equal(lines.filter(line => line !== '').at(-1), 'non-conformant  1 pass, 1 fail, 1 warn');
  });

  it('says that an interrupted report is partial', () => {
    const interrupted = {
      ...report,
      footer: { ...report.footer!, complete: false, interrupted: true as const },
    };
    assert.match(closingLine(interrupted, colors), /^non-conformant \(interrupted: partial report\)/);
  });
});

describe('what an agent wrote, in a terminal', () => {
  const hostile = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2028\r\nconformant\u007f';
  const unsafe = /[^\P{Cc}\n]|[\u202e\u2028]/u;
  const [failed, ...others] = report.requirements;
  const [finding] = failed!.findings;
  const agentInfo = { name: hostile, version: hostile };
  const told: Report = {
    ...report,
    header: { ...report.header, agentInfo },
    requirements: [
      {
        ...failed!,
        findings: [
          {
            ...finding!,
            evidence: { ...finding!.evidence, detail: hostile, expected: hostile, pointer: hostile },
            got: { ...finding!.got!, content: hostile },
          },
        ],
      },
      ...others,
    ],
  };

  it('shows as escapes what the terminal would obey, and no line that is not ours', () => {
    const text = toConsole(told, { catalogue, colors, folder: 'reports/1', verbose: true });
    assert.doesNotMatch(text, unsafe);
    assert.match(text, /because {4}a\\u001b\]0;owned/);
    assert.equal(
      text.split('\n').length,
      toConsole(report, { catalogue, colors, folder: 'reports/1', verbose: true }).split('\n').length,
    );
  });

  it('does so in the line of a scenario and in JSON, which stays the same value', () => {
    const scenario = {
      id: 'a/b',
      title: '',
      durationMs: 1,
      attempts: 1,
      journals: [],
      decided: {},
      found: {},
    };
    assert.doesNotMatch(scenarioLine({ ...scenario, verdict: 'blocked', reason: hostile }, colors), unsafe);
    assert.doesNotMatch(toJson(told), unsafe);
    assert.deepEqual(JSON.parse(toJson(told)), told);
  });

  it('takes what it says of itself whatever its type', () => {
    for (const agentInfo of [null, 'me', 7, { name: {} }, { name: 'me', version: { toString: 1 } }]) {
      const odd: Report = { ...report, header: { ...report.header, agentInfo } };
      assert.match(toConsole(odd, { catalogue, colors, verbose: false }), /non-conformant {2}1 pass/);
    }
  });
});

describe('the line of a scenario', () => {
  const scenario = {
    id: 'a/b',
    title: '',
    durationMs: 12.4,
    attempts: 1,
    journals: [],
    decided: { 'RPC-05': 'pass' },
  } as const;

  it('holds verdict, id and duration, and why', () => {
    const line = scenarioLine({ ...scenario, verdict: 'blocked', reason: 'no session', found: {} }, colors);
    assert.match(line, /^blocked {8}a\/b +12 ms {2}no session$/);
  });

  it('names failures that rules found beyond its steps, no warnings, and nothing twice', () => {
    const found = { 'RPC-05': 'fail', 'INIT-14': 'warn', 'TOOL-02': 'fail' } as const;
    const line = scenarioLine(
      { ...scenario, decided: { 'TOOL-02': 'fail' }, verdict: 'fail', found },
      colors,
    );
    assert.match(line, /ms {2}rules found RPC-05$/);
  });
});
