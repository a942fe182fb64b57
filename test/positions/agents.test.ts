/** Where the positions that scenarios decide draw the line: small agents on both sides of it, certified. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { compileScript, defineScript, instancesOf, type Script } from '../../src/script/index.ts';
import { createInProcessBench } from '../helpers/in-process-bench.ts';
import { scriptedSubject } from '../helpers/scripted-subject.ts';

const bench = await createInProcessBench({
  profile: 'reference-agent',
  only: [
    'initialize/session-before-initialize',
    'initialize/unsupported-version',
    'session/relative-cwd',
    'prompt/concurrent',
    'prompt/ordinary-turn',
    'content/unadvertised-image',
    'rpc/cancel-request-running',
    'stdio/end-of-input',
  ],
});
after(() => bench.end());

/** The reference agent but for what is given, certified: the verdict of each requirement. */
const certified = async (difference: Partial<Script> = {}) => {
  const script = defineScript({ id: 'test/agent', title: 'An agent', role: 'agent', ...difference });
  const [instance] = instancesOf(await compileScript(script));
  const { requirements } = await bench.certify(surroundings =>
    scriptedSubject({ instance: instance!, ...surroundings }),
  );
  return (id: string) => requirements.find(each => each.id === id)!.verdict;
};

/** Answers the requests that fit in another way than the reference agent. */
const answering = (
  match: NonNullable<Script['handlers']>[number]['match'],
  ...steps: NonNullable<Script['handlers']>[number]['steps']
) => certified({ handlers: [{ match, steps }] });

const reference = await certified();

describe('A-03: a session asked for before initialize', () => {
  const early = { method: 'session/new', id: 0 };

  it('is refused or opened, and ends nothing', async () => {
    assert.equal(reference('INIT-18'), 'pass');
    const opens = await answering(early, { respond: '$request.id', result: { sessionId: 'early' } });
    assert.equal(opens('INIT-18'), 'warn');
    assert.equal((await answering(early, { exit: 1 }))('INIT-18'), 'fail');
  });
});

describe('A-05: a relative cwd', () => {
  it('is a warning for an agent that takes it', async () => {
    assert.equal(reference('SESS-07'), 'pass');
    const relative = { $match: { type: 'string', pattern: '^([^/]|$)' } };
    const takes = await answering(
      { method: 'session/new', params: { cwd: relative } },
      { respond: '$request.id', result: { sessionId: 'relative' } },
    );
    assert.equal(takes('SESS-07'), 'warn');
  });
});

describe('A-07: two prompts in one session at a time', () => {
  const second = { responseTo: 'session/prompt', error: { code: -32600 } };

  it('have one answer each, whatever the policy', async () => {
    assert.equal(reference('PROMPT-18'), 'pass', 'refuses the second');
    const merges = await certified({
      mutate: [{ match: second, unset: ['/error'], set: { '/result': { stopReason: 'end_turn' } } }],
    });
    assert.equal(merges('PROMPT-18'), 'pass');
    const loses = await certified({ mutate: [{ match: second, drop: true }] });
    assert.equal(loses('PROMPT-18'), 'fail');
  });
});

describe('A-11: a block of a type that was not advertised', () => {
  const image = { $match: { type: 'array', contains: { properties: { type: { const: 'image' } } } } };
  const given = { method: 'session/prompt', params: { prompt: image } };
  const without = { behaviour: { capabilities: { image: false } } };

  it('has any answer, and is a warning where it has none', async () => {
    const refuses = await certified({
      ...without,
      handlers: [
        { match: given, steps: [{ respond: '$request.id', error: { code: -32602, message: 'No images' } }] },
      ],
    });
    assert.equal(refuses('PROMPT-07'), 'pass');
    const ignores = await certified({
      ...without,
      handlers: [{ match: given, steps: [{ respond: '$request.id', result: { stopReason: 'end_turn' } }] }],
    });
    assert.equal(ignores('PROMPT-07'), 'pass');
    const dies = await certified({ ...without, handlers: [{ match: given, steps: [{ exit: 1 }] }] });
    assert.equal(dies('PROMPT-07'), 'warn');
  });
});

describe('A-15: a request that is cancelled by its id', () => {
  const cancelled = { responseTo: 'session/prompt', error: { code: -32800 } };
  const ending = (stopReason: string) =>
    certified({ mutate: [{ match: cancelled, unset: ['/error'], set: { '/result': { stopReason } } }] });

  it('is answered in one of three ways', async () => {
    assert.equal(reference('RCANCEL-02'), 'pass', 'error -32800');
    assert.equal((await ending('cancelled'))('RCANCEL-02'), 'pass');
    assert.equal((await ending('end_turn'))('RCANCEL-02'), 'pass');
    const accident = { '/error': { code: -32603, message: 'Internal error' } };
    const fails = await certified({ mutate: [{ match: cancelled, set: accident }] });
    assert.equal(fails('RCANCEL-02'), 'fail');
  });
});

describe('A-18: a version that nobody speaks', () => {
  const agreeing = (asked: number, protocolVersion: number) => ({
    match: { method: 'initialize', params: { protocolVersion: asked } },
    steps: [{ respond: '$request.id', result: { protocolVersion, agentCapabilities: {} } }],
  });

  it('is answered with one that is not it, and that the agent agrees to when asked', async () => {
    assert.deepEqual([reference('INIT-07'), reference('INIT-06')], ['pass', 'pass']);
    const newer = await certified({ handlers: [agreeing(99, 2), agreeing(2, 2)] });
    assert.deepEqual([newer('INIT-07'), newer('INIT-06')], ['pass', 'pass']);
    assert.equal((await certified({ handlers: [agreeing(99, 99)] }))('INIT-07'), 'warn');
    const fickle = await certified({ handlers: [agreeing(99, 2), agreeing(2, 1)] });
    assert.equal(fickle('INIT-06'), loadCatalogue().requirements.get('INIT-06')!.verdict);
  });
});

describe('A-33: the end of the process', () => {
  it('is told of, and no failure', async () => {
    assert.equal(reference('FRM-12'), 'pass');
    const stays = await certified({
      steps: [{ expect: { event: 'eof' } }, { notify: '_example.com/never', delay: '10m' }],
    });
    assert.equal(stays('FRM-12'), 'info');
  });
});

describe('A-35: when an agent connects to MCP servers', () => {
  it('is judged after a turn at the earliest, and not while no server is offered', () => {
    for (const id of ['MCP-01', 'MCP-04', 'MCP-05', 'LOAD-10']) {
      assert.equal(loadCatalogue().requirements.get(id)!.position, 'A-35', id);
      assert.ok(['turn', 'scripted'].includes(loadCatalogue().requirements.get(id)!.needs), id);
      assert.ok(['not-exercised', 'not-applicable'].includes(reference(id)), `${id} is ${reference(id)}`);
    }
    assert.equal(reference('PROMPT-09'), 'pass', 'a turn was played');
  });
});
