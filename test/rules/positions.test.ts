/** Where a position of the catalogue draws the line. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { gradeViolation, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadProtocol, type Protocol } from '../../src/protocol/index.ts';
import { createRuleFold } from '../../src/rules/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { createCollectingJudge } from '../helpers/collecting-judge.ts';
import { exchange } from '../helpers/journal.ts';
import {
  agent,
  cancel,
  cancelledOutcome,
  chunk,
  client,
  initialize,
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

/** `verdict requirement` of each violation with its evidence, and what was exercised. */
const judged = (steps: readonly string[]) => {
  const judge = createCollectingJudge();
  const fold = createRuleFold({ protocol, subject: 'agent', judge });
  for (const entry of exchange(steps)) fold.step(entry);
  fold.end();
  const verdicts = judge.violations.map(({ requirement, evidence }) => {
    const entry = loadCatalogue().requirements.get(requirement)!;
    return `${gradeViolation(entry, evidence).verdict} ${requirement}`;
  });
  return { verdicts, evidence: judge.violations.map(({ evidence }) => evidence), exercised: judge.counts };
};

const inTurn = [...ready, prompt(), toolCall('t-1')];
const commands = (sessionId = 's-1') =>
  update({ sessionUpdate: 'available_commands_update', availableCommands: [] }, sessionId);

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

describe('A-06: updates before the id is known', () => {
  const making = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
  const made = agent({ id: 1, result: { sessionId: 's-1' } });
  const refused = agent({ id: 1, error: { code: -32603, message: 'Out of memory' } });

  it('are held back until the result tells whose they are', () => {
    assert.deepEqual(judged([...initialize(), making, commands(), made]).verdicts, ['warn SESS-11']);
    assert.deepEqual(judged([...initialize(), making, commands(), refused]).verdicts, ['warn UPD-05']);
  });

  it('are told once for each session', () => {
    assert.deepEqual(judged([...initialize(), making, commands(), commands(), made]).verdicts, [
      'warn SESS-11',
    ]);
  });

  it('belong to nothing when the journal ends before the result', () => {
    assert.deepEqual(judged([...initialize(), making, commands()]).verdicts, ['warn UPD-05']);
  });

  it('are not judged where the beginning of the connection is missing', () => {
    assert.deepEqual(judged([commands()]).verdicts, []);
  });
});

describe('A-26: an answer without an address', () => {
  const parseError = agent({ id: null, error: { code: -32700, message: 'Parse error' } });

  it('is no second answer and no answer to nothing', () => {
    assert.deepEqual(judged(['C>A RAW {', parseError]).verdicts, []);
    assert.deepEqual(judged([parseError]).verdicts, []);
  });

  it('is excused once for each unreadable line', () => {
    const note = client({ method: '_x/note' });
    assert.deepEqual(judged(['C>A RAW {', note, parseError]).verdicts, []);
    assert.deepEqual(judged(['C>A RAW {', note, parseError, parseError]).verdicts, ['fail RPC-06']);
  });

  it('is told once for each answered notification, with the one that the error names', () => {
    const notes = ['_x/a', '_x/b', '_x/b'].map(method => client({ method }));
    const refusal = (data: string) => agent({ error: { code: -32601, message: 'Method not found', data } });
    const { verdicts, evidence } = judged([...notes, refusal('_x/b'), refusal('_x/a'), refusal('_x/b')]);
    assert.deepEqual(verdicts, ['fail RPC-06', 'fail RPC-06', 'fail RPC-06']);
    assert.deepEqual(
      evidence.map(({ after }) => after),
      [2, 1, 3],
      'the journal places of the notifications',
    );
  });

  it('is excused after a request whose envelope is faulty', () => {
    const note = client({ method: '_x/note' });
    const invalid = agent({ id: null, error: { code: -32600, message: 'Invalid request' } });
    assert.deepEqual(judged([note, 'C>A {"id":5,"method":"_x/ask"}', invalid]).verdicts, []);
  });
});

describe('A-04 and A-19: names of other releases', () => {
  it('are told once for each name and connection', async () => {
    const old = await loadProtocol('0.12.1');
    const judge = createCollectingJudge();
    const fold = createRuleFold({ protocol: old, subject: 'agent', judge });
    const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    for (const entry of exchange([
      ...ready,
      usage,
      usage,
      chunk('a', { messageId: 'm' }),
      chunk('b', { messageId: 'm' }),
    ])) {
      fold.step(entry);
    }
    fold.end();
    const later = judge.violations.filter(({ evidence }) => evidence.situation === 'known-to-later-release');
    const told = later.map(({ requirement, evidence }) => `${requirement} ${evidence.pointer}`);
    assert.deepEqual(told.filter(each => !each.includes('agentCapabilities')).sort(), [
      'EXT-03 /params/update/messageId',
      'SCH-02 /params/update/sessionUpdate',
      'UPD-01 /params/update/sessionUpdate',
    ]);
  });
});

describe('A-14: an optional method that is not advertised', () => {
  const list = client({ id: 3, method: 'session/list', params: {} });

  it('is refused with any code', () => {
    const { verdicts, exercised } = judged([
      ...ready,
      list,
      agent({ id: 3, error: { code: -32602, message: 'Not offered' } }),
    ]);
    assert.deepEqual(verdicts, []);
    assert.equal(exercised.get('CAP-01'), 1);
  });

  it('is a warning where it works', () => {
    assert.deepEqual(judged([...ready, list, agent({ id: 3, result: { sessions: [] } })]).verdicts, [
      'warn CAP-01',
      'warn LIST-12',
    ]);
  });
});

describe('A-24: true for a capability that is an object', () => {
  const offering = (listing: JsonObject | boolean | null) =>
    initialize({ agent: { sessionCapabilities: { list: listing } } });

  it('breaks the schema, and advertises nothing', () => {
    const refused = agent({ id: 3, error: { code: -32601, message: 'Method not found' } });
    const asked = [client({ id: 3, method: 'session/list', params: {} }), refused];
    const { verdicts, exercised } = judged([...offering(true), ...asked]);
    assert.deepEqual(verdicts, ['fail SCH-01', 'fail INIT-22']);
    assert.deepEqual([exercised.get('CAP-01'), exercised.get('CAP-02')], [1, undefined]);
    assert.deepEqual(judged([...offering(null), ...asked]).verdicts, []);
    assert.deepEqual(judged([...offering({}), ...asked]).verdicts, ['fail CAP-02']);
  });
});

describe('A-32: a login that is asked for', () => {
  const making = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
  const wanting = agent({ id: 1, error: { code: -32000, message: 'Authentication required' } });
  const offering = (authMethods: JsonObject[]) => initialize({ result: { authMethods } });

  it('is a warning where authMethods names none', () => {
    assert.deepEqual(judged([...offering([]), making, wanting]).verdicts, ['warn AUTH-03']);
    assert.deepEqual(judged([...offering([{ id: 'a', name: 'A' }]), making, wanting]).verdicts, []);
  });
});
