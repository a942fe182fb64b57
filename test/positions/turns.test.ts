/** Where the positions on turns, tools and cancels draw the line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  agent,
  asks,
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
  turn,
  update,
} from '../helpers/steps.ts';
import { clientVerdictsOf, judged, verdictsOf } from './judged.ts';

const inTurn = [...ready, prompt(), toolCall('t-1')];

describe('A-08: a tool_call that comes again', () => {
  it('is a warning before a final status and a failure after it', () => {
    assert.deepEqual(judged([...inTurn, toolCall('t-1')]).verdicts, ['warn TOOL-02']);
    assert.deepEqual(
      judged([...inTurn, toolUpdate('t-1', { status: 'completed' }), toolCall('t-1')]).verdicts,
      ['fail TOOL-02'],
    );
  });

  it('is none after a permission request alone named the call', () => {
    assert.deepEqual(judged([...ready, prompt(), permission('t-9'), toolCall('t-9')]).verdicts, [
      'warn TOOL-18',
    ]);
  });
});

describe('A-21: what may follow the end of a turn', () => {
  const after = (stop: string, late: string) =>
    judged([...ready, prompt(), ...(stop === 'cancelled' ? [cancel()] : []), stopped(stop), late]).verdicts;
  const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });

  it('content is a warning after end_turn and a failure after cancelled', () => {
    assert.deepEqual(after('end_turn', chunk()), ['warn PROMPT-16']);
    assert.deepEqual(after('cancelled', chunk()), ['fail CANCEL-04']);
  });

  it('session-scoped updates are fine after end_turn and recorded after cancelled', () => {
    assert.deepEqual(after('end_turn', usage), []);
    assert.deepEqual(after('cancelled', usage), ['info CANCEL-04']);
  });

  it('an update of another session is no late one', () => {
    const second = [
      client({ id: 2, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
      agent({ id: 2, result: { sessionId: 's-2' } }),
    ];
    assert.deepEqual(judged([...ready, ...second, prompt(), stopped(), chunk('', {}, 's-2')]).verdicts, []);
  });
});

describe('A-22: a cancel is graded only where the turn was provably running', () => {
  it('not when nothing of the agent was open', () => {
    const { verdicts, exercised } = judged([...ready, prompt(), chunk(), cancel(), stopped('end_turn')]);
    assert.deepEqual(verdicts, []);
    assert.equal(exercised.get('CANCEL-02'), undefined);
  });

  it('not when the permission was answered before the cancel was written', () => {
    const { exercised } = judged([
      ...inTurn,
      permission(),
      selected(),
      cancel(),
      toolUpdate('t-1', { status: 'completed' }),
      stopped(),
    ]);
    assert.equal(exercised.get('CANCEL-02'), undefined);
  });

  it('not when the response was read before the cancel was written', () => {
    const { exercised } = judged([
      ...inTurn,
      permission(),
      toolUpdate('t-1', { status: 'failed' }),
      stopped(),
      cancel(),
    ]);
    assert.equal(exercised.get('CANCEL-02'), undefined);
  });

  it('not when two prompts of the session are open', () => {
    const { exercised } = judged([...inTurn, prompt(8), permission(), cancel(), stopped('cancelled', 7)]);
    assert.equal(exercised.get('CANCEL-02'), undefined);
  });

  it('not when the open request belongs to another session', () => {
    const other = permission('t-1', { sessionId: 's-2' });
    const { exercised } = judged([...inTurn, other, cancel(), stopped('cancelled')]);
    assert.equal(exercised.get('CANCEL-02'), undefined);
  });

  it('when an fs request was open, without saying anything of permissions', () => {
    const read = agent({ id: 'r', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/a' } });
    const { exercised } = judged([
      ...inTurn,
      read,
      cancel(),
      client({ id: 'r', result: { content: '' } }),
      stopped('cancelled'),
    ]);
    assert.equal(exercised.get('CANCEL-02'), 1);
    assert.equal(exercised.get('PERM-09'), undefined);
  });

  it('with a permission that the client answered otherwise, nothing of PERM-09', () => {
    const { verdicts, exercised } = judged([
      ...inTurn,
      permission(),
      cancel(),
      selected(),
      toolUpdate('t-1', { status: 'in_progress' }),
      toolUpdate('t-1', { status: 'completed' }),
      stopped(),
    ]);
    assert.deepEqual(verdicts, ['fail CANCEL-02']);
    assert.equal(exercised.get('PERM-09'), undefined);
  });

  it('an error breaks CANCEL-03 and not CANCEL-02', () => {
    const error = agent({ id: 7, error: { code: -32603, message: 'aborted' } });
    const { verdicts } = judged([...inTurn, permission(), cancel(), cancelledOutcome, error]);
    assert.deepEqual(verdicts, ['fail CANCEL-03', 'fail CANCEL-10', 'fail PERM-09']);
  });
});

describe('A-12: the answer to a permission request that is called off', () => {
  const callsOff = agent({ method: '$/cancel_request', params: { requestId: 'p1' } });
  const refused = client({ id: 'p1', error: { code: -32800, message: 'Cancelled' } });

  it('is cancelled after session/cancel, and nothing else', () => {
    assert.deepEqual(clientVerdictsOf(...inTurn, permission(), cancel(), cancelledOutcome), []);
    assert.deepEqual(clientVerdictsOf(...inTurn, permission(), cancel(), selected()), ['fail PERM-07']);
    assert.deepEqual(clientVerdictsOf(...inTurn, permission(), cancel(), refused), ['fail PERM-07']);
  });

  it('is either of the two after $/cancel_request, also where both came', () => {
    for (const both of [[callsOff], [cancel(), callsOff], [callsOff, cancel()]])
      for (const answer of [cancelledOutcome, refused])
        assert.deepEqual(clientVerdictsOf(...inTurn, permission(), ...both, answer), []);
    const other = client({ id: 'p1', error: { code: -32603, message: 'Internal error' } });
    assert.deepEqual(clientVerdictsOf(...inTurn, permission(), callsOff, other), ['warn RCANCEL-06']);
  });
});

describe('A-23: a session that is closed while its turn runs', () => {
  const open = [
    ...initialize({ agent: { sessionCapabilities: { close: {} } } }),
    ...newSession(),
    prompt(),
    client({ id: 8, method: 'session/close', params: { sessionId: 's-1' } }),
  ];
  const closed = agent({ id: 8, result: {} });

  it('has its two answers in any order, and updates around the first', () => {
    assert.deepEqual(verdictsOf(...open, stopped('cancelled'), closed), []);
    assert.deepEqual(verdictsOf(...open, closed, stopped('cancelled')), []);
    assert.deepEqual(verdictsOf(...open, closed, chunk(), stopped('cancelled')), []);
  });

  it('has no update after both', () => {
    assert.deepEqual(verdictsOf(...open, closed, stopped('cancelled'), chunk()), ['fail CANCEL-04']);
    assert.deepEqual(verdictsOf(...open, stopped('cancelled'), closed, chunk()), ['fail CANCEL-04']);
  });
});

describe('A-29: the id of a message', () => {
  const load = client({
    id: 9,
    method: 'session/load',
    params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
  });
  const loading = [...initialize({ agent: { loadSession: true } }), ...newSession()];
  const ofMessage = (messageId: string) => chunk('text', { messageId });

  it('names one message of a session, and comes again when the session is loaded', () => {
    const two = [ofMessage('m-1'), ofMessage('m-2')];
    assert.deepEqual(verdictsOf(...turn(...two, ofMessage('m-1'))), ['fail MSGID-02']);
    assert.deepEqual(
      verdictsOf(...loading, prompt(), ...two, stopped(), load, ...two, agent({ id: 9, result: {} })).filter(
        verdict => verdict.includes('MSGID'),
      ),
      [],
    );
  });
});

describe('A-30: an echo of what the user said', () => {
  const echo = update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' } });
  const load = client({
    id: 9,
    method: 'session/load',
    params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
  });
  const loading = [...initialize({ agent: { loadSession: true } }), ...newSession()];

  it('is neither wanted nor refused in a turn', () => {
    assert.deepEqual(verdictsOf(...turn(echo, chunk())), []);
    assert.deepEqual(verdictsOf(...turn(chunk())), []);
  });

  it('is wanted where the session is loaded', () => {
    const loaded = (...replay: readonly string[]) =>
      verdictsOf(...loading, prompt(), chunk(), stopped(), load, ...replay, agent({ id: 9, result: {} }));
    assert.deepEqual(loaded(echo, chunk()), []);
    assert.notDeepEqual(loaded(chunk()), []);
  });
});

describe('A-31: modes and the mode option', () => {
  const names = [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ];
  const option = (currentValue: string) => ({
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue,
    options: names.map(({ id, name }) => ({ value: id, name })),
  });
  const set = [
    ...initialize(),
    ...newSession({
      modes: { currentModeId: 'ask', availableModes: names },
      configOptions: [option('ask')],
    }),
    ...asks(4, 'session/set_mode', { sessionId: 's-1', modeId: 'code' }, {}),
  ];
  const optionIs = (value: string) =>
    update({ sessionUpdate: 'config_option_update', configOptions: [option(value)] });

  it('need no notification, and must not contradict each other', () => {
    assert.deepEqual(verdictsOf(...set), []);
    assert.deepEqual(verdictsOf(...set, optionIs('code')), []);
    assert.deepEqual(verdictsOf(...set, optionIs('ask')), ['warn MODE-06']);
  });
});

describe('A-36: a plan is the whole list', () => {
  const plan = (...contents: readonly string[]) =>
    update({
      sessionUpdate: 'plan',
      entries: contents.map(content => ({ content, priority: 'low', status: 'pending' })),
    });

  it('of which an entry may go, and not come back', () => {
    assert.deepEqual(verdictsOf(...turn(plan('look', 'change'), plan('change'), plan('change'))), []);
    assert.deepEqual(verdictsOf(...turn(plan('look', 'change'), plan('change'), plan('look', 'change'))), [
      'warn PLAN-02',
    ]);
  });
});
