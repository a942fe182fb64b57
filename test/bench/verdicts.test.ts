import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadProfile } from '../../src/profile/index.ts';
import type { Report } from '../../src/report/index.ts';
import {
  compileScript,
  defineScript,
  instancesOf,
  type Script,
  type ScriptInstance,
  type Step,
} from '../../src/script/index.ts';
import { loadMockAgents, loadScenarios } from '../../src/script-library/index.ts';
import { certified, requestFor } from '../helpers/certify.ts';

const scenarios = await loadScenarios();
const mockAgents = await loadMockAgents();
const reference = await loadProfile('reference-agent');

const mockAgent = (id: string): ScriptInstance =>
  instancesOf(mockAgents.find(({ script }) => script.id === id)!)[0]!;
const request = (changes: Parameters<typeof requestFor>[1] = {}) =>
  requestFor(reference.command!, { profile: 'reference-agent', ...changes });
const scenarioOf = (report: Report, id: string) => report.scenarios.find(scenario => scenario.id === id)!;
const requirementOf = (report: Report, id: string) => report.requirements.find(result => result.id === id)!;
const keep = (report: Report): Report => report;

const scenario = async (script: Omit<Script, 'role' | 'title'>): Promise<ScriptInstance> =>
  instancesOf(
    await compileScript(defineScript({ title: 'A scenario of this test', role: 'client', ...script })),
  )[0]!;
const handshake = instancesOf(scenarios.find(({ script }) => script.id === 'initialize/handshake')!)[0]!;

describe('the verdicts of a run', { concurrency: 4 }, () => {
  it('pass: exercised and never violated', async () => {
    const report = await certified(request({ only: ['rpc/unknown-methods'] }), keep);
    assert.equal(scenarioOf(report, 'rpc/unknown-methods').verdict, 'pass');
    assert.equal(requirementOf(report, 'RPC-09').verdict, 'pass');
  });

  it('fail: a violated MUST makes the agent non-conformant, exit 1', async () => {
    const report = await certified(request({ only: ['cancel/streaming'] }), keep, {
      instance: mockAgent('mutants/cancel/cancel-ends-turn-normally'),
    });
    assert.equal(requirementOf(report, 'CANCEL-02').verdict, 'fail');
    assert.equal(report.summary.level, 'non-conformant');
    assert.equal(report.footer!.exitCode, 1);
  });

  it('warn: a violated SHOULD leaves exit 0, and gives 1 with --fail-on warn', async () => {
    const instance = mockAgent('mutants/session/accepts-relative-cwd');
    const only = ['session/relative-cwd'];
    const report = await certified(request({ only }), keep, { instance });
    assert.equal(requirementOf(report, 'SESS-07').verdict, 'warn');
    assert.equal(report.footer!.exitCode, 0);
    const strict = await certified(request({ only, failOn: 'warn' }), keep, { instance });
    assert.equal(strict.footer!.exitCode, 1);
  });

  it('info: what the protocol leaves open is recorded', async () => {
    const report = await certified(request({ only: ['stdio/end-of-input'] }), keep, {
      instance: mockAgent('mutants/framing/outlives-its-input'),
    });
    assert.equal(requirementOf(report, 'FRM-12').verdict, 'info');
  });

  it('inconclusive: a race that is lost in every attempt blames nobody', async () => {
    const report = await certified(request({ only: ['cancel/streaming'] }), keep, {
      instance: mockAgent('behaviour/instant-turns'),
    });
    const { verdict, attempts } = scenarioOf(report, 'cancel/streaming[frames=1]');
    assert.deepEqual({ verdict, attempts }, { verdict: 'inconclusive', attempts: 3 });
    assert.equal(requirementOf(report, 'CANCEL-02').verdict, 'inconclusive');
  });

  it('blocked: what lies behind a login is not held against the agent, and the run is incomplete', async () => {
    const report = await certified(requestFor(reference.command!, { prompts: true }), keep, {
      instance: mockAgent('behaviour/needs-login'),
    });
    const turn = scenarioOf(report, 'prompt/ordinary-turn');
    assert.equal(turn.verdict, 'blocked');
    assert.match(turn.reason!, /session\/new/);
    assert.equal(requirementOf(report, 'PROMPT-03').verdict, 'blocked');
    assert.equal(report.summary.level, 'incomplete');
    assert.equal(report.footer!.exitCode, 1);
  });

  it('blocked without being run: an agent that dies before it answers initialize', async () => {
    const report = await certified(request(), keep, {
      instance: mockAgent('mutants/initialize/dies-at-start'),
    });
    assert.equal(requirementOf(report, 'INIT-05').verdict, 'fail');
    assert.equal(requirementOf(report, 'SESS-07').verdict, 'blocked');
    const others = report.scenarios.filter(({ id }) => id !== 'initialize/handshake');
    assert.deepEqual(
      [...new Set(others.map(({ verdict, attempts }) => `${verdict} ${attempts}`))],
      ['blocked 0'],
    );
    assert.equal(report.summary.level, 'non-conformant');
    assert.equal(report.footer!.exitCode, 1);
  });

  it('not-exercised: no trigger, and the hint says how to give one', async () => {
    const report = await certified(
      requestFor(reference.command!, { prompts: true, tiers: ['scripted'] }),
      keep,
    );
    const { verdict, reason } = scenarioOf(report, 'cancel/pending-permission');
    assert.equal(verdict, 'not-exercised');
    assert.match(reason!, /--trigger permission=/);
  });

  it('not-applicable: a capability that is not advertised', async () => {
    const { script } = mockAgent('behaviour/needs-login');
    const instance = {
      ...mockAgent('behaviour/needs-login'),
      script: { ...script, behaviour: { capabilities: { load: false } } },
    };
    const report = await certified(request({ only: ['load/in-new-process'] }), keep, { instance });
    assert.equal(scenarioOf(report, 'load/in-new-process').verdict, 'not-applicable');
    assert.deepEqual(
      { verdict: requirementOf(report, 'LOAD-11').verdict, reason: requirementOf(report, 'LOAD-11').reason },
      { verdict: 'not-applicable', reason: 'agentCapabilities.loadSession is not advertised' },
    );
  });

  it('unstable: repeats that differ are never green', async () => {
    const report = await certified(
      request({ only: ['rpc/unknown-methods'], repeat: 2 }),
      keep,
      // Each of the two runs starts two processes.
      {
        instance: start => mockAgent(start <= 2 ? 'behaviour/noisy' : 'mutants/rpc/ignores-unknown-methods'),
      },
    );
    assert.equal(requirementOf(report, 'RPC-09').verdict, 'unstable');
    assert.equal(scenarioOf(report, 'rpc/unknown-methods').verdict, 'unstable');
    assert.equal(report.footer!.exitCode, 1);
  });

  it("bench-error: a broken script is nobody else's fault, exit 3", async () => {
    const broken = await scenario({
      id: 'test/no-branch',
      steps: [
        { initialize: {}, as: 'hello' },
        { either: [{ when: { of: 'hello', is: { error: {} } }, fails: ['INIT-05'] }] },
      ],
    });
    const report = await certified(request(), keep, { scenarios: [handshake, broken] });
    assert.equal(scenarioOf(report, 'test/no-branch').verdict, 'bench-error');
    assert.equal(requirementOf(report, 'INIT-05').verdict, 'pass');
    assert.equal(report.footer!.exitCode, 3);
  });

  it('bench-error: a frame of the bench that fits no schema, unless the script declares it', async () => {
    const steps = (fault: boolean): Step[] => [
      { initialize: {} },
      { request: 'session/new', as: 'x', params: { cwd: 7 }, ...(fault && { fault: true as const }) },
      { expect: { response: 'x' }, checks: ['RPC-05'] },
    ];
    const report = await certified(request(), keep, {
      scenarios: [
        handshake,
        await scenario({ id: 'test/faulty', steps: steps(false) }),
        await scenario({ id: 'test/declared', steps: steps(true) }),
      ],
    });
    assert.equal(scenarioOf(report, 'test/faulty').verdict, 'bench-error');
    assert.equal(scenarioOf(report, 'test/declared').verdict, 'pass');
  });

  it('only-alone: a wait that is met only with nothing beside it counts, and is listed', async () => {
    const slow = await scenario({
      id: 'test/slow',
      steps: [{ initialize: {} }, { expect: { method: '_alone' }, within: '200ms', checks: ['RPC-05'] }],
    });
    const other = await scenario({
      id: 'test/other',
      steps: [{ initialize: {} }, { quiet: { match: { event: 'exit' }, for: '50ms' }, checks: ['RPC-05'] }],
    });
    const [speaking] = instancesOf(
      await compileScript(
        defineScript({
          id: 'test/speaking',
          title: 'Speaks',
          role: 'agent',
          steps: [{ notify: '_alone', delay: '20ms' }],
        }),
      ),
    );
    // The fourth process is the one of the repeat.
    const report = await certified(request({ jobs: 2 }), keep, {
      instance: start => (start < 4 ? mockAgent('behaviour/noisy') : speaking!),
      scenarios: [handshake, slow, other],
    });
    const { verdict, onlyAlone } = scenarioOf(report, 'test/slow');
    assert.deepEqual({ verdict, onlyAlone }, { verdict: 'pass', onlyAlone: true });
    assert.equal(scenarioOf(report, 'test/other').onlyAlone, undefined);
  });
});
