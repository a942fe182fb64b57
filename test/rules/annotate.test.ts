import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import { createAnnotator } from '../../src/rules/annotate.ts';
import { isFrame, type Seen, type SeenFrame } from '../../src/rules/seen.ts';
import { valueAt } from '../../src/wire/index.ts';
import type { Party } from '../../src/wire/party.ts';
import { exchange } from '../helpers/journal.ts';
import {
  agent,
  asks,
  cancel,
  chunk,
  client,
  initialize,
  newSession,
  permission,
  prompt,
  ready,
  stopped,
  toolCall,
  update,
} from '../helpers/steps.ts';

let protocol: Protocol;
before(async () => {
  protocol = await loadProtocol('latest');
});

const annotate = (steps: readonly string[], subject: Party = 'agent') => {
  const annotator = createAnnotator({ protocol, subject });
  const seen: Seen[] = exchange(steps).map(entry => annotator.annotate(entry));
  return { frames: seen.filter(isFrame), connections: annotator.connections };
};

const last = (steps: readonly string[]): SeenFrame => annotate(steps).frames.at(-1)!;
const situations = (steps: readonly string[], subject: Party = 'agent'): ReadonlySet<string> =>
  annotate(steps, subject).connections.at(-1)!.situations;

const list = client({ id: 5, method: 'session/list', params: { cwd: '/w' } });
const listed = agent({ id: 5, result: { sessions: [] } });
const load = client({
  id: 3,
  method: 'session/load',
  params: { sessionId: 's-7', cwd: '/w', mcpServers: [] },
});

describe('annotation correlates by typed id and direction', () => {
  it('gives a response the method, params and place of its request', () => {
    const { answer, method, request } = last([list, listed]);
    assert.equal(answer, 'first');
    assert.equal(method, 'session/list');
    assert.equal(request?.seq, 1);
    assert.deepEqual(request?.params, { cwd: '/w' });
  });

  it('keeps 5 and "5" apart', () => {
    assert.equal(last([list, agent({ id: '5', result: {} })]).answer, 'unsolicited');
  });

  it('keeps the two directions apart', () => {
    const { answer, method } = last([
      agent({ id: 5, method: '_x/ask' }),
      list,
      client({ id: 5, result: {} }),
    ]);
    assert.equal(answer, 'first');
    assert.equal(method, '_x/ask');
  });

  it('calls a second answer a duplicate', () => {
    assert.equal(last([list, listed, listed]).answer, 'duplicate');
  });

  it('takes the first answer of a reused id for its second request', () => {
    assert.equal(last([list, listed, list, listed]).answer, 'first');
  });

  it('answers two open requests with one id in their order, and tells of the clash', () => {
    const other = client({ id: 5, method: '_x/other' });
    const { frames } = annotate([list, other, listed, listed, listed]);
    assert.equal(frames[1]?.clash?.method, 'session/list');
    assert.deepEqual(
      frames.slice(2).map(({ answer, method }) => [answer, method]),
      [
        ['first', 'session/list'],
        ['first', '_x/other'],
        ['duplicate', undefined],
      ],
    );
  });

  it('takes an error without an id, or with id null, for one that is not addressed', () => {
    const error = { code: -32600, message: 'Invalid request' };
    assert.equal(last([list, agent({ error })]).answer, 'unaddressed');
    assert.equal(last([list, agent({ id: null, error })]).answer, 'unaddressed');
  });

  it('takes an error with id null for the answer of a request with id null', () => {
    const error = { code: 1, message: 'no' };
    assert.equal(last([client({ id: null, method: '_x/ask' }), agent({ id: null, error })]).answer, 'first');
  });

  it('correlates an answer whose envelope is faulty by its best reading', () => {
    assert.equal(last([list, 'A>C {"id":5,"result":{"sessions":[]}}']).answer, 'first');
  });

  it('starts anew with a connection', () => {
    assert.equal(last([list, 'EVENT restart', listed]).answer, 'unsolicited');
  });
});

describe('annotation knows sessions and turns', () => {
  it('opens a session by a session/new result', () => {
    assert.equal(last([...ready, chunk()]).standing, 'open');
    assert.equal(last([...ready, chunk('', {}, 's-2')]).standing, 'unknown');
  });

  it('lets a session/new in flight leave open what an unknown id is', () => {
    const making = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
    assert.equal(last([...initialize(), making, chunk()]).standing, 'perhaps');
  });

  it('sees a session that is being loaded, and an error that does not open it', () => {
    assert.equal(last([...initialize(), load, chunk('', {}, 's-7')]).standing, 'opening');
    const failed = agent({ id: 3, error: { code: 1, message: 'no' } });
    assert.equal(last([...initialize(), load, failed, chunk('', {}, 's-7')]).standing, 'unknown');
  });

  it('remembers sessions of an earlier connection', () => {
    assert.equal(last([...ready, 'EVENT restart', chunk()]).standing, 'earlier');
  });

  it('names the open prompts of a session, oldest first', () => {
    const seen = last([...ready, prompt(7), prompt(8), chunk()]);
    assert.deepEqual(
      seen.turns.map(({ id }) => id),
      [7, 8],
    );
    assert.deepEqual(
      last([...ready, prompt(7), prompt(8), stopped('end_turn', 7)]).turns.map(({ id }) => id),
      [8],
    );
    assert.deepEqual(last([...ready, prompt(7), stopped(), chunk()]).turns, []);
  });

  it('does not hold frames to version 1 after another version was agreed', () => {
    const other = [
      ...initialize({ result: { protocolVersion: 2, capabilities: {} } }),
      update({ sessionUpdate: 'zork' }),
    ];
    const { frames } = annotate(other);
    assert.deepEqual(
      frames.slice(1).map(({ isOtherVersion, faults }) => [isOtherVersion, faults.length]),
      [
        [true, 0],
        [true, 0],
      ],
    );
    assert.equal(last([...initialize(), update({ sessionUpdate: 'zork' })]).faults.length, 1);
  });
});

describe('facts tell what frames show', () => {
  const shows = (name: string, steps: readonly string[], subject: Party = 'agent') =>
    it(`${name} after it was seen, and not before`, () => {
      assert.ok(situations(steps, subject).has(name));
      assert.ok(!situations(ready, subject).has(name));
    });

  const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
  const option = (rest: object) => ({ id: 'o', name: 'O', ...rest });
  shows('auth-methods-returned', initialize({ result: { authMethods: [{ id: 'a', name: 'A' }] } }));
  shows(
    'auth-terminal-method-returned',
    initialize({ result: { authMethods: [{ id: 'a', name: 'A', type: 'terminal' }] } }),
  );
  shows('modes-returned', newSession({ modes }));
  shows('config-options-returned', newSession({ configOptions: [option({ type: 'select' })] as never }));
  shows('boolean-option-returned', newSession({ configOptions: [option({ type: 'boolean' })] as never }));
  shows('mode-option-returned', newSession({ configOptions: [option({ category: 'mode' })] as never }));
  shows('commands-advertised', [
    ...ready,
    update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'a', description: '' }],
    }),
  ]);
  shows('two-sessions', [...ready, ...newSession({}, 's-2', 2)]);
  shows('stored-session', [...ready, prompt(), stopped()]);
  shows('stored-session', [...ready, prompt(), stopped(), 'EVENT restart', ...initialize()]);
  shows('second-process', [...ready, 'EVENT restart', ...initialize()]);
  shows('listed-session', [
    ...ready,
    list,
    agent({ id: 5, result: { sessions: [{ sessionId: 's-1', cwd: '/w' }] } }),
  ]);
  shows('unauthenticated', [
    client({ id: 1, method: 'session/new', params: {} }),
    agent({ id: 1, error: { code: -32000, message: 'Authentication required' } }),
  ]);
  shows('extension-used', [...ready, agent({ method: '_acme/note' })]);
  shows('extension-used', initialize({ agent: { _meta: { acme: {} } } }));
  shows('trigger:tool-call', [...ready, toolCall('t')]);
  shows('trigger:permission', [...ready, permission()]);
  shows('trigger:agent-request', [...ready, permission()]);
  shows('trigger:refusal', [...ready, prompt(), stopped('refusal')]);
  shows('drive:cancel', [...ready, cancel()], 'client');

  it('no-modes after a session/new result without modes', () => {
    assert.ok(situations(ready).has('no-modes'));
    assert.ok(!situations(newSession({ modes })).has('no-modes'));
  });

  it('two-sessions not when the first was closed', () => {
    const closed = asks(3, 'session/close', { sessionId: 's-1' }, {});
    assert.ok(!situations([...ready, ...closed, ...newSession({}, 's-2', 2)]).has('two-sessions'));
  });

  it('peer-capability-omitted by what the other party left out', () => {
    assert.ok(situations(initialize()).has('peer-capability-omitted'));
    const everything = {
      auth: { terminal: false },
      elicitation: { form: {}, url: {} },
      fs: { readTextFile: false, writeTextFile: false },
      session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
      terminal: false,
    };
    assert.ok(!situations(initialize({ client: everything })).has('peer-capability-omitted'));
    assert.ok(situations(initialize({ client: everything }), 'client').has('peer-capability-omitted'));
  });

  it('unauthenticated no longer once authenticate succeeded', () => {
    const refused = [
      client({ id: 1, method: 'session/new', params: {} }),
      agent({ id: 1, error: { code: -32000, message: 'Authentication required' } }),
    ];
    assert.ok(
      !situations([...refused, ...asks(2, 'authenticate', { methodId: 'a' }, {})]).has('unauthenticated'),
    );
  });

  it('the first initialize exchange alone', () => {
    const second = asks(
      9,
      'initialize',
      { protocolVersion: 1 },
      { protocolVersion: 1, agentCapabilities: { loadSession: true } },
    );
    const [facts] = annotate([...initialize(), ...second]).connections;
    assert.equal(valueAt(facts?.initializeResult, ['agentCapabilities', 'loadSession']), false);
    assert.deepEqual(facts?.initializeParams?.clientInfo, { name: 'tester', version: '1' });
  });
});
