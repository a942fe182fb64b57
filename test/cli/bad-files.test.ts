import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certify, inWorld, referenceAgent } from './world.ts';

/** A mistake in a file that a user wrote, the place of it, and what is said. */
type Mistake = readonly [what: string, text: string, place: string, message: RegExp];

const profiles: readonly Mistake[] = [
  [
    'an unknown member',
    'title: A\ntrigers: {}\n',
    '2:1',
    /unknown member "trigers"; did you mean "triggers"\?/,
  ],
  ['an unknown trigger', 'title: A\ntriggers:\n  permision: x\n', '3:3', /did you mean "permission"\?/],
  ['an empty trigger', 'title: A\ntriggers:\n  permission: ""\n', '3:15', /"" is empty$/],
  ['a text where a list belongs', 'title: A\ncommand: agent\n', '2:10', /expected array/],
  ['a list that is not closed', 'title: A\ncommand: [a,\n', '3:1', /./],
  ['a tab as indentation', 'title: A\ntriggers:\n\tpermission: x\n', '3:1', /[Tt]ab/],
  ['a member that comes twice', 'title: A\ntitle: B\n', '2:1', /stands twice/],
  ['nothing in it', '', '1:1', /./],
  ['a list in place of a map', '- title: A\n', '1:1', /./],
  ['a placeholder that nobody knows', 'title: A\ncommand: [$nod, x]\n', '2:11', /\$node/],
];

const scripts: readonly Mistake[] = [
  [
    'an unknown verb',
    'id: a/b\ntitle: T\nrole: agent\nsteps:\n  - exepct: {}\n',
    '5:5',
    /did you mean "expect"\?/,
  ],
  [
    'an unknown option',
    'id: a/b\ntitle: T\nrole: agent\nsteps:\n  - expect: { metod: x }\n',
    '5:15',
    /"method"/,
  ],
  [
    'an unknown behaviour',
    'id: a/b\ntitle: T\nrole: agent\nbehaviour: { lode: true }\n',
    '4:14',
    /unknown member/,
  ],
  [
    'a behaviour of the wrong type',
    'id: a/b\ntitle: T\nrole: agent\nbehaviour:\n  pageSize: many\n',
    '5:13',
    /expected a number, got "many"/,
  ],
  [
    'a name that nothing saved',
    'id: a/b\ntitle: T\nrole: agent\nsteps:\n  - notify: _x\n    params: { id: $nobody.id }\n',
    '6:',
    /nobody/,
  ],
  ['a role that there is not', 'id: a/b\ntitle: T\nrole: agnet\n', '3:7', /did you mean "agent"\?/],
  ['an unknown requirement', 'id: a/b\ntitle: T\nrole: agent\nbreaks: [RPC-99]\n', '4:10', /RPC-99/],
  [
    'a duration in words',
    'id: a/b\ntitle: T\nrole: agent\nsteps:\n  - notify: _x\n    delay: soon\n',
    '6:12',
    /soon/,
  ],
  ['an alias to nothing', 'id: a/b\ntitle: *none\nrole: agent\n', '2:8', /none/],
];

const says = (words: readonly string[], name: string, text: string, place: string, message: RegExp) =>
  inWorld(async ({ run, write }) => {
    write(name, text);
    const { code, stdout, stderr } = await run(words);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    const [first = '', ...others] = stderr.trimEnd().split('\n');
    assert.deepEqual(others, [], 'one message');
    assert.ok(first.startsWith(`./${name}:${place}`), first);
    assert.match(first, /^\.\/mine\.yaml:\d+:\d+ {2}\S/);
    assert.match(first, message);
  });

describe('a file with a mistake', { concurrency: 8, timeout: 120_000 }, () => {
  for (const [what, text, place, message] of profiles) {
    it(`a profile with ${what}: one message with its place, and nothing is started`, () => {
      const words = certify('--profile', './mine.yaml', '--', ...referenceAgent);
      return says(words, 'mine.yaml', text, place, message);
    });
  }

  for (const [what, text, place, message] of scripts) {
    it(`a script with ${what}: one message with its place`, () =>
      says(['mock-agent', './mine.yaml'], 'mine.yaml', text, place, message));
  }

  it('is one for validate, too, where the mistake shows only when an agent is made', () =>
    inWorld(async ({ run, write }) => {
      write('mine.yaml', 'id: a/b\ntitle: T\nrole: agent\nbehaviour: { pace: soon }\n');
      const { code, stderr } = await run(['validate', 'mine.yaml']);
      assert.equal(code, 1);
      assert.match(stderr, /^mine\.yaml:4:20 {2}.*soon.*\n$/);
    }));
});
