/** The example agents of the ACP SDK, which nobody here wrote, certified as their users would. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { shipped } from '../../src/base/index.ts';
import { type Entry, readJournal } from '../../src/journal/index.ts';
import type { Report } from '../../src/report/index.ts';
import { isObject, type JsonObject } from '../../src/wire/index.ts';
import { type Row, rowsOfReport } from '../../tools/known-findings/collect.ts';
import { readSection, sorted } from '../../tools/known-findings/document.ts';
import { titles } from '../../tools/known-findings/sections.ts';
import { certifiedExample, isInstalled, type SdkVersion } from '../helpers/sdk-examples.ts';

const knownFindings = readFileSync(shipped('docs/known-findings.md'), 'utf8');

/** What is only recorded: initialize() names no MCP transport. */
const recorded = ['MCP-03'];

/** One turn of the examples with its edit allowed, as their source has it. */
const turn = [
  'C session/prompt',
  'A agent_message_chunk',
  'A tool_call call_1 pending',
  'A tool_call_update call_1 completed',
  'A agent_message_chunk',
  'A tool_call call_2 pending',
  'A session/request_permission call_2',
  'C selected allow',
  'A tool_call_update call_2 completed',
  'A agent_message_chunk',
  'A end_turn',
];

/** A line that is no message, and what becomes of the example: it dies with this code, or hears nothing any more. */
interface Fatal {
  readonly scenario: string;
  readonly ends: { readonly exit: number } | 'silent';
}

const number = 'rpc/not-a-message[lines=42]';
const batch = 'rpc/not-a-message[lines=#3]';

interface Example {
  readonly version: SdkVersion;
  readonly fatal?: Fatal;
  /** How often a line that is not JSON is answered. */
  readonly parseErrors: number;
  /** Beside `recorded`: its schema knows no lenient members, so that a malformed clientInfo is refused. */
  readonly recorded?: readonly string[];
}

const examples: readonly Example[] = [
  // Asks whether a number has a member "method": a TypeError, which nobody catches.
  { version: '0.14.1', parseErrors: 0, fatal: { scenario: number, ends: { exit: 1 } }, recorded: ['SCH-04'] },
  { version: '0.21.1', parseErrors: 0, fatal: { scenario: number, ends: { exit: 1 } }, recorded: ['SCH-04'] },
  // The same TypeError closes the connection, and the process goes on.
  { version: '1.0.0', parseErrors: 0, fatal: { scenario: number, ends: 'silent' }, recorded: ['SCH-04'] },
  { version: '1.2.1', parseErrors: 0 },
  // Takes an array for the end of the connection.
  { version: '1.4.0', parseErrors: 1, fatal: { scenario: batch, ends: { exit: 0 } } },
];
const isRequired = process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES === '1';

// Their turns are mostly waiting: one second after each step.
describe('the example agents of the SDK', { concurrency: true }, () => {
  for (const { version, parseErrors, fatal, recorded: more = [] } of examples) {
    const isMissing = !isInstalled(version);
    if (isMissing)
      console.error(`NOTICE: acp-sdk-${version} is not installed: the bench is not tried on that SDK.`);

    describe(version, { skip: isMissing && !isRequired && 'it is not installed' }, () => {
      let report: Report;
      let rows: readonly Row[];
      const journals = new Map<string, readonly Entry[]>();

      before(async () => {
        assert.ok(!isMissing, `acp-sdk-${version} is installed`);
        report = await certifiedExample(version, (whole, folder) => {
          rows = rowsOfReport(whole, folder, version);
          for (const { id, journals: files } of whole.scenarios)
            if (files.length > 0)
              journals.set(id, [...readJournal(join(folder, files.at(-1)!.file)).entries]);
          return whole;
        });
      });

      it('has held against it what the known findings say, and nothing else', () => {
        assert.deepEqual(
          sorted(rows),
          sorted(readSection(knownFindings, titles.examples).filter(({ where }) => where === version)),
        );
        const infos = report.requirements.filter(({ verdict }) => verdict === 'info');
        assert.deepEqual(infos.map(({ id }) => id).sort(), [...recorded, ...more].sort());
        assert.equal(report.summary.level, 'non-conformant');
        assert.equal(report.footer?.exitCode, 1);
      });

      it('is blamed for the line that ends it in RPC-12, and nowhere else', () => {
        const blamed = report.scenarios.filter(({ decided }) => decided['RPC-12'] === 'warn');
        assert.deepEqual(
          blamed.map(({ id }) => id).filter(id => id !== 'rpc/not-a-message[lines=#2]'),
          fatal ? [fatal.scenario] : [],
          'the second family member holds text, null and true: values as the number is one',
        );
        const { evidence } = report.requirements.find(({ id }) => id === 'RPC-12')!.findings[0] ?? {};
        if (!fatal) assert.equal(evidence, undefined);
        else if (fatal.ends === 'silent') assert.equal(evidence?.timedOut, true);
        else {
          assert.equal(evidence?.ended, true);
          const exit = (journals.get(fatal.scenario) ?? []).flatMap(entry =>
            entry.channel === 'process' && entry.what.event === 'exit' ? [entry.what.code] : [],
          );
          assert.deepEqual(exit, [fatal.ends.exit]);
        }
      });

      it('plays a whole turn, with a tool call and an answered permission request', () => {
        const frames = framesOf(journals.get('permission/allow'));
        const from = frames.findIndex(({ frame }) => frame.method === 'session/prompt');
        assert.deepEqual(
          frames.slice(from).map(({ from, frame }) => `${from === 'agent' ? 'A' : 'C'} ${nameOf(frame)}`),
          turn,
        );
        const idsOf = (method: string) =>
          frames.filter(({ frame }) => frame.method === method).map(({ frame }) => frame.id);
        const answered = new Set(
          frames.filter(({ frame }) => 'result' in frame).map(({ frame }) => frame.id),
        );
        for (const method of ['session/prompt', 'session/request_permission'])
          assert.ok(answered.has(idsOf(method)[0]!), `${method} is answered with its id`);
      });

      it('is right where it is right: unknown methods, unreadable lines, the end of its input', () => {
        const verdictOf = (id: string) => report.requirements.find(result => result.id === id)?.verdict;
        assert.deepEqual(['RPC-09', 'RPC-11', 'FRM-12', 'CANCEL-03', 'PERM-10'].map(verdictOf), [
          'pass',
          'pass',
          'pass',
          'pass',
          'pass',
        ]);
        const refusals = framesOf(journals.get('rpc/malformed-line[line=#1]')).filter(
          ({ frame }) => isObject(frame.error) && frame.error.code === -32700 && frame.id === null,
        );
        assert.equal(refusals.length, parseErrors);
      });
    });
  }
});

const framesOf = (entries: readonly Entry[] = []) =>
  entries.flatMap(entry =>
    entry.channel === 'acp' && entry.line.kind === 'frame'
      ? { from: entry.from, frame: entry.line.value }
      : [],
  );

/** What a frame is, in the words of `turn`. */
const nameOf = ({ method, params, result }: JsonObject): string => {
  const { update, toolCall } = isObject(params) ? params : ({} as JsonObject);
  if (isObject(update))
    return [update.sessionUpdate, update.toolCallId, update.status].filter(Boolean).join(' ');
  if (isObject(toolCall)) return `${method} ${toolCall.toolCallId}`;
  if (typeof method === 'string') return method;
  const { stopReason, outcome } = isObject(result) ? result : ({} as JsonObject);
  return isObject(outcome) ? `${outcome.outcome} ${outcome.optionId}` : String(stopReason);
};
