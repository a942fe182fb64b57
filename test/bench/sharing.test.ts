import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { verifyReport } from '../../src/bench/index.ts';
import { mayShare, unitsOf } from '../../src/bench/sharing.ts';
import { loadProfile } from '../../src/profile/index.ts';
import { type Report, toJson } from '../../src/report/index.ts';
import { compileScript, defineScript, instancesOf, type Script, type Step } from '../../src/script/index.ts';
import { certified, requestFor } from '../helpers/certify.ts';

const reference = await loadProfile('reference-agent');
const profile = 'reference-agent';

const scenario = async (script: Partial<Script> & { readonly id: string }) =>
  instancesOf(await compileScript(defineScript({ title: 'A scenario', role: 'client', ...script })))[0]!;

/** Opens a session, which must work. */
const opens: readonly Step[] = [
  { initialize: {} },
  { request: 'session/new', as: 'new', params: { cwd: '$workspace', mcpServers: [] } },
  { expect: { response: 'new', result: {} }, checks: ['SESS-02'] },
];
const plain = (name: string, steps: readonly Step[] = opens) => scenario({ id: `share/${name}`, steps });

const journalsOf = ({ scenarios }: Report) =>
  new Set(scenarios.flatMap(({ journals }) => journals.map(({ file }) => file)));

const verdicts = ({ scenarios }: Report) =>
  Object.fromEntries(
    scenarios.map(({ id, verdict, onlyAlone = false }) => [id, onlyAlone ? 'alone' : verdict]),
  );

describe('what may share a process', () => {
  const base: Script = { id: 'a/b', title: 'A', role: 'client', steps: opens };
  const never: Readonly<Record<string, Script>> = {
    'another handshake': { ...base, steps: [{ initialize: { version: 0 } }, ...opens.slice(1)] },
    'no handshake': { ...base, steps: opens.slice(1) },
    'a file in the workspace': { ...base, files: { 'a.txt': 'x' } },
    'hands of its own': { ...base, handlers: [{ match: { method: 'fs/read_text_file' }, steps: [] }] },
    'a broken line': { ...base, steps: [...opens, { raw: { text: '42' } }] },
    'a frame that is faulty on purpose': {
      ...base,
      steps: [...opens, { notify: 'session/cancel', params: {}, fault: true }],
    },
    'an id of its own': { ...base, steps: [...opens, { request: 'session/list', id: 0 }] },
    'a restart': { ...base, steps: [...opens, { restart: { stop: 'eof' } }] },
    'an end of input': { ...base, steps: [...opens, { close: 'input' }] },
    'a login, even in a branch': {
      ...base,
      steps: [...opens, { either: [{ else: true, steps: [{ request: 'authenticate', params: {} }] }] }],
    },
  };
  it('is what begins plainly and leaves no trace', () => assert.equal(mayShare(base), true));
  for (const [name, script] of Object.entries(never)) {
    it(`is not what has ${name}`, () => assert.equal(mayShare(script), false));
  }

  it('is spread evenly over the jobs, and not at all when each is to be isolated', async () => {
    const instances = await Promise.all(['1', '2', '3', '4', '5'].map(name => plain(name)));
    const own = await scenario({ id: 'share/own', steps: opens.slice(1) });
    const ids = (isolate: boolean) =>
      unitsOf([own, ...instances], { jobs: 2, isolate }).map(unit => unit.map(({ id }) => id.slice(6)));
    assert.deepEqual(ids(false), [['1', '3', '5'], ['2', '4'], ['own']]);
    assert.deepEqual(ids(true), [['own'], ['1'], ['2'], ['3'], ['4'], ['5']]);
  });
});

describe('scenarios that share a process', { concurrency: 2 }, () => {
  const request = requestFor(reference.command!, { profile, jobs: 1 });

  it('get the verdicts of scenarios that do not, from fewer processes', async () => {
    const only = ['session/*', 'prompt/ordinary-turn', 'cancel/streaming', 'rpc/unknown-*'];
    const seen = (isolate: boolean) =>
      certified({ ...request, only, isolate }, report => ({
        verdicts: verdicts(report),
        processes: journalsOf(report).size,
        scenarios: report.scenarios.length,
      }));
    const [shared, isolated] = [await seen(false), await seen(true)];
    assert.deepEqual(shared.verdicts, isolated.verdicts);
    assert.equal(isolated.processes, isolated.scenarios);
    assert.ok(shared.processes < isolated.processes);
  });

  it('are not blamed for what an earlier one left behind: alone, they decide anew', async () => {
    const [instance] = instancesOf(
      await compileScript(
        defineScript({
          id: 'test/one-session',
          title: 'Opens one session and no other',
          role: 'agent',
          handlers: [
            {
              match: { method: 'session/new', nth: 2 },
              steps: [{ respond: '$request.id', error: { code: -32603, message: 'No more' } }],
            },
          ],
        }),
      ),
    );
    const scenarios = await Promise.all(['1', '2', '3'].map(name => plain(name)));
    const handshake = await plain('handshake', [{ initialize: {} }]);
    const seen = await certified(
      request,
      async (report, folder) => ({
        verdicts: verdicts(report),
        journals: report.scenarios.map(({ journals }) => journals.map(({ file }) => file)),
        kept:
          readFileSync(join(folder, 'journals/shared-1.jsonl'), 'utf8').split('"event":"scenario"').length -
          1,
      }),
      { instance: instance!, scenarios: [handshake, ...scenarios] },
    );
    assert.deepEqual(seen.verdicts, {
      'share/handshake': 'not-exercised',
      'share/1': 'pass',
      'share/2': 'alone',
      'share/3': 'pass',
    });
    // The third was not run where the second had failed.
    assert.equal(seen.kept, 2);
    assert.deepEqual(seen.journals.slice(1), [
      ['journals/shared-1.jsonl'],
      ['journals/shared-1.jsonl', 'journals/share-2.2.jsonl'],
      ['journals/share-3.jsonl'],
    ]);
  });

  it('are derived again from their journal, and none of them can be left out of the report', async () => {
    const only = ['prompt/empty', 'prompt/ordinary-turn'];
    const [before, after] = await certified({ ...request, only }, async (report, folder) => {
      const told = async () =>
        (await verifyReport(folder)).differences.map(({ subject, detail }) => `${subject}: ${detail}`);
      const untouched = await told();
      const scenarios = report.scenarios.map(each =>
        each.id === 'prompt/ordinary-turn' ? { ...each, journals: [], attempts: 0 } : each,
      );
      writeFileSync(join(folder, 'report.json'), toJson({ ...report, scenarios }));
      return [untouched, await told()];
    });
    assert.deepEqual(before, []);
    assert.ok(
      after!.includes(
        'journals/shared-1.jsonl: prompt/ordinary-turn was run in it, which the report does not say',
      ),
      after!.join('\n'),
    );
  });
});
