import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { shipped, UserError } from '../../src/base/index.ts';
import {
  compileScript,
  instancesOf,
  type Known,
  loadScript,
  type Script,
  verbNames,
} from '../../src/script/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
after(() => rmSync(folder, { recursive: true }));

const known: Known = {
  requirements: new Map([
    ['CANCEL-02', true],
    ['RPC-05', true],
  ]),
  situations: new Set(['no-answer']),
  conditions: new Set(['trigger:permission']),
};

/** The mistakes of a script, without the folder. */
const mistakesIn = async (text: string, name = 'script.yaml'): Promise<string> => {
  const path = join(folder, name);
  writeFileSync(path, text);
  try {
    await loadScript(path, known);
    return '';
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return error.message.replaceAll(`${folder}/`, '');
  }
};

const head = 'id: a/b\ntitle: T\nrole: client\n';
const session = `${head}steps:\n  - initialize: {}\n  - new-session: { as: s }\n`;

describe('loading a script', () => {
  it('accepts anchors and every head member', async () => {
    const text = `${head}story: Why
requires: [trigger:permission, agentCapabilities.loadSession, '!agentCapabilities.auth']
files: { notes/a.md: text }
parameters: { n: [1, 2] }
attempts: 5
bench: 0.1.0
handlers:
  - match: &ask { method: session/request_permission }
    times: 2
    steps: [{ respond: $request.id, result: { cwd: $session.cwd } }]
steps:
  - hold: [session/request_permission]
  - expect: *ask
    count: $param.n
`;
    assert.equal(await mistakesIn(text), '');
  });

  for (const [what, text, expected] of [
    [
      'an unknown verb',
      `${head}steps:\n  - initialize: {}\n  - exepct: { response: x }\n`,
      'script.yaml:6:5  unknown verb "exepct"; did you mean "expect"?',
    ],
    [
      'a verb that nothing resembles',
      `${head}steps: [{ frobnicate: 1 }]\n`,
      `script.yaml:4:11  unknown verb "frobnicate"; known are ${verbNames.join(', ')}`,
    ],
    [
      'two verbs in one step',
      `${head}steps:\n  - notify: a\n    request: b\n`,
      'script.yaml:6:5  two verbs in one step, "notify" and "request"; make two steps',
    ],
    [
      'a step that is no map',
      `${head}steps: [hello]\n`,
      'script.yaml:4:9  a step is a map with a verb, such as "expect: { response: turn }"',
    ],
    [
      'an unknown option',
      `${session}  - quiet: { match: { event: exit }, for: 1s }\n    witin: 3s\n`,
      'script.yaml:8:5  unknown member "witin"; known are quiet, checks',
    ],
    [
      'an unknown option of a verb in a branch',
      `${head}steps:\n  - either:\n      - else: true\n        steps:\n          - notify: a\n            chnk: 3\n`,
      'script.yaml:9:13  unknown member "chnk"; did you mean "chunk"?',
    ],
    [
      'an unknown member of a pattern, also in a list of alternatives',
      `${head}steps:\n  - expect: [{ event: eof }, { metod: x }]\n`,
      'script.yaml:5:32  unknown member "metod"; did you mean "method"?',
    ],
    [
      'a missing option',
      `${head}steps:\n  - collect: { as: x, match: { method: a } }\n`,
      'script.yaml:5:14  member "until" is missing',
    ],
    [
      'a bare number for a time',
      `${head}steps:\n  - notify: a\n    delay: 500\n`,
      'script.yaml:6:12  expected string, got 500',
    ],
    [
      'a time without a unit',
      `${head}steps:\n  - notify: a\n    delay: '500'\n`,
      'script.yaml:6:12  "500" is not possible here; expected: a duration: a number and a unit, such as 500ms, 30s or 5m',
    ],
    [
      'an unknown role',
      'id: a/b\ntitle: T\nrole: agnet\n',
      'script.yaml:3:7  "agnet" is not possible here; did you mean "agent"?',
    ],
    ['a missing title', 'id: a/b\nrole: agent\n', 'script.yaml:1:1  member "title" is missing'],
    [
      'a key that stands twice',
      `${head}title: U\n`,
      'script.yaml:4:1  this key stands twice in the same map; remove one of them',
    ],
    [
      'an id that is none',
      'id: Nope\ntitle: T\nrole: client\n',
      'script.yaml:1:5  "Nope" is not possible here; expected: area/name in lower case, such as cancel/streaming',
    ],
    [
      'an unknown requirement',
      `${session}  - quiet: { match: { event: exit }, for: 1s }\n    checks: [CANCEL-20]\n`,
      'script.yaml:8:14  unknown requirement "CANCEL-20"; did you mean "CANCEL-02"?',
    ],
    [
      'an unknown situation',
      `${session}  - either: [{ else: true, fails: [RPC-05], situation: no-anser }]\n`,
      'script.yaml:7:56  unknown situation "no-anser"; did you mean "no-answer"?',
    ],
    [
      'an unknown condition',
      `${head}requires: [trigger:permision]\n`,
      'script.yaml:4:12  unknown condition "trigger:permision"; did you mean "trigger:permission"?',
    ],
    [
      'a name before it is saved',
      `${head}steps:\n  - initialize: {}\n  - notify: a\n    params: { x: $s.sessionId }\n  - new-session: { as: s }\n`,
      'script.yaml:7:18  "$s.sessionId" names nothing that is saved before this step',
    ],
    [
      'a misspelt name in text',
      `${session}  - notify: a\n    params: { x: 'in \${workspce}' }\n`,
      'script.yaml:8:18  "$workspce" names nothing that is saved before this step; did you mean "workspace"?',
    ],
    [
      'text that begins like a name',
      `${session}  - notify: a\n    params: { price: $5 only }\n`,
      'script.yaml:8:22  "$5 only" is not the name of a value; a dollar is written "$$5 only"',
    ],
    [
      'an unknown parameter',
      `${head}parameters: { size: [1] }\nsteps:\n  - notify: a\n    params: { x: $param.sice }\n`,
      'script.yaml:7:18  unknown parameter "sice"; did you mean "size"?',
    ],
    [
      'an exchange that there is not',
      `${head}steps:\n  - request: a\n    as: turn\n  - expect: { response: tern }\n`,
      'script.yaml:7:25  "tern" is not the name of an exchange before this step; did you mean "turn"?',
    ],
    [
      'a value where an exchange is needed',
      `${session}  - notify: a\n    guard: { unanswered: s }\n`,
      'script.yaml:8:26  "s" is not an exchange',
    ],
    [
      'a member that no frame has',
      `${head}steps:\n  - request: a\n    as: x\n  - notify: b\n    params: { y: $x.response.stopReason }\n`,
      'script.yaml:8:18  "$x.response.stopReason" is no member of a frame; did you mean "$x.response.result.stopReason"?',
    ],
    [
      'an exchange that is used as a frame',
      `${head}steps:\n  - request: a\n    as: x\n  - assert: { of: x.result, is: {} }\n`,
      'script.yaml:7:19  "x" is an exchange; write x.request or x.response',
    ],
    [
      'a requirement that passes and fails',
      `${head}steps:\n  - either: [{ else: true, passes: [RPC-05], fails: [RPC-05] }]\n`,
      'script.yaml:5:54  RPC-05 stands under passes and under fails',
    ],
    [
      'an else that is not the last branch',
      `${head}steps:\n  - request: a\n    as: x\n  - either: [{ else: true }, { when: { of: x, is: {} } }]\n`,
      'script.yaml:7:16  "else" is the last branch; none after it can be taken',
    ],
    [
      'a branch without a condition',
      `${head}steps:\n  - either: [{ passes: [RPC-05] }]\n`,
      'script.yaml:5:14  member "when" is missing',
    ],
    [
      'a verb of the other role',
      'id: a/b\ntitle: T\nrole: agent\nsteps:\n  - initialize: {}\n',
      'script.yaml:5:5  "initialize" is a verb of role client, and this script has role agent',
    ],
    [
      'a response without result and error',
      `${head}steps:\n  - respond: 1\n`,
      'script.yaml:5:5  a response has a result or an error; write one of them, or fault: true',
    ],
    [
      'raw bytes of two kinds',
      `${head}steps:\n  - raw: { text: a, hex: '00' }\n`,
      'script.yaml:5:10  write one of text, hex, file and fill',
    ],
    [
      'a raw exchange without its id',
      `${head}steps:\n  - raw: { text: a }\n    as: x\n`,
      'script.yaml:6:5  "as" needs the id that the bytes carry; add "id"',
    ],
    [
      'a client that writes to stderr',
      `${head}steps:\n  - stderr: { write: a }\n`,
      'script.yaml:5:15  only an agent script writes to standard error',
    ],
    [
      'a mutation that does nothing',
      'id: a/b\ntitle: T\nrole: agent\nmutate:\n  - match: { method: a }\n',
      'script.yaml:5:5  a map must NOT have fewer than 2 properties',
    ],
  ] as const) {
    it(`tells of ${what}`, async () => {
      assert.equal(await mistakesIn(text), expected);
    });
  }

  it('tells of every mistake that the schema cannot see, one a line', async () => {
    const text = `${session}  - expect: { response: x }\n    checks: [NO-01]\n`;
    assert.equal(
      await mistakesIn(text),
      'script.yaml:8:14  unknown requirement "NO-01"\nscript.yaml:7:25  "x" is not the name of an exchange before this step',
    );
  });
});

describe('compiling a script', () => {
  it('yields plain data with a digest that does not depend on the order of members', async () => {
    const one = await compileScript({ id: 'a/b', title: 'T', role: 'client' });
    const other = await compileScript({ role: 'client', title: 'T', id: 'a/b' });
    assert.match(one.digest, /^[0-9a-f]{64}$/);
    assert.equal(one.digest, other.digest);
    assert.deepEqual(JSON.parse(JSON.stringify(one)), one);
    assert.notEqual((await compileScript({ id: 'a/b', title: 'U', role: 'client' })).digest, one.digest);
  });

  it('checks a script written in TypeScript by its pointers', async () => {
    const script = { id: 'a/b', title: 'T', role: 'client', steps: [{ exepct: {} }] } as unknown as Script;
    await assert.rejects(compileScript(script), {
      message: 'a/b#/steps/0/exepct  unknown verb "exepct"; did you mean "expect"?',
    });
  });

  it('multiplies parameters, the last one changing fastest', async () => {
    const compiled = await compileScript({
      id: 'a/b',
      title: 'With ${param.text}',
      role: 'client',
      parameters: { n: [1, 2], text: ['plain', '$ {}'] },
      steps: [
        {
          notify: 'a',
          params: { n: '$param.n', text: '$param.text', in: 'n=${param.n}' },
        },
        { expect: { result: { $match: { const: '$param.text' } } }, count: '$param.n' },
      ],
    });
    const instances = instancesOf(compiled);
    assert.deepEqual(
      instances.map(({ id }) => id),
      ['a/b[n=1,text=plain]', 'a/b[n=1,text=#2]', 'a/b[n=2,text=plain]', 'a/b[n=2,text=#2]'],
    );
    assert.deepEqual(instances[1]?.script.steps, [
      { notify: 'a', params: { n: 1, text: '$$ {}', in: 'n=1' } },
      { expect: { result: { $match: { const: '$ {}' } } }, count: 1 },
    ]);
  });
});

describe('schemas/script.schema.json', () => {
  const schema = JSON.parse(readFileSync(shipped('schemas/script.schema.json'), 'utf8'));

  it('has every verb, and describes every verb and option', () => {
    const verbs = Object.keys(schema.$defs).filter(name => name.startsWith('step-'));
    assert.deepEqual(
      verbs,
      verbNames.map(verb => `step-${verb}`),
    );
    const silent: string[] = [];
    const walk = (node: unknown, at: string) => {
      if (typeof node !== 'object' || node === null) return;
      const { properties } = node as { properties?: Record<string, Record<string, unknown>> };
      for (const [name, property] of Object.entries(properties ?? {})) {
        const target = String(property.$ref ?? '').replace('#/$defs/', '');
        if (!property.description && !schema.$defs[target]?.description) silent.push(`${at}/${name}`);
      }
      for (const [name, value] of Object.entries(node)) walk(value, `${at}/${name}`);
    };
    walk(schema, '');
    assert.deepEqual(silent, []);
  });
});
