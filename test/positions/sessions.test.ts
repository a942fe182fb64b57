/** Where the positions on sessions, logins, paths and codes draw the line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';
import { agent, client, initialize, newSession, ready, toolCall, turn, update } from '../helpers/steps.ts';
import { clientVerdictsOf, judged, verdictsOf } from './judged.ts';

const making = client({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } });
const commands = (sessionId = 's-1') =>
  update({ sessionUpdate: 'available_commands_update', availableCommands: [] }, sessionId);

describe('A-03: a session asked for before initialize', () => {
  const asked = ['EVENT start', making];

  it('is a warning where it opens, and nothing where it is refused', () => {
    const refused = agent({ id: 1, error: { code: -32600, message: 'Not initialized' } });
    assert.deepEqual(verdictsOf(...asked, refused), []);
    assert.deepEqual(verdictsOf(...asked, agent({ id: 1, result: { sessionId: 's-1' } })), ['warn INIT-18']);
  });
});

describe('A-05: a relative path', () => {
  const place = (cwd: string) => client({ id: 1, method: 'session/new', params: { cwd, mcpServers: [] } });
  const taken = agent({ id: 1, result: { sessionId: 's-1' } });
  const touching = (path: string) => toolCall('t-1', { locations: [{ path }] });

  it('is a failure of who sends it, and none of who takes it', () => {
    assert.deepEqual(clientVerdictsOf(...initialize(), place('/w'), taken), []);
    assert.ok(clientVerdictsOf(...initialize(), place('w'), taken).includes('fail PATH-01'));
    assert.ok(verdictsOf(...turn(touching('a.txt'))).includes('fail PATH-01'));
    const taking = verdictsOf(...initialize(), place('w'), taken);
    assert.deepEqual(
      taking.filter(verdict => verdict.startsWith('fail')),
      [],
    );
  });
});

describe('A-06: updates before the id is known', () => {
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

describe('A-09: the MCP servers of a session/resume', () => {
  const resumed = (params: JsonObject) => [
    ...initialize({ agent: { sessionCapabilities: { resume: {} } } }),
    client({ id: 1, method: 'session/resume', params: { sessionId: 's-1', cwd: '/w', ...params } }),
    agent({ id: 1, result: {} }),
  ];

  it('are missed with a warning, and only for clients', () => {
    assert.deepEqual(clientVerdictsOf(...resumed({ mcpServers: [] })), []);
    assert.deepEqual(clientVerdictsOf(...resumed({})), ['warn RESUME-07']);
    assert.deepEqual(verdictsOf(...resumed({})), []);
  });
});

describe('A-13: elicitation in a mode that was not advertised', () => {
  const form = {
    sessionId: 's-1',
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: {} },
  };
  const asked = (elicitation: JsonObject | undefined, code: number) =>
    clientVerdictsOf(
      ...initialize({ client: { ...(elicitation && { elicitation }) } }),
      ...newSession(),
      agent({ id: 'e', method: 'elicitation/create', params: form }),
      client({ id: 'e', error: { code, message: 'Not offered' } }),
    );

  it('is refused with -32602 by who advertised another', () => {
    assert.deepEqual(asked({ url: {} }, -32602), []);
    assert.deepEqual(asked({ url: {} }, -32601), ['fail ELIC-11']);
  });

  it('is refused with either code by who advertised none', () => {
    assert.deepEqual(asked(undefined, -32602), []);
    assert.deepEqual(asked(undefined, -32601), []);
    assert.deepEqual(asked(undefined, -32603), ['fail ELIC-11']);
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

describe('A-16: the code of a refusal', () => {
  const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
  const refused = (code: number) => [
    ...initialize(),
    ...newSession({ modes }),
    client({ id: 4, method: 'session/set_mode', params: { sessionId: 's-1', modeId: 'none' } }),
    agent({ id: 4, error: { code, message: 'No such mode' } }),
  ];

  it('is any but that of an accident, which is a warning', () => {
    const ofCode = (code: number) =>
      verdictsOf(...refused(code)).filter(verdict => verdict.endsWith('MODE-04'));
    for (const code of [-32602, -32002, -32600, 17]) assert.deepEqual(ofCode(code), [], `${code}`);
    assert.deepEqual(ofCode(-32603), ['warn MODE-04']);
  });
});

describe('A-32: a login that is asked for', () => {
  const wanting = agent({ id: 1, error: { code: -32000, message: 'Authentication required' } });
  const offering = (authMethods: JsonObject[]) => initialize({ result: { authMethods } });

  it('is a warning where authMethods names none', () => {
    assert.deepEqual(judged([...offering([]), making, wanting]).verdicts, ['warn AUTH-03']);
    assert.deepEqual(judged([...offering([{ id: 'a', name: 'A' }]), making, wanting]).verdicts, []);
  });
});

describe('A-33: the end of the process', () => {
  const closing = [...ready, 'EVENT input-closed'];

  it('is never a failure, however late', () => {
    assert.deepEqual(verdictsOf(...closing, 'EVENT exit'), []);
    assert.deepEqual(
      verdictsOf(...closing, 'EVENT pause 60000', 'EVENT terminate', 'EVENT kill', 'EVENT exit'),
      [],
    );
    assert.deepEqual(verdictsOf(...closing, 'EVENT exit', 'EVENT left-behind'), ['info FRM-12']);
  });
});

describe('A-37: rules that only an RFD holds', () => {
  it('warn at most', () => {
    const all = [...loadCatalogue().requirements.values()];
    const strict = ({ verdict, cases = [] }: (typeof all)[number]) =>
      [verdict, ...cases.map(each => each.verdict)].includes('fail');
    const rfds = all.filter(({ basis }) => basis === 'rfd');
    assert.deepEqual(
      rfds.filter(strict).map(({ id }) => id),
      [],
    );
    assert.deepEqual(
      rfds.filter(({ id }) => id === 'USAGE-05').length,
      1,
      'such as the size of a usage update',
    );
    const usage = (size: number) => turn(update({ sessionUpdate: 'usage_update', used: 0, size }));
    assert.deepEqual(verdictsOf(...usage(10)), []);
    assert.deepEqual(verdictsOf(...usage(0)), ['warn USAGE-05']);
  });
});
