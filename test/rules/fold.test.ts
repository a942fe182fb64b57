import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import {
  type AnyRule,
  allRules,
  type BenchFault,
  createRuleFold,
  defineRule,
  rulesFor,
} from '../../src/rules/index.ts';
import { isFrame } from '../../src/rules/seen.ts';
import type { Party } from '../../src/wire/party.ts';
import { type CollectingJudge, createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';
import {
  agent,
  agentAsks,
  cancel,
  cancelledOutcome,
  chunk,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  selected,
  stopped,
  toolCall,
  toolUpdate,
  update,
} from '../helpers/steps.ts';

let protocol: Protocol;
before(async () => {
  protocol = await loadProtocol('latest');
});

const fold = (
  steps: readonly string[],
  options: { subject?: Party; rules?: readonly AnyRule[]; onBenchFault?: (fault: BenchFault) => void } = {},
): CollectingJudge => {
  const judge = createCollectingJudge();
  const running = createRuleFold({ protocol, subject: 'agent', judge, ...options });
  for (const entry of exchange(steps)) running.step(entry);
  running.end();
  return judge;
};

/** A conversation in which both sides do everything right. */
const flawless: readonly string[] = [
  ...initialize({
    client: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    agent: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
  }),
  ...newSession(),
  update({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'help', description: 'Help' }],
  }),
  prompt(),
  chunk('Reading', { messageId: 'm-1' }),
  toolCall('t-1', { kind: 'read', status: 'pending', locations: [{ path: '/w/a.txt', line: 1 }] }),
  permission('t-1'),
  selected('yes'),
  toolUpdate('t-1', { status: 'in_progress' }),
  ...agentAsks('r', 'fs/read_text_file', { sessionId: 's-1', path: '/w/a.txt' }, { content: 'x' }),
  ...agentAsks(
    'c',
    'terminal/create',
    { sessionId: 's-1', command: 'ls', cwd: '/w' },
    { terminalId: 'term' },
  ),
  toolUpdate('t-1', { content: [{ type: 'terminal', terminalId: 'term' }] }),
  ...agentAsks('w', 'terminal/wait_for_exit', { sessionId: 's-1', terminalId: 'term' }, { exitCode: 0 }),
  ...agentAsks('e', 'terminal/release', { sessionId: 's-1', terminalId: 'term' }, {}),
  toolUpdate('t-1', { status: 'completed' }),
  update({ sessionUpdate: 'usage_update', used: 10, size: 100 }),
  stopped(),
  update({ sessionUpdate: 'session_info_update', title: 'Reading' }),
  prompt(8),
  toolCall('t-2'),
  permission('t-2', {}, {}, 'p2'),
  cancel(),
  client({ id: 'p2', result: { outcome: { outcome: 'cancelled' } } }),
  toolUpdate('t-2', { status: 'failed' }),
  stopped('cancelled', 8),
  client({ id: 9, method: 'session/close', params: { sessionId: 's-1' } }),
  agent({ id: 9, result: {} }),
  'EVENT input-closed',
  'EVENT eof',
  'EVENT exit',
];

describe('the rule fold', () => {
  it('finds nothing in a conversation without a flaw, whoever is judged', () => {
    for (const subject of ['agent', 'client'] as const) {
      assert.deepEqual(fold(flawless, { subject }).violations, []);
    }
  });

  it('judges the subject alone: what the other party breaks is no violation', () => {
    const bad = [
      ...ready,
      'C>A RAW rubbish',
      client({ id: 5, method: 'session/new', params: { cwd: 'relative' } }),
    ];
    assert.deepEqual(fold(bad).violations, []);
    assert.ok(fold(bad, { subject: 'client' }).violatedIds().includes('SESS-04'));
  });

  it('counts a violation as an opportunity even where no rule counted one', () => {
    const judge = fold(['A>C RAW {', 'A>C RAW "a": 1', 'A>C RAW }']);
    assert.equal(judge.counts.get('FRM-03'), 1);
  });

  it('gives a rule only what it asked for', () => {
    const seen: string[] = [];
    const rule = (on: readonly string[]) =>
      defineRule<undefined>({
        name: 'probe',
        on,
        requirements: {},
        init: () => undefined,
        step: (_, each) =>
          seen.push(isFrame(each) ? (each.kind ?? each.method ?? 'line') : each.entry.channel),
      });
    const steps = [prompt(), chunk(), toolCall('t'), stopped(), 'A>C RAW x', 'EVENT eof'];
    const told = (...on: readonly string[]) => {
      seen.length = 0;
      fold(steps, { rules: [rule(on)] });
      return [...seen];
    };
    assert.deepEqual(told('session/prompt'), ['session/prompt', 'session/prompt']);
    assert.deepEqual(told('update:tool_call'), ['tool_call']);
    assert.deepEqual(told('session/update'), ['agent_message_chunk', 'tool_call']);
    assert.deepEqual(told('other'), ['process']);
    assert.equal(told('line').length, 5);
  });

  const toldBy = (on: readonly string[], steps: readonly string[]): readonly string[] => {
    const seen: string[] = [];
    const probe = defineRule<undefined>({
      name: 'probe',
      on,
      requirements: {},
      init: () => undefined,
      step: (_, { entry }) => seen.push(entry.channel === 'acp' ? String(entry.line.bytes) : entry.channel),
    });
    fold(steps, { rules: [probe] });
    return seen;
  };

  it('gives a rule the traits that it asked for', () => {
    const late = chunk('late');
    const stray = chunk('stray', {}, 's-9');
    const custom = agent({ method: '_x/y', params: ['list'] });
    const faulty = update({ sessionUpdate: 'zork' });
    const early = agent({ method: '_early' });
    const invalid = 'A>C {"jsonrpc":"1.0","method":"_z"}';
    const noted = chunk('noted', { _meta: {} });
    const turned = chunk('turned');
    const steps = [
      ...[early, ...ready, late, stray, prompt(), turned, custom, faulty, noted, invalid],
      ...['A>C RAW rubbish', stopped(), 'EVENT eof'],
    ];
    const bytes = (...lines: readonly string[]) => lines.map(line => line.slice('A>C '.length));
    assert.deepEqual(toldBy(['idle-update'], steps), bytes(late, stray));
    assert.deepEqual(toldBy(['stray-update'], steps), bytes(stray));
    assert.deepEqual(toldBy(['turn-update'], steps), bytes(turned, noted));
    assert.deepEqual(toldBy(['custom'], steps), bytes(early, custom, invalid));
    assert.deepEqual(toldBy(['odd-params'], steps), bytes(custom));
    assert.deepEqual(toldBy(['faulty'], steps), bytes(faulty));
    assert.deepEqual(toldBy(['meta'], steps), bytes(noted));
    assert.deepEqual(toldBy(['invalid'], steps), bytes(invalid));
    assert.deepEqual(toldBy(['malformed'], steps), ['rubbish']);
    assert.deepEqual(toldBy(['unagreed'], steps).length, 2);
    assert.deepEqual(
      toldBy(['peer'], steps),
      toldBy(['line'], steps).filter(line => /"client|cwd|prompt"/.test(line)),
    );
  });

  it('takes no method off the wire for a topic of another sort', () => {
    const steps = ['malformed', 'other', 'faulty', 'update:plan'].map(method =>
      agent({ method: `${method}` }),
    );
    assert.deepEqual(toldBy(['malformed', 'other', 'update:plan'], [...ready, ...steps]), []);
  });

  it('counts what needs no step: frames of the judged party, by their topics', () => {
    const rule: AnyRule = {
      name: 'probe',
      on: [],
      requirements: {},
      counts: () => ({
        'RPC-01': ['frame'],
        'UPD-01': ['update:plan', 'update:agent_message_chunk'],
        'RPC-07': ['request'],
      }),
      init: () => undefined,
      step: () => assert.fail('nothing was asked for'),
    };
    const { counts } = fold([...ready, chunk(), chunk(), update({ sessionUpdate: 'zork' }), 'A>C RAW x'], {
      rules: [rule],
    });
    assert.deepEqual([...counts].sort(), [
      ['RPC-01', 5],
      ['UPD-01', 2],
    ]);
  });

  it('keeps one state for each connection, or one for the run', () => {
    const counts: number[] = [];
    const rule = (scope?: 'run'): AnyRule => ({
      name: 'probe',
      on: ['line'],
      requirements: {},
      ...(scope && { scope }),
      init: () => ({ lines: 0 }),
      step: (state: { lines: number }) => void state.lines++,
      end: (state: { lines: number }) => void counts.push(state.lines),
    });
    const steps = [prompt(), 'EVENT restart', prompt(), prompt(8)];
    fold(steps, { rules: [rule()] });
    assert.deepEqual(counts.splice(0), [1, 2]);
    fold(steps, { rules: [rule('run')] });
    assert.deepEqual(counts, [3]);
  });

  it('lets only rules of every version see what follows another agreed version', () => {
    const other = initialize({ result: { protocolVersion: 2 } });
    const judge = fold([...other, update({ sessionUpdate: 'zork' }), 'A>C RAW rubbish']);
    assert.deepEqual(judge.violatedIds(), ['FRM-02', 'FRM-04', 'INIT-06']);
  });

  it('tells facts of each connection', () => {
    const running = createRuleFold({ protocol, subject: 'agent', judge: createCollectingJudge() });
    for (const entry of exchange([...ready, 'EVENT restart', ...initialize()])) running.step(entry);
    assert.deepEqual(
      running.connections.map(({ connection }) => connection),
      [1, 2],
    );
  });

  it('finds the rules of a requirement by its id', () => {
    assert.deepEqual(
      rulesFor('PROMPT-16').map(({ name }) => name),
      ['turn-fence'],
    );
    assert.deepEqual(rulesFor('ZORK-01'), []);
  });

  it('names only requirements of the catalogue, and of the party that a rule is for', () => {
    const { requirements } = loadCatalogue();
    for (const { name, party, requirements: decided, counts } of allRules) {
      for (const id of Object.keys(decided)) {
        const bound = requirements.get(id)?.party;
        assert.ok(bound, `${id} of ${name}`);
        if (party) assert.ok(bound === party || bound === 'both', `${id} of ${name} binds the ${bound}`);
      }
      for (const subject of ['agent', 'client'] as const) {
        const counted = Object.keys(counts?.({ subject, protocol }) ?? {});
        for (const id of counted) assert.ok(decided[id], `${id} is counted by ${name}`);
      }
    }
  });

  it('has a name of its own for each rule', () => {
    const names = allRules.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });
});

describe('faults of the bench', () => {
  const faults = (...steps: readonly string[]): readonly BenchFault[] => {
    const found: BenchFault[] = [];
    const judge = fold([...ready, ...steps], { onBenchFault: fault => found.push(fault) });
    assert.deepEqual(judge.violations, []);
    return found;
  };

  it('are told beside the judge, with the place', () => {
    const [fault] = faults(client({ id: 5, method: 'session/prompt', params: { sessionId: 's-1' } }));
    assert.equal(fault?.pointer, '/params/prompt');
    assert.equal(fault?.seq, 5);
  });

  it('include malformed lines and envelopes', () => {
    assert.equal(faults('C>A RAW rubbish').length, 1);
    assert.equal(faults('C>A {"id":5,"method":"session/list","params":{}}').length, 1);
  });

  it('do not include a line that was cut off while it went out in pieces', () => {
    assert.deepEqual(faults('C>A RAW- {"jsonrpc":"2.0","id":5,"meth'), []);
  });

  it('are exempt when the script declares them', () => {
    assert.deepEqual(faults('C>A FAULTY {"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{}}'), []);
  });

  it('do not include what a correct bench sends', () => {
    assert.deepEqual(faults(prompt(), toolCall('t-1'), permission(), cancel(), cancelledOutcome), []);
  });
});
