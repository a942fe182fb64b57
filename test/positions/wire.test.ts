/** Where the positions on lines, envelopes and the schema draw the line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../src/wire/index.ts';
import {
  agent,
  agentAsks,
  asks,
  chunk,
  client,
  initialize,
  newSession,
  prompt,
  ready,
  stopped,
  toolCall,
  turn,
  update,
} from '../helpers/steps.ts';
import { clientVerdictsOf, judged, verdictsOf } from './judged.ts';

/** A frame that may come at any time, as text. */
const commands = update({ sessionUpdate: 'available_commands_update', availableCommands: [] }).slice(
  'A>C '.length,
);

describe('A-01: a null result', () => {
  const loaded = (result: Json) => [
    ...initialize({ agent: { loadSession: true } }),
    ...asks(1, 'session/load', { sessionId: 's-1', cwd: '/w', mcpServers: [] }, result),
  ];

  it('is a warning where an empty object would do, and a failure where a member is due', () => {
    assert.deepEqual(verdictsOf(...loaded({})), []);
    const nothing = verdictsOf(...loaded(null));
    assert.ok(nothing.includes('warn LOAD-09'), `${nothing}`);
    assert.deepEqual(
      nothing.filter(verdict => verdict.startsWith('fail')),
      [],
    );
    assert.ok(
      verdictsOf(...initialize(), ...asks(1, 'session/new', { cwd: '/w', mcpServers: [] }, null)).includes(
        'fail SCH-01',
      ),
    );
  });

  it('is a warning for clients alike', () => {
    const write = { sessionId: 's-1', path: '/a', content: '' };
    const written = (result: Json) => [
      ...initialize({ client: { fs: { readTextFile: true, writeTextFile: true } } }),
      ...newSession(),
      ...agentAsks('w', 'fs/write_text_file', write, result),
    ];
    assert.deepEqual(clientVerdictsOf(...written({})), []);
    assert.deepEqual(
      [...new Set(clientVerdictsOf(...written(null)).map(verdict => verdict.split(' ')[0]))],
      ['warn'],
    );
  });
});

describe('A-02: examples of the pages that break the schema', () => {
  const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
  const hinted = (steps: readonly string[]) =>
    judged(steps).evidence.filter(({ hint }) => hint?.includes('example')).length > 0;

  it('fail, with a hint at the example', () => {
    const modeIs = (update_: JsonObject) => [
      ...initialize(),
      ...newSession({ modes }),
      update({ sessionUpdate: 'current_mode_update', ...update_ }),
    ];
    assert.ok(!verdictsOf(...modeIs({ currentModeId: 'ask' })).includes('fail MODE-05'));
    assert.ok(verdictsOf(...modeIs({ modeId: 'ask' })).includes('fail MODE-05'));
    assert.ok(hinted(modeIs({ modeId: 'ask' })));

    const text = { type: 'text', text: 'Plan' };
    const showing = (content: JsonObject) =>
      turn(toolCall('t-1', { status: 'completed', content: [content] }));
    assert.deepEqual(verdictsOf(...showing({ type: 'content', content: text })), []);
    assert.ok(verdictsOf(...showing(text)).includes('fail TOOL-14'));
    assert.ok(hinted(showing(text)));
  });
});

describe('A-04 and A-19: names of other releases', () => {
  const old = { release: '0.12.1' } as const;
  const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
  /** Told with the place of the name; what the preamble itself has is left out. */
  const told = (...steps: readonly string[]) => {
    const before = judged(ready, old).verdicts.length;
    const { verdicts, evidence } = judged([...ready, ...steps], old);
    return verdicts.map((verdict, at) => `${verdict} ${evidence[at]!.pointer}`).slice(before);
  };

  it('are told once for each name and connection', () => {
    const chunks = [chunk('a', { messageId: 'm' }), chunk('b', { messageId: 'm' })];
    assert.deepEqual(told(usage, usage, ...chunks).sort(), [
      'info EXT-03 /params/update/messageId',
      'info SCH-02 /params/update/sessionUpdate',
      'info UPD-01 /params/update/sessionUpdate',
    ]);
  });

  it('are fine in their own release', () => {
    assert.deepEqual(verdictsOf(...ready, usage, chunk('a', { messageId: 'm' })), []);
  });
});

describe('A-04: a value that closes a union', () => {
  it('fails where no release knows it, and does not concern who receives it', () => {
    const unknown = update({ sessionUpdate: 'telepathy' });
    assert.ok(verdictsOf(...ready, unknown).includes('fail UPD-01'));
    assert.deepEqual(clientVerdictsOf(...ready, unknown), []);
    assert.deepEqual(verdictsOf(...ready, prompt(), stopped('max_tokens')), []);
    assert.ok(verdictsOf(...ready, prompt(), stopped('bored')).includes('fail PROMPT-09'));
  });
});

describe('A-19: a member that its type does not have', () => {
  const session = (member: JsonObject) => verdictsOf(...initialize(), ...newSession(member));

  it('is a warning where an unstable schema knows it, and a failure where none does', () => {
    assert.deepEqual(session({ _meta: { mine: 1 } }), []);
    assert.deepEqual(session({ models: { availableModels: [], currentModelId: 'a' } }), ['warn EXT-03']);
    assert.deepEqual(session({ mine: 1 }), ['fail EXT-03']);
  });
});

describe('A-10: an entry of a stdio MCP server', () => {
  const server = { name: 'e', command: '/bin/e', args: [], env: [] };
  const offered = (entry: JsonObject) =>
    clientVerdictsOf(
      ...initialize(),
      ...asks(1, 'session/new', { cwd: '/w', mcpServers: [entry] }, { sessionId: 's-1' }),
    );

  it('has its four members, and a type only with a warning', () => {
    assert.deepEqual(offered(server), []);
    assert.deepEqual(offered({ ...server, type: 'stdio' }), ['warn EXT-03']);
    for (const member of Object.keys(server)) {
      const { [member as keyof typeof server]: _, ...rest } = server;
      assert.ok(offered(rest).includes('fail MCP-06'), member);
    }
  });
});

describe('A-17: ids of requests', () => {
  const asking = (id: Json) =>
    verdictsOf(
      ...turn(
        agent({ id: id as never, method: '_example.com/ask', params: {} }),
        client({ id: id as never, result: {} }),
      ),
    );
  const answering = (id: Json, answer: Json) =>
    verdictsOf(
      ...ready,
      client({ id: id as never, method: '_example.com/ask' }),
      agent({ id: answer as never, result: {} }),
    );

  it('keep their JSON type in the answer', () => {
    for (const id of [0, 7, 2 ** 53 - 1, 'seven']) assert.deepEqual(answering(id, id), [], `${id}`);
    assert.deepEqual(answering(7, '7'), ['fail RPC-04']);
    assert.deepEqual(answering('7', 7), ['fail RPC-04']);
  });

  it('have no fraction, and are null only with a warning', () => {
    assert.ok(!asking('a').some(verdict => verdict.includes('RPC-07')));
    assert.ok(asking(null).includes('warn RPC-07'));
    assert.ok(asking(1.5).includes('fail RPC-07'));
  });
});

describe('A-20: the type of an authentication method', () => {
  const offering = (rest: JsonObject) =>
    verdictsOf(...initialize({ result: { authMethods: [{ id: 'a', name: 'A', ...rest }] } }));

  it('may be absent or agent, and is a warning where nobody knows it', () => {
    assert.deepEqual(offering({}), []);
    assert.deepEqual(offering({ type: 'agent' }), []);
    const unknown = offering({ type: 'retina' });
    assert.ok(unknown.includes('warn INIT-23'), `${unknown}`);
    assert.deepEqual(
      unknown.filter(verdict => verdict.startsWith('fail')),
      [],
    );
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

describe('A-25: what is not JSON and a line feed alone', () => {
  const wholly = (prefix: string, suffix = '') =>
    verdictsOf(...ready, `A>C RAW ${prefix}${commands}${suffix}`);
  const worst = (verdicts: readonly string[]) =>
    ['fail', 'warn', 'info'].find(each => verdicts.some(verdict => verdict.startsWith(each)));

  it('is a warning where only a carriage return or a blank line is too much', () => {
    assert.deepEqual(wholly(''), []);
    assert.equal(worst(wholly('', '\\r')), 'warn');
    assert.equal(worst(verdictsOf(...ready, 'A>C RAW ')), 'warn');
  });

  it('is a failure otherwise', () => {
    assert.equal(worst(wholly('\\xef\\xbb\\xbf')), 'fail');
    assert.equal(worst(verdictsOf(...ready, 'A>C RAW Listening on stdio')), 'fail');
  });
});

describe('A-26: an answer without an address', () => {
  const parseError = agent({ id: null, error: { code: -32700, message: 'Parse error' } });

  it('is no second answer and no answer to nothing', () => {
    assert.deepEqual(judged(['C>A RAW {', parseError]).verdicts, []);
    assert.deepEqual(judged([parseError]).verdicts, []);
  });

  it('is excused once for each unreadable line', () => {
    const note = client({ method: '_example.com/note' });
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
    const note = client({ method: '_example.com/note' });
    const invalid = agent({ id: null, error: { code: -32600, message: 'Invalid request' } });
    assert.deepEqual(judged([note, 'C>A {"id":5,"method":"_example.com/ask"}', invalid]).verdicts, []);
  });
});

describe('A-27: the line of a file', () => {
  const reading = (line: number) => [
    ...initialize({ client: { fs: { readTextFile: true, writeTextFile: true } } }),
    ...newSession(),
    prompt(),
    ...agentAsks('r', 'fs/read_text_file', { sessionId: 's-1', path: '/a', line }, { content: '' }),
    stopped(),
  ];

  it('is 1 or more, whatever the schema says', () => {
    assert.deepEqual(verdictsOf(...reading(1)), []);
    assert.deepEqual(verdictsOf(...reading(0)), ['fail FS-04', 'fail PATH-02']);
  });
});

describe('A-28: the exit code of a terminal', () => {
  const exited = (exitCode: number | null, rest: JsonObject = {}) =>
    judged(
      [
        ...initialize({ client: { terminal: true } }),
        ...newSession(),
        ...agentAsks(
          't',
          'terminal/wait_for_exit',
          { sessionId: 's-1', terminalId: 't' },
          { exitCode, ...rest },
        ),
      ],
      { subject: 'client' },
    );

  it('is no negative number', () => {
    assert.deepEqual(exited(0).verdicts, []);
    assert.deepEqual(exited(null, { signal: 'SIGKILL' }).verdicts, []);
    const { verdicts, evidence } = exited(-1);
    assert.ok(verdicts.includes('fail TERM-15'), `${verdicts}`);
    assert.ok(
      evidence.some(({ hint }) => hint?.includes('signal')),
      'says what to send instead',
    );
  });
});

describe('A-34: an array of messages', () => {
  it('is a failure, of one message as well', () => {
    assert.deepEqual(verdictsOf(...ready, `A>C ${commands}`), []);
    assert.ok(verdictsOf(...ready, `A>C RAW [${commands}]`).includes('fail RPC-15'));
    assert.ok(verdictsOf(...ready, 'A>C RAW []').includes('fail RPC-15'));
  });
});
